import JSON
import Records
import Web
import Wire
import Wording

/// An intervention to be given: from the library, or written for this patient. Made only by reading.
package enum InterventionDraft: Sendable {
    case fromLibrary(ID<LibraryIntervention>)
    case written(InterventionKind, LocalizedText)

    /// - Throws: `Problem.invalid`, also when both or neither are there.
    package static func read(_ fields: InputReader, _ language: Language) throws(Problem) -> InterventionDraft
    {
        let library: ID<LibraryIntervention>? = fields.id("intervention_id")
        let kind: InterventionKind? = fields.choice("kind", required: library == nil)
        let text = fields.text("text", required: library == nil, limit: LibraryDraft.textLimit, lines: true)
        if library != nil, text != nil { fields.refuse("text", "interventions.one_of_two") }
        try fields.finish()
        if let library { return .fromLibrary(library) }
        guard let kind, let text else { throw .invalid(fields.errors) }
        return .written(kind, LocalizedText(text, in: language))
    }
}

extension InterventionKind {
    /// The list of kinds in a form.
    package static func field(_ filled: FormState, first: InterventionKind) -> FieldView {
        filled.list(
            "kind", label: "interventions.kind", first: first.rawValue, hint: "interventions.kind_hint",
            allCases.map { kind in (kind.rawValue, filled.texts["interventions.kind_\(kind.rawValue)"]) })
    }
}

/// A text of the library as entered. Made only by reading.
package struct LibraryDraft: Sendable {
    package let kind: InterventionKind
    package let text: LocalizedText
    package let isShared: Bool

    package static let textLimit = 2_000

    /// In a call `text` is an object by language, and fields and languages that are not sent stay as they are; in a form an
    /// empty field is a text that goes.
    /// - Throws: `Problem.invalid`.
    package static func read(_ fields: InputReader, over existing: LibraryRecord? = nil) throws(Problem)
        -> LibraryDraft
    {
        var text = existing?.text ?? LocalizedText()
        if fields.isForm {
            text = fields.localizedFields("text", limit: textLimit, lines: true, over: text)
        } else if let sent = fields.localized("text", limit: textLimit, lines: true),
            case .object(let members)? = fields.value("text")
        {
            for member in members { text[member.key] = sent[member.key] }
        }
        let isShared = fields.box("shared", over: existing?.isShared ?? false)
        let kind = fields.choice("kind", required: existing == nil) ?? existing?.kind
        if fields.errors.isEmpty, text.isEmpty {
            fields.refuse(fields.isForm ? "text_de" : "text", "interventions.no_text")
        }
        try fields.finish()
        guard let kind else { throw .invalid(fields.errors) }
        return LibraryDraft(kind: kind, text: text, isShared: isShared)
    }

    private init(kind: InterventionKind, text: LocalizedText, isShared: Bool) {
        self.kind = kind
        self.text = text
        self.isShared = isShared
    }
}
