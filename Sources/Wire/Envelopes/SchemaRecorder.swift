import JSON

/// A type that says its own shape and has a value of it, where decoding it would not tell.
public protocol Shaped {
    static var schema: Schema { get }
    static var example: Self { get }
}

/// A type with members of which their types do not say all.
public protocol Narrowed {
    /// What such members are, by their names in Swift.
    static var narrowed: [String: Schema] { get }
}

/// Learns the shape of a type by decoding it: writes down what is asked for, and gives anything that fits. Members are there
/// always, and null where they are optional. A text is an id, an address or a language where it is called so.
final class SchemaRecorder: Decoder {
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private let narrowed: [String: Schema]
    private var properties: [Schema.Property] = []
    private var single: Schema?
    private var isNullable = false
    private var isNextOptional = false

    private init(narrowed: [String: Schema]) { self.narrowed = narrowed }

    /// The shape of what a type decodes, without asking the type itself. What cannot be learnt is any object.
    static func schema<T: Decodable>(of type: T.Type) -> Schema { (try? decode(type).schema) ?? .record }

    private var schema: Schema {
        let schema = single ?? .object(properties)
        return isNullable ? schema.orNull : schema
    }

    private static func decode<T: Decodable>(_ type: T.Type) throws -> (schema: Schema, value: T) {
        let recorder = SchemaRecorder(narrowed: (type as? any Narrowed.Type)?.narrowed ?? [:])
        let value = try T(from: recorder)
        return (recorder.schema, value)
    }

    fileprivate static func record<T: Decodable>(_ type: T.Type) throws -> (schema: Schema, value: T) {
        let known: (schema: Schema, value: Any)? =
            switch type {
            case let type as any Shaped.Type: (type.schema, type.example)
            case let type as any CaseIterable.Type: choice(type)
            case is Bool.Type: (.boolean, false)
            case is String.Type: (.string, "")
            case let type as any BinaryInteger.Type: (.integer, type.init(0))
            case let type as any BinaryFloatingPoint.Type: (.number, type.init(0))
            default: nil
            }
        if let known, let value = known.value as? T { return (known.schema, value) }
        return try decode(type)
    }

    /// Of an enumeration of words.
    private static func choice<T: CaseIterable>(_ type: T.Type) -> (schema: Schema, value: Any)? {
        let words = type.allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue as? String }
        return type.allCases.first.map { (.choice(words), $0) }
    }

    // MARK: Members

    fileprivate func member<T: Decodable>(_ key: any CodingKey, _ type: T.Type) throws -> T {
        let (schema, value) = try Self.record(type)
        let name = key.stringValue
        let told = isNextOptional ? schema.called(name).orNull : schema.called(name)
        isNextOptional = false
        properties.append(Schema.property(SnakeCase.name(name), narrowed[name] ?? told))
        return value
    }

    // MARK: Containers

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Keyed<Key>(recorder: self))
    }
    func unkeyedContainer() -> any UnkeyedDecodingContainer { Unkeyed(recorder: self) }
    func singleValueContainer() -> any SingleValueDecodingContainer { Single(recorder: self) }

    private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let recorder: SchemaRecorder
        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] { [] }

        func contains(_ key: Key) -> Bool { true }
        /// Asked before the value of a member that may be null.
        func decodeNil(forKey key: Key) -> Bool {
            recorder.isNextOptional = true
            return false
        }
        func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
            try recorder.member(key, type)
        }
        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> { throw SchemaRecorder.unknown }
        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            throw SchemaRecorder.unknown
        }
        func superDecoder() throws -> any Decoder { throw SchemaRecorder.unknown }
        func superDecoder(forKey key: Key) throws -> any Decoder { throw SchemaRecorder.unknown }
    }

    /// A list of one.
    private struct Unkeyed: UnkeyedDecodingContainer {
        let recorder: SchemaRecorder
        var codingPath: [any CodingKey] { [] }
        let count: Int? = 1
        var currentIndex = 0
        var isAtEnd: Bool { currentIndex == 1 }

        func decodeNil() -> Bool { false }
        mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
            let (schema, value) = try SchemaRecorder.record(type)
            recorder.single = .list(schema)
            currentIndex = 1
            return value
        }
        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type
        ) throws -> KeyedDecodingContainer<Nested> { throw SchemaRecorder.unknown }
        func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw SchemaRecorder.unknown }
        func superDecoder() throws -> any Decoder { throw SchemaRecorder.unknown }
    }

    private struct Single: SingleValueDecodingContainer {
        let recorder: SchemaRecorder
        var codingPath: [any CodingKey] { [] }

        func decodeNil() -> Bool {
            recorder.isNullable = true
            return false
        }
        func decode<T: Decodable>(_ type: T.Type) throws -> T {
            let (schema, value) = try SchemaRecorder.record(type)
            recorder.single = schema
            return value
        }
    }

    private static let unknown = DecodingError.dataCorrupted(
        .init(codingPath: [], debugDescription: "a type that reads in another way states its schema itself"))
}

extension Schema {
    /// The shape of a type.
    public static func of<T: Decodable>(_ type: T.Type) -> Schema {
        (try? SchemaRecorder.record(type).schema) ?? .record
    }

    /// The same of a member with this name: an id, an address or a language where it is a text and called so.
    fileprivate func called(_ name: String) -> Schema {
        switch self {
        case .nullable(let inner): .nullable(inner.called(name))
        case .list(let inner): .list(inner.called(name))
        case .string where name == "email": .formatted("email")
        case .string where name == "language": .language
        case .string where name == "id" || name.hasSuffix("ID") || name.hasSuffix("IDs"): .id
        default: self
        }
    }
}
