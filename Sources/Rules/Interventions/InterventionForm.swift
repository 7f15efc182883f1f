import JSON
import Records
import Web
import Wire
import Wording

/// An intervention to be given: from the library, or written on the spot. Made only by reading.
package enum InterventionDraft: Sendable {
    case fromLibrary(ID<LibraryIntervention>)
    case written(InterventionKind, LocalizedText)

    /// - Throws: `Problem.invalid`, also when both or neither are there.
    package static func read(_ fields: InputReader, _ language: Language) throws(Problem) -> InterventionDraft
    {
        let library: ID<LibraryIntervention>? = fields.id("intervention_id")
        let kind = fields.choice(
            "kind", from: InterventionKind.allCases.map(\.rawValue), required: library == nil
        ).flatMap(InterventionKind.init(rawValue:))
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
        var view = filled.field("kind", label: "interventions.kind", first: first.rawValue)
        view.isSelect = true
        view.hint = filled.texts["interventions.kind_hint"]
        view.choices = allCases.map { kind in
            .init(
                value: kind.rawValue, label: filled.texts["interventions.kind_\(kind.rawValue)"],
                isChosen: kind.rawValue == view.value)
        }
        return view
    }
}

/// A text of the library as it is written. Made only by reading.
package struct LibraryDraft: Sendable {
    package let kind: InterventionKind
    package let text: LocalizedText
    package let isShared: Bool

    package static let textLimit = 2_000

    /// From the API, where `text` is an object by language; fields and languages that are not sent stay as they are.
    /// - Throws: `Problem.invalid`.
    package static func read(_ fields: InputReader, over existing: LibraryRecord? = nil) throws(Problem)
        -> LibraryDraft
    {
        let sent = fields.localized("text", limit: textLimit, lines: true)
        var texts = existing?.text ?? LocalizedText()
        if let sent, case .object(let members)? = fields.value("text") {
            for member in members { texts[member.key] = sent[member.key] }
        }
        let isShared = fields.bool("shared") ?? existing?.isShared ?? false
        return try make(kind(fields, existing), texts, isShared, "text", fields)
    }

    /// From the portal, where an empty field is a text that goes.
    package static func read(form fields: InputReader, over existing: LibraryRecord? = nil) throws(Problem)
        -> LibraryDraft
    {
        let texts = fields.localizedFields(
            "text", limit: textLimit, lines: true, over: existing?.text ?? LocalizedText())
        return try make(kind(fields, existing), texts, fields.bool("shared") ?? false, "text_de", fields)
    }

    private static func kind(_ fields: InputReader, _ existing: LibraryRecord?) -> InterventionKind? {
        let sent = fields.choice(
            "kind", from: InterventionKind.allCases.map(\.rawValue), required: existing == nil)
        return sent.flatMap(InterventionKind.init(rawValue:)) ?? existing?.kind
    }

    private static func make(
        _ kind: InterventionKind?, _ text: LocalizedText, _ isShared: Bool, _ place: String,
        _ fields: InputReader
    ) throws(Problem) -> LibraryDraft {
        if fields.errors.isEmpty, text.isEmpty {
            fields.refuse(place, "interventions.no_text")
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
