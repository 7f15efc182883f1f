/// Facts by name, in their order: for the parts of the copy of own data that no call answers with.
public struct Facts: Encodable, Sendable, ExpressibleByDictionaryLiteral {
    private let members: [(name: String, content: any Encodable & Sendable)]

    public init(dictionaryLiteral members: (String, any Encodable & Sendable)...) {
        self.members = members.map { (name: $0.0, content: $0.1) }
    }

    public func encode(to encoder: any Encoder) throws { try OwnData(members).encode(to: encoder) }
}
