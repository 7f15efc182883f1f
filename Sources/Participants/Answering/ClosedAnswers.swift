import Identity
import Instruments
import Questionnaires
import Records
import Responses
import Scheduling
import Web
import Wire
import Wording

extension Answering {
    /// The same with what was typed last, which is kept nowhere.
    func with(_ input: AnswerInput, _ c: Context<some Sendable>) -> Answering {
        var typed = self
        typed.draft.merge(input.changes, at: c.now)
        return typed
    }

    /// Why it cannot be filled in, in words.
    func page(
        closed: Fillable.Closed, _ answers: Answers, _ c: Context<some Sendable>
    ) -> AnswerPages.Closed {
        let dates = c.dates(in: Zone(target.account.timezone))
        let texts = c.texts
        switch closed {
        case .sent(let sheet):
            let look = sheet.map {
                PageLink(label: texts["answering.look"], path: "/my/contributions/\($0)", isCurrent: false)
            }
            // What was sent can be read there; a draft there is none of any more.
            return page(refused: texts["answering.closed_sent"], answers, links: look.map { [$0] } ?? [], c)
        case .withdrawn: return page(refused: texts["answering.closed_withdrawn"], answers, c)
        case .early(let from):
            return page(refused: texts["answering.closed_early", ["when": dates.short(from)]], answers, c)
        case .late(let due):
            return page(refused: texts["answering.closed_late", ["when": dates.short(due)]], answers, c)
        case .ended: return page(refused: texts["answering.closed_ended"], answers, c)
        case .onPaper: return page(refused: texts["answering.closed_on_paper"], answers, c)
        case .inactive: return page(refused: texts["answering.closed_inactive"], answers, c)
        case .notRunning: return page(refused: texts["answering.closed_not_running"], answers, c)
        case .waits(let first):
            return page(refused: texts["answering.closed_waits"], answers, links: first, c)
        }
    }

    func page(
        refused message: String, _ answers: Answers, links: [PageLink] = [], _ c: Context<some Sendable>
    ) -> AnswerPages.Closed {
        let language = language(c.languages)
        let dates = c.dates(in: Zone(target.account.timezone))
        let lines = definition.questions.compactMap { question in
            answers[question.key].map { answer in
                AnswerPages.Closed.Line(
                    text: question.text[language] ?? question.key,
                    answer: ContributionPages.words(answer, question, language, c.texts, dates))
            }
        }
        return AnswerPages.Closed(
            title: target.questionnaire.title(c.languages), contentLanguage: language, message: message,
            links: target.isLink ? [] : links, answers: lines, hasAnswers: !lines.isEmpty,
            home: target.isLink ? nil : target.home)
    }
}
