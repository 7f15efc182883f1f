import Agenda
import Contributions
import Identity
import Instruments
import JSON
import Questionnaires
import Records
import Scheduling
import Studies
import Web
import Wire
import Wording

extension Answering {
    /// The same with the latest input, which is not stored.
    func with(_ input: AnswerInput, _ c: Context<some Sendable>) -> Answering {
        var typed = self
        typed.draft.merge(input.changes, at: c.now)
        return typed
    }

    /// Why it cannot be filled in, in words. When another device was faster, its sheet is shown: that one counts.
    func page(
        closed: AgendaItem.State, _ answers: Answers, _ c: Context<some Sendable>
    ) throws -> AnswerPages.Closed {
        let dates = c.dates(in: Zone(target.account.timezone))
        let texts = c.texts
        switch closed {
        case .done(let sheet):
            let look = sheet.map {
                PageLink(label: texts["answering.look"], path: "/my/contributions/\($0)", isCurrent: false)
            }
            return page(
                refused: texts["answering.closed_sent"], answers, links: look.map { [$0] } ?? [],
                counts: try sheet.flatMap { try counting($0, c) }, isSent: true, c)
        case .withdrawn: return page(refused: texts["answering.closed_withdrawn"], answers, c)
        case .coming:
            let when = target.opens.map { texts.when($0, dates) } ?? ""
            return page(refused: texts["answering.closed_early", ["when": when]], answers, c)
        case .late:
            let when = target.due.map { dates.short($0.at) } ?? ""
            return page(refused: texts["answering.closed_late", ["when": when]], answers, c)
        case .ended: return page(refused: texts["answering.closed_ended"], answers, c)
        case .onPaper: return page(refused: texts["answering.closed_on_paper"], answers, c)
        case .inactive, .open: return page(refused: texts["answering.closed_inactive"], answers, c)
        case .notRunning: return page(refused: texts["answering.closed_not_running"], answers, c)
        case .outside: return page(refused: texts["answering.closed_outside"], answers, c)
        case .waits(let ids):
            let own = try c.read {
                try OwnStudyItem.all(of: target.account.id, c.services.questionnaires, at: c.now, $0)
            }
            let first = own.filter { ids.contains($0.item.id) }.map { item in
                PageLink(
                    label: item.questionnaire?.title(c.languages) ?? item.item.key,
                    path: "/my/questionnaires/\(item.item.id)", isCurrent: false)
            }
            return page(refused: texts["answering.closed_waits"], answers, links: first, c)
        }
    }

    /// - Parameters:
    ///   - answers: the input on this device, or the draft.
    ///   - counts: the sheet sent from elsewhere; nil without one, and behind a link.
    func page(
        refused message: String, _ answers: Answers, links: [PageLink] = [], counts: Answers? = nil,
        isSent: Bool = false, _ c: Context<some Sendable>
    ) -> AnswerPages.Closed {
        let language = language(c.languages)
        let dates = c.dates(in: Zone(target.account.timezone))
        let lines = definition.questions.compactMap { question -> AnswerPages.Closed.Line? in
            let words = { (answer: Answer) in
                ContributionPages.words(answer, question, language, c.texts, dates)
            }
            let counting = counts?[question.key]
            let typed = answers[question.key].flatMap { counts != nil && $0 == counting ? nil : $0 }
            if counting == nil, typed == nil { return nil }
            return AnswerPages.Closed.Line(
                text: question.text[language] ?? question.key,
                answer: (counts == nil ? typed : counting).map(words),
                typed: counts == nil ? nil : typed.map(words))
        }
        let heading =
            counts != nil ? "answering.typed" : isSent ? "answering.typed_in_vain" : "answering.typed_unsent"
        return AnswerPages.Closed(
            title: target.questionnaire.title(c.languages), contentLanguage: language, message: message,
            links: target.isLink ? [] : links, heading: c.texts[heading], answers: lines,
            hasAnswers: !lines.isEmpty, home: target.isLink ? nil : target.home)
    }

    /// The answers of a sheet, for the person themselves: behind a link no answers are shown.
    private func counting(
        _ sheet: ID<ContributionRecord>, _ c: Context<some Sendable>
    ) throws -> Answers? {
        guard !target.isLink else { return nil }
        let key = try target.account.key(c.keys)
        return try c.read { connection in
            guard let record = try ContributionStore.find(sheet, of: target.account.id, connection),
                let version = try QuestionnaireStore.find(
                    record.questionnaireID, c.services.questionnaires, connection)
            else { return nil }
            return try? version.definition.readAnswers(try JSON.parse(try record.answers(key).bytes))
        }
    }

    /// Whether the sheet contains a form's changes already: then it is the same form, sent twice.
    func isHeld(_ input: AnswerInput, by sheet: ID<ContributionRecord>, _ c: Context<some Sendable>) throws
        -> Bool
    {
        if input.changes.isEmpty { return true }
        guard let counts = try counting(sheet, c) else { return true }
        return input.changes.allSatisfy { counts[$0.key] == $0.value.answer }
    }
}
