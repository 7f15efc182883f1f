/// A value that a template can show: made from a page by `ValueEncoder`.
public enum Value: Sendable {
    case null
    case bool(Bool)
    case text(String)
    /// Written without escaping.
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

/// Named values. Small records are searched linearly, which is faster than hashing; large ones by an index. A class,
/// because a record is read far more often than created, and each read would copy it.
public final class Record: Sendable {
    private let names: [String]
    private let values: [Value]
    private let index: [String: Int]?
    private static let smallest = 24

    /// For many records of one shape, which share the names.
    public init(names: [String], values: [Value]) {
        self.names = names
        self.values = values
        let positions = names.count > Self.smallest ? names.enumerated().map { ($0.element, $0.offset) } : []
        index = positions.isEmpty ? nil : Dictionary(positions, uniquingKeysWith: { first, _ in first })
    }

    public convenience init(_ pairs: [(String, Value)]) {
        self.init(names: pairs.map(\.0), values: pairs.map(\.1))
    }

    public subscript(name: String) -> Value? {
        if let index { return index[name].map { values[$0] } }
        // Lengths usually differ, and comparing them is cheaper than comparing texts.
        let length = name.utf8.count
        for position in names.indices where names[position].utf8.count == length && names[position] == name {
            return values[position]
        }
        return nil
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

/// For rows that come by the hundred: without the encoder a long page takes a quarter less time.
public protocol Drawable: Sendable {
    var drawn: Value { get }
}

/// A list of such rows in a page.
public struct Drawn<Row: Drawable>: Encodable, Sendable {
    public let rows: [Row]

    public init(_ rows: [Row]) { self.rows = rows }

    public var isEmpty: Bool { rows.isEmpty }

    public func encode(to encoder: any Encoder) throws {
        guard let encoder = encoder as? ValueEncoder else {
            throw EncodingError.invalidValue(self, .init(codingPath: [], debugDescription: "templates only"))
        }
        encoder.value = .list(rows.map(\.drawn))
    }
}

extension Value {
    /// Text, or null where there is none.
    public static func text(_ text: String?) -> Value { text.map { .text($0) } ?? .null }
}
