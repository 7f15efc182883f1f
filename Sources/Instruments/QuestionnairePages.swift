import Database
import HTTP
import Questionnaires
import Records
import Web
import Wire
import Wording

/// The list of questionnaires, and one with its content.
package enum QuestionnairePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/questionnaires", .author, index)
        routes.page(.get, "/questionnaires/:questionnaire", .author, show)
        RetirementPages.routes(&routes)
    }

    package struct Index: Page {
        package static let template = "questionnaires/index"
        package static let section: NavigationItem? = .questionnaires
        package struct Row: Encodable, Sendable {
            package let id: String
            package let title: String
            package let key: String
            package let about: String?
            package let facts: String
        }
        package struct Group: Encodable, Sendable {
            let heading: String
            let rows: [Row]
        }
        package let groups: [Group]
        package let isEmpty: Bool
    }

    package struct Show: Page {
        package static let template = "questionnaires/show"
        package static let section: NavigationItem? = .questionnaires
        package struct Part: Encodable, Sendable {
            package let text: String?
            package let condition: String?
            package let questions: [Line]
        }
        package struct Line: Encodable, Sendable {
            package let key: String
            package let text: String
            package let kind: String
            package let isRequired: Bool
            package let options: [String]
        }
        package struct ScaleLine: Encodable, Sendable {
            let title: String
            let formula: String
            let items: String
        }
        package struct VersionLine: Encodable, Sendable {
            let path: String
            let label: String
            let isCurrent: Bool
        }
        package let id: ID<QuestionnaireVersion>
        package let title: String
        package let key: String
        package let facts: String
        package let state: String
        package let isRetired: Bool
        /// Whether it is in use: then a page of its own asks first.
        let isInUse: Bool
        package let about: String?
        package let card: [Fact]
        package let needsConfirmation: Bool
        package let versions: [VersionLine]
        /// The language of the questionnaire, which may differ from the page's.
        package let contentLanguage: String
        package let parts: [Part]
        package let scales: [ScaleLine]
    }

    @Sendable package static func index(_ c: Context<Member>) throws -> Reply {
        let (drafts, used, retired) = try c.read { connection in
            (
                try EditorStore.all(connection),
                try QuestionnaireStore.newest(c.services.questionnaires, connection),
                try QuestionnaireStore.retired(c.services.questionnaires, connection)
            )
        }
        let groups = [
            ("questionnaires.drafts", drafts.map { row($0, c) }),
            ("questionnaires.in_use", used.map { row($0, c) }),
            ("questionnaires.retired", retired.map { row($0, c) }),
        ].filter { !$0.1.isEmpty }.map { Index.Group(heading: c.texts[$0.0], rows: $0.1) }
        return .page(Index(groups: groups, isEmpty: groups.isEmpty))
    }

    private static func row(_ record: QuestionnaireRecord, _ c: Context<Member>) -> Index.Row {
        let language = record.definition.language(asked: c.language.rawValue)
        return Index.Row(
            id: record.id.text, title: record.title(c.language), key: record.key,
            about: record.definition.description?[language], facts: facts(record, c.texts))
    }

    private static func row(_ draft: EditorDraft, _ c: Context<Member>) -> Index.Row {
        let changed = c.texts["editor.changed", ["when": c.dates.short(draft.changedAt)]]
        let count = c.texts.count("questionnaires.questions", draft.document.questions.count)
        return Index.Row(
            id: draft.id.text, title: draft.document.title(c.language) ?? draft.document.key,
            key: draft.document.key, about: nil, facts: "\(count) · \(changed)")
    }

    private static func facts(_ record: QuestionnaireRecord, _ texts: Texts) -> String {
        let count = texts.count("questionnaires.questions", record.definition.questions.count)
        return "\(texts["questionnaires.version", ["n": String(record.version)]]) · \(count)"
    }

    /// The content of a version or of a draft.
    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        guard let record = try QuestionnairePath.versionOrNil(c) else {
            let draft = try EditorPath.draft(c)
            return .page(
                try EditorShow.make(draft, draft.document, c, isChecking: EditorPath.isChecking(c)))
        }
        let definition = record.definition
        let language = definition.language(asked: c.language.rawValue)
        let (versions, card, uses) = try c.read { connection in
            (
                try QuestionnaireStore.versions(record.key, connection),
                try InstrumentStore.card(record.key, connection),
                try c.services.uses(of: [record.key], for: c.proof.account, at: c.now, connection)
            )
        }
        let own = versions.first { $0.id == record.id }
        let isNewest = versions.first?.id == record.id
        let state =
            own?.retiredAt != nil
            ? "questionnaires.state_retired"
            : isNewest ? "questionnaires.state_used" : "questionnaires.state_older"
        return .page(
            Show(
                id: record.id, title: record.title(c.language), key: record.key,
                facts: facts(record, c.texts),
                state: c.texts[state], isRetired: own?.retiredAt != nil,
                isInUse: !uses.isEmpty, about: definition.description?[language],
                card: InstrumentPages.facts(card, definition, c),
                needsConfirmation: card.needsConfirmation,
                versions: versions.map { version in
                    let label = c.texts["questionnaires.version", ["n": String(version.version)]]
                    return Show.VersionLine(
                        path: "/questionnaires/\(version.id)",
                        label: "\(label), \(c.dates.day(version.publishedAt))",
                        isCurrent: version.id == record.id)
                }, contentLanguage: language, parts: definition.sections.map { part($0, language, c.texts) },
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

    /// How a scale is worked out, in words.
    static func formula(_ scale: Scale, _ texts: Texts) -> String {
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
        return formula.joined(separator: " · ")
    }

    private static func scale(_ scale: Scale, _ language: String, _ texts: Texts) -> Show.ScaleLine {
        let items = scale.items.map {
            scale.reversed.contains($0) ? "\($0) (\(texts["questionnaires.reversed"]))" : $0
        }
        return Show.ScaleLine(
            title: scale.title[language] ?? scale.key, formula: formula(scale, texts),
            items: items.joined(separator: ", "))
    }

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
