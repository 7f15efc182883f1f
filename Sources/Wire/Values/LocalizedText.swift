import JSON

/// A text in any number of languages (SN-5): what it says in each, by the language's code (`de`, `en`, `it`).
///
/// A reader of several languages gets the first of theirs that exists, then English, then German, then the first one
/// written: `text(in:)`. As JSON it is an object. German and English always have a member, null without a text; every
/// other language has one only with a text.
public struct LocalizedText: Sendable {
    /// The languages to fall back to when none of the reader's exists, in this order.
    public static let fallbacks = ["en", "de"]

    /// The text in each language, in the order in which they were written.
    public private(set) var translations: [(language: String, text: String)]

    /// From these texts, in this order; empty without any.
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

    /// The codes of the languages, in the order of the texts.
    public var languages: [String] { translations.map(\.language) }

    /// Whether there is no text in any language.
    public var isEmpty: Bool { translations.isEmpty }

    /// The text for a reader of these languages, the best first; nil only without any text.
    public func text(in languages: [String]) -> String? {
        for language in languages + Self.fallbacks { if let text = self[language] { return text } }
        return translations.first?.text
    }
}

extension LocalizedText: Equatable {
    /// Whether both have the same texts, in any order.
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

extension LocalizedText: Codable, Shaped {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: JSONKey.self)
        // Decoders hand out keys in no order; these are in that of their codes.
        let codes = container.allKeys.sorted { $0.stringValue < $1.stringValue }
        self.init(
            translations: try codes.compactMap { code in
                try container.decodeIfPresent(String.self, forKey: code).map { (code.stringValue, $0) }
            })
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: JSONKey.self)
        for code in ["de", "en"] {
            try container.encodeIfPresent(self[code], forKey: JSONKey(code))
        }
        for (code, text) in translations.sorted(by: { $0.language < $1.language })
        where code != "de" && code != "en" {
            try container.encode(text, forKey: JSONKey(code))
        }
    }

    /// Any of the languages may be missing.
    public static let schema = Schema.open(
        [Schema.optional("de", .string.orNull), Schema.optional("en", .string.orNull)], .string.orNull)
    public static let example: LocalizedText = ["de": "Schlaf", "en": "Sleep"]
    /// German and English are always there.
    public static let completeSchema = Schema.open(
        [Schema.property("de", .string), Schema.property("en", .string)], .string)
}
