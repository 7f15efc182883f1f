import CJansson

/// A JSON value. Numbers are all `Double`, as in JavaScript; ids are text.
public enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([Member])

    public struct Member: Sendable, Equatable {
        public let key: String
        public let value: JSON

        public init(_ key: String, _ value: JSON) {
            self.key = key
            self.value = value
        }
    }

    /// Where and why bytes are no JSON.
    public struct Failure: Error, Sendable {
        public let line: Int
        public let column: Int
        /// The parser's own words, English.
        public let reason: String
        public let isDuplicateKey: Bool
    }

    /// Reads one value with jansson. A repeated key, bytes that are no UTF-8 and text behind the value are refused:
    /// Foundation's decoders accept a repeated key, one taking the first value and one the last.
    /// - Parameter allowsNull: whether texts may hold `\\u0000`, for readers that report where it stands.
    /// - Throws: `JSON.Failure`.
    public static func parse(_ bytes: [UInt8], allowsNull: Bool = false) throws -> JSON {
        var error = json_error_t()
        let null = allowsNull ? JSON_ALLOW_NUL : 0
        let flags = Int(JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL | null)
        let root = bytes.withUnsafeBytes { buffer in
            json_loadb(buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count, flags, &error)
        }
        guard let root else {
            let text = withUnsafeBytes(of: error.text) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            throw Failure(
                line: Int(error.line), column: Int(error.column), reason: text,
                isDuplicateKey: text.hasPrefix("duplicate"))
        }
        defer { json_decref(root) }
        return convert(root)
    }

    private static func convert(_ value: UnsafeMutablePointer<json_t>) -> JSON {
        switch value.pointee.type {
        case JSON_OBJECT: return .object(members(of: value))
        case JSON_ARRAY:
            return .array((0..<json_array_size(value)).compactMap { json_array_get(value, $0).map(convert) })
        case JSON_STRING: return .string(text(of: value))
        case JSON_INTEGER, JSON_REAL: return .number(json_number_value(value))
        case JSON_TRUE: return .bool(true)
        case JSON_FALSE: return .bool(false)
        default: return .null
        }
    }

    private static func members(of object: UnsafeMutablePointer<json_t>) -> [Member] {
        var members: [Member] = []
        members.reserveCapacity(json_object_size(object))
        var iterator = json_object_iter(object)
        while let current = iterator {
            if let key = json_object_iter_key(current), let value = json_object_iter_value(current) {
                members.append(Member(String(cString: key), convert(value)))
            }
            iterator = json_object_iter_next(object, current)
        }
        return members
    }

    private static func text(of value: UnsafeMutablePointer<json_t>) -> String {
        guard let start = json_string_value(value) else { return "" }
        let bytes = UnsafeRawBufferPointer(start: start, count: json_string_length(value))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The value of a key; nil for anything but an object, and without such a key.
    public subscript(key: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    public var string: String? {
        if case .string(let text) = self { return text }
        return nil
    }

    public var number: Double? {
        if case .number(let number) = self { return number }
        return nil
    }

    public var array: [JSON]? {
        if case .array(let values) = self { return values }
        return nil
    }
}

extension JSON: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let members):
            var keyed = encoder.container(keyedBy: JSONKey.self)
            for member in members { try keyed.encode(member.value, forKey: JSONKey(member.key)) }
        }
    }
}

/// A key known only at run time.
public struct JSONKey: CodingKey {
    public let stringValue: String
    public var intValue: Int? { nil }

    public init(_ text: String) { stringValue = text }
    public init?(stringValue: String) { self.stringValue = stringValue }
    public init?(intValue: Int) { nil }
}
