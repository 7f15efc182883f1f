import JSON
import Questionnaires
import Records
import Web
import Wording

/// A draft at a glance: its head, its sections and scales in order, and its faults.
package struct EditorShow: Page {
    package static let template = "questionnaires/editor"
    package static let section: NavigationItem? = .questionnaires

    package struct Problem: Encodable, Sendable {
        package let path: String
        package let place: String
        package let text: String
    }
    /// A section or a scale in its list.
    package struct Part: Encodable, Sendable {
        package let place: String
        package let path: String
        package let title: String
        package let facts: String
        package let condition: String?
        /// The number of its faults, in words.
        package let open: String?
        let canMoveUp: Bool
        let canMoveDown: Bool
    }

    package let id: ID<EditorDraft>
    package let revision: String
    package let title: String
    package let key: String
    package let facts: String
    package let isStale: Bool
    package let canUndo: Bool
    package let problems: [Problem]
    let hasProblems: Bool
    /// What figures of this version and of the one before will mean differently in one column.
    package let meanings: [String]
    let hasMeanings: Bool
    package let head: [FieldView]
    package let pairs: [LocalizedFields]
    package let sections: [Part]
    package let scales: [Part]

    static func make(
        _ draft: EditorDraft, _ document: DraftDocument, _ c: Context<Member>, isChecking: Bool = false,
        isStale: Bool = false
    ) throws -> EditorShow {
        let texts = c.texts
        let faults = document.faults
        let fields = EditorFields(document, texts, c.services, isChecking: isChecking)
        let root = DocumentPath([])
        var key = fields.field(root.appending("key"), "editor.key", hint: "editor.key_hint")
        if draft.basedOn != nil {
            // Versions belong together by their key.
            key.isSelect = true
            key.hint = texts["editor.key_fixed"]
            key.choices = [.init(value: key.value, label: key.value, isChosen: true)]
        }
        let mode = fields.select(
            root.appending("mode"), "editor.mode",
            [("", "editor.mode_sheet"), ("living", "editor.mode_living")])
        let citation = fields.field(
            root.appending("citation"), "editor.citation", hint: "editor.citation_hint")
        let origin = fields.field(root.appending("origin"), "editor.origin", hint: "editor.origin_hint")
        let printable = fields.check(
            root.appending("printable"), "editor.printable", hint: "editor.printable_hint")
        let pairs = [
            fields.localized(root.appending("title"), "editor.title"),
            fields.localized(root.appending("description"), "editor.description", isArea: true),
            fields.localized(root.appending("intro"), "editor.intro", isArea: true),
            fields.localized(root.appending("outro"), "editor.outro", isArea: true),
        ]
        let state =
            faults.isEmpty ? texts["editor.ready"] : texts.count("editor.open", faults.count)
        let changed = texts["editor.changed", ["when": c.dates.short(draft.changedAt)]]
        let meanings = try ChangedMeanings.words(document, c)
        return EditorShow(
            id: draft.id, revision: String(draft.revision), title: document.title(c.language) ?? document.key,
            key: document.key, facts: [texts["editor.draft"], changed, state].joined(separator: " · "),
            isStale: isStale, canUndo: draft.previous != nil,
            problems: isChecking ? faults.map { problem($0, draft.id, texts) } : [],
            hasProblems: isChecking && !faults.isEmpty,
            meanings: meanings, hasMeanings: !meanings.isEmpty,
            head: [key, mode, citation, origin, printable],
            pairs: pairs,
            sections: document.sections.indices.map { entry($0, document, draft.id, faults, c) },
            scales: document.scales.indices.map { scale($0, document, draft.id, faults, c) })
    }

    private static func problem(_ fault: QuestionnaireFile.Fault, _ id: ID<EditorDraft>, _ texts: Texts)
        -> Problem
    {
        let place = ConditionDraft.field(DocumentPath(place: fault.place))
        return Problem(
            path: EditorPath.page(place, of: id, isChecking: true), place: fault.place,
            text: texts[fault.message])
    }

    private static func entry(
        _ index: Int, _ document: DraftDocument, _ id: ID<EditorDraft>, _ faults: [QuestionnaireFile.Fault],
        _ c: Context<Member>
    ) -> Part {
        let json = document.sections[index]
        let place = DocumentPath("sections.\(index)")
        let questions = json["questions"]?.array ?? []
        let first =
            DraftDocument.text(json["text"], c.language)
            ?? questions.first.flatMap { DraftDocument.text($0["text"], c.language) }
        let condition = json["visible_if"].map { ConditionDraft($0).words(c.texts) }
        let facts =
            questions.isEmpty
            ? c.texts["editor.text_only"] : c.texts.count("questionnaires.questions", questions.count)
        return Part(
            place: place.text, path: "/questionnaires/\(id)/sections/\(index + 1)",
            title: first ?? c.texts["editor.section", ["n": String(index + 1)]], facts: facts,
            condition: condition.map { c.texts["questionnaires.shown_if", ["condition": $0]] },
            open: open(place, faults, c.texts), canMoveUp: index > 0,
            canMoveDown: index < document.sections.count - 1)
    }

    private static func scale(
        _ index: Int, _ document: DraftDocument, _ id: ID<EditorDraft>, _ faults: [QuestionnaireFile.Fault],
        _ c: Context<Member>
    ) -> Part {
        let json = document.scales[index]
        let place = DocumentPath("scales.\(index)")
        let method = json["method"]?.string == "sum" ? "sum" : "mean"
        let items = c.texts.count("editor.items", json["items"]?.array?.count ?? 0)
        return Part(
            place: place.text, path: "/questionnaires/\(id)/scales/\(index + 1)",
            title: DraftDocument.text(json["title"], c.language) ?? json["key"]?.string ?? "",
            facts: "\(c.texts["questionnaires.method_\(method)"]) · \(items)", condition: nil,
            open: open(place, faults, c.texts), canMoveUp: index > 0,
            canMoveDown: index < document.scales.count - 1)
    }

    private static func open(
        _ place: DocumentPath, _ faults: [QuestionnaireFile.Fault], _ texts: Texts
    ) -> String? {
        let count = EditorFields.count(faults, below: place)
        return count == 0 ? nil : texts.count("editor.open", count)
    }
}

extension ConditionDraft {
    /// The condition as a sentence.
    func words(_ texts: Texts) -> String {
        switch kind {
        case .equals: return "\(question) = \(value)"
        case .anyOf: return "\(question) ∈ {\(value)}"
        case .atLeast: return "\(question) ≥ \(value)"
        case .all: return parts.map { $0.words(texts) }.joined(separator: " \(texts["questionnaires.and"]) ")
        case .any:
            let list = parts.map { $0.words(texts) }.joined(separator: " \(texts["questionnaires.or"]) ")
            return "(\(list))"
        case .not: return "\(texts["questionnaires.not"]) (\(parts.first?.words(texts) ?? ""))"
        }
    }
}
