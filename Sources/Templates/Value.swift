/// What a template can show: made from a page by `ValueEncoder`.
public enum Value: Sendable {
    case null
    case bool(Bool)
    case text(String)
    /// Written as it is, without escaping.
    case html([UInt8])
    case list([Value])
    case record(Record)

    /// Whether a section over this value is shown.
    var isTrue: Bool {
        switch self {
        case .null: false
        case .bool(let value): value
        case .text(let text): !text.isEmpty
        case .html(let bytes): !bytes.isEmpty
        case .list(let values): !values.isEmpty
        case .record: true
        }
    }
}

/// Named values. Small ones are searched one by one, which is faster than hashing; large ones by an index.
public struct Record: Sendable {
    private var names: [String] = []
    private var values: [Value] = []
    private var index: [String: Int]?

    public init() {}

    public init(_ pairs: [(String, Value)]) {
        names = pairs.map(\.0)
        values = pairs.map(\.1)
        if pairs.count > 12 {
            let positions = names.enumerated().map { ($0.element, $0.offset) }
            index = Dictionary(positions, uniquingKeysWith: { first, _ in first })
        }
    }

    public mutating func append(_ name: String, _ value: Value) {
        index = nil
        names.append(name)
        values.append(value)
    }

    public subscript(name: String) -> Value? {
        if let index { return index[name].map { values[$0] } }
        return names.firstIndex(of: name).map { values[$0] }
    }
}

/// Markup that is trusted because this program drew it; everything else is escaped.
public struct HTML: Encodable, Sendable {
    let bytes: [UInt8]

    public init(trusted: String) { bytes = Array(trusted.utf8) }

    public func encode(to encoder: any Encoder) throws {
        guard let encoder = encoder as? ValueEncoder else {
            throw EncodingError.invalidValue(self, .init(codingPath: [], debugDescription: "templates only"))
        }
        encoder.value = .html(bytes)
    }
}
