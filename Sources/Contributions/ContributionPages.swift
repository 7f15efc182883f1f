import HTTP
import Instruments
import Questionnaires
import Records
import Therapies
import Web
import Wire
import Wording

/// One answered questionnaire with all its answers and scores.
package enum ContributionPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/contributions/:contribution", .caseloadReader, show)
    }

    package struct Show: Page {
        package static let template = "contributions/show"
        package static let section: NavigationItem? = .patients
        package struct ScoreLine: Encodable, Sendable {
            package let title: String
            /// The page of the scale.
            package let path: String
            /// Nil when it cannot be computed; then `basis` says why.
            package let value: String?
            package let range: String?
            package let basis: String
            package let earlier: [Cell]
        }
        /// A value of an earlier sheet, in the column of its date.
        package struct Cell: Encodable, Sendable {
            package let label: String
            package let value: String?
            package let basis: String?
        }
        package struct Column: Encodable, Sendable {
            package let label: String
            package let path: String
        }
        package struct Part: Encodable, Sendable {
            package let text: String?
            package let isHidden: Bool
            package let lines: [Line]
        }
        package struct Line: Encodable, Sendable {
            package let question: String
            /// Nil without an answer.
            package let answer: String?
            package let earlier: [Cell]
        }
        package let id: ID<Therapy>
        package let codename: String
        package let title: String
        package let when: String
        package let facts: [String]
        /// Answers of this sheet that must be seen and were not yet.
        package let unseen: [UnseenAnswer]
        let hasUnseen: Bool
        /// The language of the questionnaire, which may differ from the page's.
        package let contentLanguage: String
        /// Earlier sheets of the same questionnaire, from old to new.
        package let columns: [Column]
        /// The number of columns of the table of answers.
        package let width: String
        package let all: String
        package let hasScores: Bool
        package let scores: [ScoreLine]
        package let parts: [Part]
    }

    private static let earlierLimit = 3

    @Sendable static func show(_ c: Context<Caseload>) throws -> Reply {
        let id: ID<ContributionRecord> = try c.id("contribution")
        let therapy = c.proof.patient
        let page = try c.read { connection -> Show? in
            guard let record = try ContributionStore.find(id, inTherapy: therapy.id, connection),
                let own = try OpenedContribution.all([record], c.services, connection).first
            else { return nil }
            let before = try ContributionStore.earlier(
                of: own.questionnaire.key, inTherapy: therapy.id, before: record.completedAt,
                limit: earlierLimit, connection)
            // From old to new, this one last.
            let isUnseen = record.mustBeSeen && record.seenAt == nil
            let unseen = try UnseenAnswer.all(isUnseen ? [record] : [], c, connection)
            let earlier = try OpenedContribution.all(before.reversed(), c.services, connection)
            return make(own, earlier, unseen, c)
        }
        guard let page else { throw Problem.notFound }
        try FileLook.note(c)
        return .page(page)
    }

    private static func make(
        _ own: OpenedContribution, _ earlier: [OpenedContribution], _ unseen: [UnseenAnswer],
        _ c: Context<Caseload>
    ) -> Show {
        let record = own.record
        let definition = own.questionnaire.definition
        let language = definition.language(asked: c.language.rawValue)
        let visible = Set(definition.visibleSections(own.answers).map(\.key))
        let base = "\(c.proof.patient.path)/contributions"
        return Show(
            id: c.proof.patient.id, codename: c.proof.patient.codename,
            title: own.questionnaire.title(c.language),
            when: c.local(record.completedAt, in: record.timezone) { $0.dayAndTime(record.completedAt) },
            facts: facts(own, c), unseen: unseen, hasUnseen: !unseen.isEmpty, contentLanguage: language,
            columns: earlier.map {
                Show.Column(label: c.dates.short($0.record.completedAt), path: "\(base)/\($0.record.id)")
            }, width: String(earlier.count + 2),
            all: "\(base)?questionnaire_key=\(percentEncoded(own.questionnaire.key))",
            hasScores: !own.scores.isEmpty,
            scores: own.scores.map { line($0, own.questionnaire, language, earlier, c) },
            parts: definition.sections.map { section in
                Show.Part(
                    text: section.text[language].flatMap { $0.isEmpty ? nil : $0 },
                    isHidden: !visible.contains(section.key),
                    lines: section.questions.map { question in
                        let words = own.answers[question.key].map {
                            self.words($0, question, language, c.texts, c.dates)
                        }
                        return Show.Line(
                            question: question.text[language] ?? question.key, answer: words,
                            earlier: earlier.map { cell(question.key, $0, c) })
                    })
            })
    }

    private static func facts(_ own: OpenedContribution, _ c: Context<Caseload>) -> [String] {
        let record = own.record
        let texts = c.texts
        let seconds = max(0, record.completedAt.seconds - record.startedAt.seconds)
        var facts = [
            texts["contributions.answered", ["n": String(record.answered), "of": String(record.asked)]],
            texts["questionnaires.version", ["n": String(own.questionnaire.version)]],
            texts[
                "contributions.duration", ["minutes": String(seconds / 60), "seconds": String(seconds % 60)]],
            texts["contributions.received", ["when": c.dates.dayAndTime(record.receivedAt)]],
        ]
        if record.isOnSite { facts.append(texts["contributions.on_site"]) }
        if record.isExtra { facts.append(texts["contributions.extra"]) }
        if let at = record.admittedAt {
            facts.append(texts["contributions.admitted_at", ["when": c.dates.dayAndTime(at)]])
        }
        return facts
    }

    /// An earlier sheet's answer to the same question, in the words of its own version.
    private static func cell(_ key: String, _ earlier: OpenedContribution, _ c: Context<Caseload>)
        -> Show.Cell
    {
        let definition = earlier.questionnaire.definition
        let language = definition.language(asked: c.language.rawValue)
        let answer = definition.question(key).flatMap { question in
            earlier.answers[key].map { words($0, question, language, c.texts, c.dates) }
        }
        return Show.Cell(label: c.dates.short(earlier.record.completedAt), value: answer, basis: nil)
    }

    private static func score(_ key: String, _ earlier: OpenedContribution, _ c: Context<Caseload>)
        -> Show.Cell
    {
        let score = earlier.scores.first { $0.scale == key }
        return Show.Cell(
            label: c.dates.short(earlier.record.completedAt),
            value: score?.value.map { c.texts.number($0, digits: 2) },
            basis: score.map { c.texts.count("contributions.items", $0.answered, of: $0.items) })
    }

    private static func line(
        _ score: ScaleScore, _ questionnaire: QuestionnaireRecord, _ language: String,
        _ earlier: [OpenedContribution],
        _ c: Context<Caseload>
    ) -> Show.ScoreLine {
        let texts = c.texts
        let scale = questionnaire.definition.scales.first { $0.key == score.scale }
        let key = percentEncoded(questionnaire.key)
        let range = scale?.range.map { "\(texts.number($0.lowerBound))–\(texts.number($0.upperBound))" }
        return Show.ScoreLine(
            title: scale?.title[language] ?? score.scale,
            path: "\(c.proof.patient.path)/scales/\(key)/\(percentEncoded(score.scale))",
            value: score.value.map { texts.number($0, digits: 2) },
            range: range, basis: texts[score.basis],
            earlier: earlier.map { self.score(score.scale, $0, c) })
    }

    /// An answer in the words of the questionnaire.
    package static func words(
        _ answer: Answer, _ question: QuestionnaireDefinition.Question, _ language: String, _ texts: Texts,
        _ dates: DateFormat
    ) -> String {
        let option = { (value: Double) in question.options.first { $0.value == value }?.text[language] }
        switch answer {
        case .number(let value):
            if question.type == .yesNo { return texts[value == 1 ? "contributions.yes" : "contributions.no"] }
            let number = texts.number(value, digits: 2)
            guard let text = option(value) else {
                guard let range = question.possibleRange else { return number }
                return texts["contributions.of_range", ["n": number, "max": texts.number(range.upperBound)]]
            }
            return "\(text) (\(number))"
        case .numbers(let values):
            return values.map { option($0) ?? texts.number($0) }.joined(separator: ", ")
        case .text(let text): return question.type == .date ? LocalDate(text).map(dates.day) ?? text : text
        }
    }
}
