import JSON
import Wire

extension LocalizedText {
    /// In a reader's languages, the best first; nil without any text.
    package func text(in languages: [Language]) -> String? { text(in: languages.map(\.rawValue)) }

    package func text(in language: Language) -> String? { text(in: [language.rawValue]) }

    /// A text in one language.
    package init(_ text: String, in language: Language) {
        self.init(translations: [(language.rawValue, text)])
    }

    /// From a JSON object of texts by language; other values are left out.
    package init(json: JSON?) {
        guard case .object(let members)? = json else {
            self.init()
            return
        }
        self.init(translations: members.compactMap { member in member.value.string.map { (member.key, $0) } })
    }
}
