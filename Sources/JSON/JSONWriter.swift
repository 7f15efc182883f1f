/// Writes any `Encodable` as JSON, straight into bytes.
///
/// Unlike Foundation's encoder it writes optionals without a value as `null` instead of leaving the key out
/// (the API promises that attributes are always all there), names properties in `SnakeCase`, keeps the order of keys, and
/// is several times as fast on long lists.
public final class JSONWriter: Encoder {
    public var codingPath: [any CodingKey] { [] }
    public var userInfo: [CodingUserInfoKey: Any] { [:] }
    fileprivate let output: Output
    private var closing: UInt8?
    fileprivate var isFirst = true

    fileprivate final class Output {
        var bytes: [UInt8] = []
        let keepsNames: Bool

        init(keepsNames: Bool) { self.keepsNames = keepsNames }
    }

    private init(_ output: Output) { self.output = output }

    /// - Parameter keepsNames: whether properties are named as in Swift, which is how scripts of pages name theirs.
    public static func bytes(of value: some Encodable, keepsNames: Bool = false) throws -> [UInt8] {
        let output = Output(keepsNames: keepsNames)
        output.bytes.reserveCapacity(16 * 1024)
        try write(value, to: output)
        return output.bytes
    }

    fileprivate static func write<T: Encodable>(_ value: T, to output: Output) throws {
        let encoder = JSONWriter(output)
        try value.encode(to: encoder)
        if let closing = encoder.closing { output.bytes.append(closing) }
    }

    public func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        open(UInt8(ascii: "{"), UInt8(ascii: "}"))
        let isSnakeCase = SnakeCase.holds(for: Key.self) && !output.keepsNames
        return KeyedEncodingContainer(Keyed<Key>(encoder: self, isSnakeCase: isSnakeCase))
    }

    public func unkeyedContainer() -> any UnkeyedEncodingContainer {
        open(UInt8(ascii: "["), UInt8(ascii: "]"))
        return Unkeyed(encoder: self)
    }

    public func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }

    private func open(_ opening: UInt8, _ closing: UInt8) {
        // Asked twice for a container (an empty object asks once, JSON.object after a single one): open once.
        if self.closing == nil { output.bytes.append(opening) }
        self.closing = closing
    }

    fileprivate func separate() {
        if isFirst { isFirst = false } else { output.bytes.append(UInt8(ascii: ",")) }
    }

    fileprivate func raw(_ bytes: [UInt8]) { output.bytes += bytes }

    // MARK: Containers

    private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: JSONWriter
        let isSnakeCase: Bool
        var codingPath: [any CodingKey] { [] }

        private func name(_ key: Key) -> Output {
            encoder.separate()
            if isSnakeCase {
                encoder.output.property(key.stringValue)
            } else {
                encoder.output.string(key.stringValue)
            }
            encoder.output.bytes.append(UInt8(ascii: ":"))
            return encoder.output
        }

        func encodeNil(forKey key: Key) { name(key).null() }
        func encode(_ value: Bool, forKey key: Key) { name(key).bool(value) }
        func encode(_ value: String, forKey key: Key) { name(key).string(value) }
        func encode(_ value: Int, forKey key: Key) { name(key).integer(value) }
        func encode(_ value: Double, forKey key: Key) { name(key).number(value) }
        func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try write(value, to: name(key)) }

        func encodeIfPresent(_ value: Bool?, forKey key: Key) {
            if let value { name(key).bool(value) } else { name(key).null() }
        }
        func encodeIfPresent(_ value: String?, forKey key: Key) {
            if let value { name(key).string(value) } else { name(key).null() }
        }
        func encodeIfPresent(_ value: Int?, forKey key: Key) {
            if let value { name(key).integer(value) } else { name(key).null() }
        }
        func encodeIfPresent(_ value: Double?, forKey key: Key) {
            if let value { name(key).number(value) } else { name(key).null() }
        }
        func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
            if let value { try write(value, to: name(key)) } else { name(key).null() }
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy: Nested.Type, forKey: Key
        ) -> KeyedEncodingContainer<Nested> { preconditionFailure("wire types are plain structs") }
        func nestedUnkeyedContainer(forKey: Key) -> any UnkeyedEncodingContainer {
            preconditionFailure("wire types are plain structs")
        }
        func superEncoder() -> any Encoder { preconditionFailure("wire types are plain structs") }
        func superEncoder(forKey: Key) -> any Encoder { preconditionFailure("wire types are plain structs") }
    }

    private struct Unkeyed: UnkeyedEncodingContainer {
        let encoder: JSONWriter
        var codingPath: [any CodingKey] { [] }
        var count: Int { 0 }

        private func next() -> Output {
            encoder.separate()
            return encoder.output
        }

        func encodeNil() { next().null() }
        func encode(_ value: String) { next().string(value) }
        func encode(_ value: Double) { next().number(value) }
        func encode<T: Encodable>(_ value: T) throws { try write(value, to: next()) }

        func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type) -> KeyedEncodingContainer<Nested> {
            preconditionFailure("wire types are plain structs")
        }
        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
            preconditionFailure("wire types are plain structs")
        }
        func superEncoder() -> any Encoder { preconditionFailure("wire types are plain structs") }
    }

    private struct Single: SingleValueEncodingContainer {
        let encoder: JSONWriter
        var codingPath: [any CodingKey] { [] }

        func encodeNil() { encoder.output.null() }
        func encode(_ value: Bool) { encoder.output.bool(value) }
        func encode(_ value: String) { encoder.output.string(value) }
        func encode(_ value: Int) { encoder.output.integer(value) }
        // Without one of its own it would ask the general one below for ever.
        func encode(_ value: Int64) { encoder.output.integer(Int(value)) }
        func encode(_ value: Double) { encoder.output.number(value) }
        func encode<T: Encodable>(_ value: T) throws { try write(value, to: encoder.output) }
    }
}

/// JSON that this program wrote and stored earlier; written again unchanged.
public struct StoredJSON: Encodable, Sendable, Equatable {
    public let bytes: [UInt8]

    /// - Parameter bytes: output of `JSONWriter`, never text from outside.
    public init(written bytes: [UInt8]) { self.bytes = bytes }

    public func encode(to encoder: any Encoder) throws {
        guard let writer = encoder as? JSONWriter else { return try JSON.parse(bytes).encode(to: encoder) }
        writer.raw(bytes)
    }
}

extension JSONWriter.Output {
    fileprivate func null() { bytes.append(contentsOf: "null".utf8) }
    fileprivate func bool(_ value: Bool) { bytes.append(contentsOf: (value ? "true" : "false").utf8) }
    fileprivate func integer(_ value: Int) { bytes.append(contentsOf: String(value).utf8) }

    fileprivate func number(_ value: Double) {
        if value.rounded() == value && abs(value) < 9e15 {
            integer(Int(value))
        } else if value.isFinite {
            bytes.append(contentsOf: "\(value)".utf8)
        } else {
            null()
        }
    }

    fileprivate func property(_ name: String) {
        bytes.append(UInt8(ascii: "\""))
        SnakeCase.append(name, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    fileprivate func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { buffer in
            var start = 0
            for index in buffer.indices {
                let byte = buffer[index]
                guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
                    continue
                }
                bytes.append(contentsOf: buffer[start..<index])
                bytes.append(contentsOf: Self.escape(byte).utf8)
                start = index + 1
            }
            bytes.append(contentsOf: buffer[start...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func escape(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "\""): "\\\""
        case UInt8(ascii: "\\"): "\\\\"
        case UInt8(ascii: "\n"): "\\n"
        case UInt8(ascii: "\t"): "\\t"
        case UInt8(ascii: "\r"): "\\r"
        default: "\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
    }
}
