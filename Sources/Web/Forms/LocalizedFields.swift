import Wire
import Wording

/// The fields of a text in several languages: one for each installed language, side by side.
package struct LocalizedFields: Encodable, Sendable {
    package let fields: [FieldView]

    package init(fields: [FieldView]) { self.fields = fields }

    /// Fields named `title_de`, `title_en` and so on.
    /// - Parameters:
    ///   - label: a sentence with `{language}` in it.
    ///   - end: the end of the names, behind the language.
    package init(
        _ name: String, end: String = "", label: String, first: LocalizedText?, isArea: Bool = false,
        _ filled: FormState, _ services: Services
    ) {
        fields = services.languages.map { language in
            let code = language.rawValue
            let field = "\(name)_\(code)\(end)"
            var view = filled.field(field, label: label, first: first?[code] ?? "")
            view.label = filled.texts[label, ["language": services.name(of: language, for: filled.texts)]]
            filled.name(field, view.label)
            view.isArea = isArea
            view.lang = code
            return view
        }
    }
}

extension Services {
    /// The installed languages to choose from, each by its own name; German by default.
    package func languageField(_ filled: FormState, label: String) -> FieldView {
        filled.list(
            "language", label: label, first: Language.german.rawValue,
            languages.map { ($0.rawValue, texts($0)["frame.language"]) })
    }
}
