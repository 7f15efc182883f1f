/// Text that people wrote, as an element's content: where it is not in the page's language, it names its own (WCAG 3.1.2).
/// In an attribute or a page's title it has no place.
public struct WrittenText: Encodable, Drawable, Equatable {
    /// Without what follows.
    public let text: String
    /// Nil for the page's.
    public let language: String?
    /// What follows in the page's language.
    public let rest: String

    public init(_ text: String, language: String? = nil, rest: String = "") {
        self.text = text
        self.language = language
        self.rest = rest
    }

    /// All of it, without its language.
    public var plain: String { text + rest }

    /// The same with more behind it, in the page's language.
    public func followed(by more: String) -> WrittenText {
        WrittenText(text, language: language, rest: rest + more)
    }

    public var drawn: Value { language.map { .html(marked($0)) } ?? .text(plain) }

    public func encode(to encoder: any Encoder) throws {
        if let encoder = encoder as? ValueEncoder {
            encoder.value = drawn
        } else {
            var container = encoder.singleValueContainer()
            try container.encode(plain)
        }
    }

    private func marked(_ language: String) -> [UInt8] {
        let open = "<span lang=\"\(Markup.escaped(language))\" dir=\"auto\">"
        return Array("\(open)\(Markup.escaped(text))</span>\(Markup.escaped(rest))".utf8)
    }
}
