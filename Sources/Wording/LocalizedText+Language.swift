import JSON
import Templates
import Wire

extension LocalizedText {
    /// In a reader's languages, the best first; nil without any text.
    package func text(in languages: [Language]) -> String? { text(in: languages.map(\.rawValue)) }

    package func text(in language: Language) -> String? { text(in: [language.rawValue]) }

    /// The text on a page for a reader of these languages, the best first; it names its language where that is not the page's.
    package func written(in readers: [Language], on page: Language) -> WrittenText? {
        guard let text = text(in: readers) else { return nil }
        if self[page.rawValue] == text { return WrittenText(text) }
        return WrittenText(text, language: languages.first { self[$0] == text })
    }

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
