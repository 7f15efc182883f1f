/// Everything that is held about a person, by subject.
public struct OwnData: Documented {
    public static let type = "export"
    public let sections: [(name: String, content: any Encodable & Sendable)]

    public init(_ sections: [(name: String, content: any Encodable & Sendable)]) { self.sections = sections }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ text: String) { stringValue = text }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for section in sections { try container.encode(section.content, forKey: Name(section.name)) }
    }

    public static let schema = Schema.map(.either([.record, .list(.record)]))
    public static let example = OwnData([("privacy", Privacy.example)])
}
