import HTTP
import Wire

/// The questionnaires there are, and one as it reads.
enum QuestionnairePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/questionnaires", .author, index)
        routes.page(.get, "/questionnaires/:questionnaire", .author, show)
    }

    struct Index: Page {
        static let template = "questionnaires/index"
        static let section: Section? = .questionnaires
        struct Row: Encodable, Sendable {
            let id: String
            let title: String
            let key: String
            let about: String?
            let facts: String
        }
        let rows: [Row]

        static let example = Index(rows: [
            Row(
                id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", title: "ISF-K", key: "isf-k", about: nil,
                facts: "8 Fragen")
        ])
    }

    struct Show: Page {
        static let template = "questionnaires/show"
        static let section: Section? = .questionnaires
        struct Part: Encodable, Sendable {
            let text: String?
            let condition: String?
            let questions: [Line]
        }
        struct Line: Encodable, Sendable {
            let key: String
            let text: String
            let kind: String
            let isRequired: Bool
            let options: [String]
        }
        struct ScaleLine: Encodable, Sendable {
            let title: String
            let formula: String
            let items: String
        }
        let title: String
        let key: String
        let facts: String
        let about: String?
        let citation: String?
        /// The language of the questionnaire, which may differ from the page's.
        let contentLanguage: String
        let parts: [Part]
        let scales: [ScaleLine]

        static let example = Show(
            title: "ISF-K", key: "isf-k", facts: "Version 1", about: nil, citation: nil,
            contentLanguage: "de",
            parts: [
                Part(
                    text: "Seit der letzten Sitzung", condition: nil,
                    questions: [
                        Line(
                            key: "q1", text: "Wie oft?", kind: "Einfachauswahl", isRequired: true,
                            options: ["0 nie"])
                    ])
            ], scales: [ScaleLine(title: "Intensität", formula: "Mittelwert", items: "q1")])
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let records = try c.read { try QuestionnaireStore.newest(c.services.questionnaires, $0) }
        let rows = records.map { record in
            let language = record.definition.language(asked: c.language.rawValue)
            let count = c.texts.count("questionnaires.questions", record.definition.questions.count)
            let version = c.texts["questionnaires.version", ["n": String(record.version)]]
            return Index.Row(
                id: record.id, title: record.title(c.language), key: record.key,
                about: record.definition.description?[language], facts: "\(version) · \(count)")
        }
        return .page(Index(rows: rows))
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let id = try c.id("questionnaire")
        guard let record = try c.read({ try QuestionnaireStore.find(id, c.services.questionnaires, $0) })
        else {
            throw Problem.notFound
        }
        let definition = record.definition
        let language = definition.language(asked: c.language.rawValue)
        let count = c.texts.count("questionnaires.questions", definition.questions.count)
        let version = c.texts["questionnaires.version", ["n": String(record.version)]]
        return .page(
            Show(
                title: record.title(c.language), key: record.key, facts: "\(version) · \(count)",
                about: definition.description?[language], citation: definition.citation,
                contentLanguage: language,
                parts: definition.sections.map { part($0, language, c.texts) },
                scales: definition.scales.map { scale($0, language, c.texts) }))
    }

    private static func part(
        _ section: QuestionnaireDefinition.Section, _ language: String, _ texts: Texts
    ) -> Show.Part {
        let text = section.text[language].flatMap { $0.isEmpty ? nil : $0 }
        return Show.Part(
            text: text,
            condition: section.visibleIf.map {
                texts["questionnaires.shown_if", ["condition": words($0, texts)]]
            },
            questions: section.questions.map { line($0, language, texts) })
    }

    private static func line(
        _ question: QuestionnaireDefinition.Question, _ language: String, _ texts: Texts
    ) -> Show.Line {
        var options = question.options.map { "\(texts.number($0.value)) \($0.text[language] ?? "")" }
        if let range = question.possibleRange, question.options.isEmpty, question.type != .yesNo {
            let low = [texts.number(range.lowerBound), question.minimumLabel?[language]].compactMap(\.self)
            let high = [texts.number(range.upperBound), question.maximumLabel?[language]].compactMap(\.self)
            options = [low.joined(separator: " "), high.joined(separator: " ")]
        }
        return Show.Line(
            key: question.key, text: question.text[language] ?? "",
            kind: texts["questionnaires.type_\(question.type.name)"], isRequired: question.isRequired,
            options: options)
    }

    private static func scale(_ scale: Scale, _ language: String, _ texts: Texts) -> Show.ScaleLine {
        var formula = [texts["questionnaires.method_\(scale.method.rawValue)"]]
        formula.append(
            texts["questionnaires.needed", ["n": String(scale.needed), "of": String(scale.items.count)]])
        if scale.isPercent { formula.append(texts["questionnaires.percent"]) }
        if scale.factor != 1 {
            formula.append(texts["questionnaires.factor", ["n": texts.number(scale.factor)]])
        }
        if let worse = scale.higherIsWorse {
            formula.append(texts[worse ? "questionnaires.lower_better" : "questionnaires.higher_better"])
        }
        let items = scale.items.map {
            scale.reversed.contains($0) ? "\($0) (\(texts["questionnaires.reversed"]))" : $0
        }
        return Show.ScaleLine(
            title: scale.title[language] ?? scale.key, formula: formula.joined(separator: " · "),
            items: items.joined(separator: ", "))
    }

    /// A condition as a person would say it.
    private static func words(_ condition: Condition, _ texts: Texts) -> String {
        switch condition {
        case .equals(let question, let value): "\(question) = \(texts.number(value))"
        case .anyOf(let question, let values):
            "\(question) ∈ {\(values.map { texts.number($0) }.joined(separator: "; "))}"
        case .atLeast(let question, let value): "\(question) ≥ \(texts.number(value))"
        case .all(let parts):
            parts.map { words($0, texts) }.joined(separator: " \(texts["questionnaires.and"]) ")
        case .any(let parts):
            "(\(parts.map { words($0, texts) }.joined(separator: " \(texts["questionnaires.or"]) ")))"
        case .not(let part): "\(texts["questionnaires.not"]) (\(words(part, texts)))"
        }
    }
}
