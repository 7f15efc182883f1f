import HTTP
import Wire
import Wording

/// The fields of a text that is written in several languages: one for each installed language, side by side.
package struct LocalizedFields: Encodable, Sendable {
    package let fields: [FieldView]

    /// Of fields that were made already.
    package init(fields: [FieldView]) { self.fields = fields }

    /// For the examples of pages.
    package static let example = LocalizedFields(fields: [
        FieldView(name: "title.de", label: "Titel (Deutsch)", lang: "de"),
        FieldView(name: "title.en", label: "Titel (Englisch)", lang: "en"),
    ])

    /// Fields named `title_de`, `title_en` and so on.
    /// - Parameters:
    ///   - label: a sentence with `{language}` in it.
    ///   - end: what the names end with, behind the language.
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
    /// The installed languages to choose from, each by its own name; German until another is chosen.
    package func languageField(_ filled: FormState, label: String) -> FieldView {
        var view = filled.field("language", label: label, first: Language.german.rawValue)
        view.isSelect = true
        view.choices = languages.map { language in
            FieldView.Choice(
                value: language.rawValue, label: texts(language)["frame.language"],
                isChosen: language.rawValue == view.value)
        }
        return view
    }
}
