import Wire
import Wording

extension InputReader {
    /// One of the languages that are installed.
    package func language(_ name: String, among installed: [Language]) -> Language? {
        choice(name, from: installed.map(\.rawValue)).flatMap(Language.init(rawValue:))
    }

    /// A text in any number of languages from a call: `{"de": "…", "it": "…"}`, nil or empty where there is none. A
    /// key that is no language code is refused as any other unknown field.
    /// - Parameter required: languages that must be present.
    /// - Returns: nil when nothing or null was sent.
    package func localized(
        _ name: String, limit: Int, lines: Bool, required: [Language] = []
    ) -> LocalizedText? {
        guard let inner = object(name) else { return nil }
        defer { adopt(inner) }
        let needed = required.map(\.rawValue)
        let others = inner.names.filter { LocalizedText.isCode($0) && !needed.contains($0) }
        var text = LocalizedText()
        for code in needed { text[code] = inner.text(code, required: true, limit: limit, lines: lines) }
        for code in others { text[code] = inner.text(code, limit: limit, lines: lines) }
        return text
    }

    /// The same from a form or a call: what a call leaves out stays as it is.
    package func localized(
        _ name: String, limit: Int, lines: Bool, required: [Language] = [], over existing: LocalizedText
    ) -> LocalizedText {
        if isForm {
            return localizedFields(name, limit: limit, lines: lines, required: required, over: existing)
        }
        guard has(name) else { return existing }
        return localized(name, limit: limit, lines: lines, required: required) ?? LocalizedText()
    }

    /// What one language of a text is called: `title_de` in a form, `title.de` in a call.
    package func place(_ name: String, _ code: String) -> String { name + (isForm ? "_" : ".") + code }

    /// A text in any number of languages from a form, in one field for each: `title_de`, `title_it`. An empty field is a text
    /// that goes; a language that has no field in the form keeps its text, but for German and English, which every form has.
    /// - Parameter end: what the names of the fields end with, behind the language.
    package func localizedFields(
        _ name: String, end: String = "", limit: Int, lines: Bool, required: [Language] = [],
        over existing: LocalizedText = LocalizedText()
    ) -> LocalizedText {
        let codes = names.compactMap { field -> String? in
            guard field.hasPrefix(name + "_"), field.hasSuffix(end) else { return nil }
            let code = String(field.dropFirst(name.count + 1).dropLast(end.count))
            return LocalizedText.isCode(code) ? code : nil
        }
        var text = existing
        for language in ([.german, .english] + codes.compactMap(Language.init(rawValue:))).withoutRepetition()
        {
            text[language.rawValue] = self.text(
                "\(name)_\(language.rawValue)\(end)", required: required.contains(language), limit: limit,
                lines: lines)
        }
        return text
    }
}
