import JSON

/// Everything that is held about a person, by subject.
public struct OwnData: Documented {
    public static let type = "export"
    public let sections: [(name: String, content: any Encodable & Sendable)]

    public init(_ sections: [(name: String, content: any Encodable & Sendable)]) { self.sections = sections }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: JSONKey.self)
        for section in sections { try container.encode(section.content, forKey: JSONKey(section.name)) }
    }

    public static let schema = Schema.map(.either([.record, .list(.record)]))
    public static let example = OwnData([("privacy", Privacy.example)])
}
