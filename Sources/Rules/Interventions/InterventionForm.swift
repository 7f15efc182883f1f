import Records
import Web
import Wire
import Wording

/// An intervention to be given: from the library, or written on the spot. Made only by reading.
package enum InterventionDraft: Sendable {
    case fromLibrary(ID<LibraryIntervention>)
    case written(InterventionKind, InterventionText)

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
        return .written(kind, InterventionText(text, language))
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

extension InterventionText {
    /// In the one language it was written in.
    package init(_ text: String, _ language: Language) {
        (german, english) = language == .german ? (text, nil) : (nil, text)
    }
}

/// A text of the library as it is written. Made only by reading.
package struct LibraryDraft: Sendable {
    package let kind: InterventionKind
    package let text: InterventionText
    package let isShared: Bool

    package static let textLimit = 2_000

    /// From the API, where `text` is an object with both languages; fields that are not sent stay as they are.
    /// - Throws: `Problem.invalid`.
    package static func read(_ fields: InputReader, over existing: LibraryRecord? = nil) throws(Problem)
        -> LibraryDraft
    {
        let inner = fields.object("text")
        let german = text("de", inner)
        let english = text("en", inner)
        fields.adopt(inner)
        let texts = InterventionText(
            german: inner?.has("de") ?? false ? german : existing?.text.german,
            english: inner?.has("en") ?? false ? english : existing?.text.english)
        let isShared = fields.bool("shared") ?? existing?.isShared ?? false
        return try make(kind(fields, existing), texts, isShared, "text", fields)
    }

    /// From the portal, where an empty field is a text that goes.
    package static func read(form fields: InputReader, over existing: LibraryRecord? = nil) throws(Problem)
        -> LibraryDraft
    {
        let texts = InterventionText(german: text("text_de", fields), english: text("text_en", fields))
        return try make(kind(fields, existing), texts, fields.bool("shared") ?? false, "text_de", fields)
    }

    private static func kind(_ fields: InputReader, _ existing: LibraryRecord?) -> InterventionKind? {
        let sent = fields.choice(
            "kind", from: InterventionKind.allCases.map(\.rawValue), required: existing == nil)
        return sent.flatMap(InterventionKind.init(rawValue:)) ?? existing?.kind
    }

    private static func text(_ name: String, _ fields: InputReader?) -> String? {
        fields?.text(name, limit: textLimit, lines: true)
    }

    private static func make(
        _ kind: InterventionKind?, _ text: InterventionText, _ isShared: Bool, _ place: String,
        _ fields: InputReader
    ) throws(Problem) -> LibraryDraft {
        if fields.errors.isEmpty, text.german == nil, text.english == nil {
            fields.refuse(place, "interventions.no_text")
        }
        try fields.finish()
        guard let kind else { throw .invalid(fields.errors) }
        return LibraryDraft(kind: kind, text: text, isShared: isShared)
    }

    private init(kind: InterventionKind, text: InterventionText, isShared: Bool) {
        self.kind = kind
        self.text = text
        self.isShared = isShared
    }
}
