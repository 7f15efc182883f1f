/// Header fields in their order; names are compared without regard to case.
public struct Headers: Sendable, ExpressibleByDictionaryLiteral {
    public private(set) var fields: [(name: String, value: String)] = []

    public init() {}

    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { ($0.0, $0.1) }
    }

    /// The first field of that name.
    public subscript(name: String) -> String? {
        fields.first { Self.matches($0.name, name) }?.value
    }

    public mutating func append(_ name: String, _ value: String) { fields.append((name, value)) }

    /// Replaces all fields of the name by this one.
    public mutating func set(_ name: String, _ value: String) {
        remove(name)
        fields.append((name, value))
    }

    mutating func remove(_ name: String) { fields.removeAll { Self.matches($0.name, name) } }

    private static func matches(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        return zip(left.utf8, right.utf8).allSatisfy { lowercased($0) == lowercased($1) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }
}
