import HTTP
import Wire

/// One answered questionnaire with all its answers and scores.
enum ContributionPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/contributions/:contribution", .caseload, show)
    }

    struct Show: Page {
        static let template = "questionnaires/contribution"
        static let section: Section? = .patients
        struct ScoreLine: Encodable, Sendable {
            let title: String
            /// Nil when it cannot be computed; then `basis` says why.
            let value: String?
            let range: String?
            let basis: String
        }
        struct Part: Encodable, Sendable {
            let text: String?
            let isHidden: Bool
            let lines: [Line]
        }
        struct Line: Encodable, Sendable {
            let question: String
            /// Nil when it was not answered.
            let answer: String?
        }
        let id: String
        let codename: String
        let title: String
        let when: String
        let facts: [String]
        /// The language of the questionnaire, which may differ from the page's.
        let contentLanguage: String
        let hasScores: Bool
        let scores: [ScoreLine]
        let parts: [Part]

        static let example = Show(
            id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", codename: "C020480", title: "ISF-K",
            when: "17.11.2026, 08:12",
            facts: ["8 von 8"], contentLanguage: "de", hasScores: true,
            scores: [ScoreLine(title: "Intensität", value: "2,7", range: "0–4", basis: "6 von 6")],
            parts: [Part(text: nil, isHidden: false, lines: [Line(question: "Wie oft?", answer: "oft")])])
    }

    @Sendable static func show(_ c: Context<Caseload>) throws -> Reply {
        let (id, therapy) = (try c.id("contribution"), c.proof.patient)
        let page = try c.read { connection -> Show? in
            guard let record = try ContributionStore.find(id, inTherapy: therapy.id, connection),
                let account = try AccountStore.find(record.accountID, connection),
                let questionnaire = try QuestionnaireStore.find(
                    record.questionnaireID, c.services.questionnaires, connection)
            else { return nil }
            let scores = try ContributionStore.scores(of: [id], account: account.id, connection)[id] ?? []
            let json = try JSON.parse(try record.answers(try account.key(c.keys)).bytes)
            return make(record, questionnaire, json, scores, c)
        }
        guard let page else { throw Problem.notFound }
        return .page(page)
    }

    private static func make(
        _ record: ContributionRecord, _ questionnaire: QuestionnaireRecord, _ json: JSON,
        _ scores: [ScaleScore],
        _ c: Context<Caseload>
    ) -> Show {
        let (definition, texts) = (questionnaire.definition, c.texts)
        let language = definition.language(asked: c.language.rawValue)
        let answers = (try? definition.readAnswers(json)) ?? [:]
        let visible = Set(definition.visibleSections(answers).map(\.key))
        let seconds = max(0, record.completedAt.seconds - record.startedAt.seconds)
        let facts = [
            texts["contributions.answered", ["n": String(record.answered), "of": String(record.asked)]],
            texts["questionnaires.version", ["n": String(questionnaire.version)]],
            texts[
                "contributions.duration", ["minutes": String(seconds / 60), "seconds": String(seconds % 60)]],
            texts["contributions.received", ["when": c.dates.dayAndTime(record.receivedAt)]],
        ]
        return Show(
            id: c.proof.patient.id, codename: c.proof.patient.codename,
            title: questionnaire.title(c.language),
            when: c.dates.dayAndTime(record.completedAt), facts: facts, contentLanguage: language,
            hasScores: !scores.isEmpty,
            scores: scores.map { line($0, definition, language, texts) },
            parts: definition.sections.map { section in
                Show.Part(
                    text: section.text[language].flatMap { $0.isEmpty ? nil : $0 },
                    isHidden: !visible.contains(section.key),
                    lines: section.questions.map { question in
                        let answer = answers[question.key].map {
                            words($0, question, language, texts, c.dates)
                        }
                        return Show.Line(question: question.text[language] ?? question.key, answer: answer)
                    })
            })
    }

    private static func line(
        _ score: ScaleScore, _ definition: QuestionnaireDefinition, _ language: String, _ texts: Texts
    ) -> Show.ScoreLine {
        let scale = definition.scales.first { $0.key == score.scale }
        let counts = ["n": String(score.answered), "of": String(score.items), "needed": String(score.needed)]
        let basis =
            score.value == nil
            ? "contributions.too_few" : score.isProrated ? "contributions.prorated" : "contributions.items"
        let range = scale?.range.map { "\(texts.number($0.lowerBound))–\(texts.number($0.upperBound))" }
        return Show.ScoreLine(
            title: scale?.title[language] ?? score.scale,
            value: score.value.map { texts.number($0, digits: 2) },
            range: range, basis: texts[basis, counts])
    }

    /// An answer in the words of the questionnaire.
    static func words(
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
