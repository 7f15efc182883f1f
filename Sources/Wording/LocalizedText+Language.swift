import JSON
import Wire

extension LocalizedText {
    /// In somebody's languages, the best first; nil where there is no text at all.
    package func text(in languages: [Language]) -> String? { text(in: languages.map(\.rawValue)) }

    package func text(in language: Language) -> String? { text(in: [language.rawValue]) }

    /// A text in one language.
    package init(_ text: String, in language: Language) {
        self.init(translations: [(language.rawValue, text)])
    }

    /// From a JSON object of texts by language; what is no text is left out.
    package init(json: JSON?) {
        guard case .object(let members)? = json else {
            self.init()
            return
        }
        self.init(translations: members.compactMap { member in member.value.string.map { (member.key, $0) } })
    }
}
