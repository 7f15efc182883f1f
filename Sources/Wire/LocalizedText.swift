/// A text in any number of languages (SN-5): what it says in each, by the language's code (`de`, `en`, `it`).
///
/// Who reads it in several languages is given the first of theirs that there is, then English, then German, then whichever
/// was written first: `text(in:)`. As JSON it is an object. German and English always have a member there, null where the
/// text is missing; every other language has one only where there is a text.
public struct LocalizedText: Sendable {
    /// What a text is looked for in where none of the reader's own languages has it, in this order.
    public static let fallbacks = ["en", "de"]

    /// The text in each language, in the order in which they were written.
    public private(set) var translations: [(language: String, text: String)]

    /// Of these texts, in this order; without any it is empty.
    public init(translations: [(language: String, text: String)] = []) { self.translations = translations }

    /// Whether this can be the code of a language: the primary tag of BCP 47, two or three small letters.
    public static func isCode(_ text: String) -> Bool {
        (2...3).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") }
    }

    /// The text in exactly this language.
    public subscript(language: String) -> String? {
        get { translations.first { $0.language == language }?.text }
        set {
            let place = translations.firstIndex { $0.language == language }
            switch (place, newValue) {
            case (let place?, let text?): translations[place].text = text
            case (let place?, nil): translations.remove(at: place)
            case (nil, let text?): translations.append((language, text))
            case (nil, nil): break
            }
        }
    }

    /// The codes of the languages there are, in the order of the texts.
    public var languages: [String] { translations.map(\.language) }

    /// Whether there is no text in any language.
    public var isEmpty: Bool { translations.isEmpty }

    /// The text for somebody who reads these languages, the best first; nil only where there is no text at all.
    public func text(in languages: [String]) -> String? {
        for language in languages + Self.fallbacks { if let text = self[language] { return text } }
        return translations.first?.text
    }
}

extension LocalizedText: Equatable {
    /// Whether both say the same; the order of the languages says nothing.
    public static func == (left: LocalizedText, right: LocalizedText) -> Bool {
        left.translations.count == right.translations.count
            && left.translations.allSatisfy { right[$0.language] == $0.text }
    }
}

extension LocalizedText: ExpressibleByDictionaryLiteral {
    /// `["de": "Schlaf", "en": "Sleep"]`; nil is left out.
    public init(dictionaryLiteral elements: (String, String?)...) {
        self.init(translations: elements.compactMap { code, text in text.map { (code, $0) } })
    }
}

extension LocalizedText: Codable {
    private struct Code: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Code.self)
        // Decoders hand out keys in no order; these are in that of their codes.
        let codes = container.allKeys.sorted { $0.stringValue < $1.stringValue }
        self.init(
            translations: try codes.compactMap { code in
                try container.decodeIfPresent(String.self, forKey: code).map { (code.stringValue, $0) }
            })
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Code.self)
        for code in ["de", "en"] {
            try container.encodeIfPresent(self[code], forKey: Code(stringValue: code))
        }
        for (code, text) in translations.sorted(by: { $0.language < $1.language })
        where code != "de" && code != "en" {
            try container.encode(text, forKey: Code(stringValue: code))
        }
    }

    /// Any of the languages may be missing.
    public static let schema = Schema.open(
        [Schema.optional("de", .string.orNull), Schema.optional("en", .string.orNull)], .string.orNull)
    /// German and English are always there.
    public static let completeSchema = Schema.open(
        [Schema.property("de", .string), Schema.property("en", .string)], .string)
}
