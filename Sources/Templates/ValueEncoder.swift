/// Turns a page (any `Encodable`) into the `Value` for its template.
///
/// Optionals without a value become `null` and stay known by name, so a template may ask for them; names that the
/// page does not have at all are an error of the template.
public final class ValueEncoder: Encoder {
    public var codingPath: [any CodingKey] { [] }
    public var userInfo: [CodingUserInfoKey: Any] { [:] }
    var value: Value = .null
    fileprivate var names: [String] = []
    fileprivate var values: [Value] = []
    fileprivate var list: [Value] = []
    private enum Shape { case single, record, list }
    private var shape = Shape.single

    private init() {}

    public static func encode(_ page: some Encodable) throws -> Value {
        let encoder = ValueEncoder()
        try page.encode(to: encoder)
        return encoder.result
    }

    fileprivate static func nested<T: Encodable>(_ value: T) throws -> Value { try encode(value) }

    private var result: Value {
        switch shape {
        case .single: value
        case .record: .record(Record(names: names, values: values))
        case .list: .list(list)
        }
    }

    public func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        shape = .record
        names.reserveCapacity(12)
        values.reserveCapacity(12)
        return KeyedEncodingContainer(Keyed<Key>(encoder: self))
    }

    public func unkeyedContainer() -> any UnkeyedEncodingContainer {
        shape = .list
        return Unkeyed(encoder: self)
    }

    public func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }

    private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: ValueEncoder
        var codingPath: [any CodingKey] { [] }

        private func put(_ value: Value, _ key: Key) {
            encoder.names.append(key.stringValue)
            encoder.values.append(value)
        }

        func encodeNil(forKey key: Key) { put(.null, key) }
        func encode(_ value: Bool, forKey key: Key) { put(.bool(value), key) }
        func encode(_ value: String, forKey key: Key) { put(.text(value), key) }
        func encode(_ value: Int, forKey key: Key) { put(.text(String(value)), key) }
        func encode(_ value: Double, forKey key: Key) { put(.text("\(value)"), key) }
        func encode<T: Encodable>(_ value: T, forKey key: Key) throws { put(try nested(value), key) }

        func encodeIfPresent(_ value: String?, forKey key: Key) { put(value.map { .text($0) } ?? .null, key) }
        func encodeIfPresent(_ value: Int?, forKey key: Key) {
            put(value.map { .text(String($0)) } ?? .null, key)
        }
        func encodeIfPresent(_ value: Bool?, forKey key: Key) { put(value.map { .bool($0) } ?? .null, key) }
        func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
            put(try value.map { try nested($0) } ?? .null, key)
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy: Nested.Type, forKey: Key
        ) -> KeyedEncodingContainer<Nested> { preconditionFailure("pages are plain structs") }
        func nestedUnkeyedContainer(forKey: Key) -> any UnkeyedEncodingContainer {
            preconditionFailure("pages are plain structs")
        }
        func superEncoder() -> any Encoder { preconditionFailure("pages are plain structs") }
        func superEncoder(forKey: Key) -> any Encoder { preconditionFailure("pages are plain structs") }
    }

    private struct Unkeyed: UnkeyedEncodingContainer {
        let encoder: ValueEncoder
        var codingPath: [any CodingKey] { [] }
        var count: Int { encoder.list.count }

        func encodeNil() { encoder.list.append(.null) }
        func encode<T: Encodable>(_ value: T) throws { encoder.list.append(try nested(value)) }

        func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type) -> KeyedEncodingContainer<Nested> {
            preconditionFailure("pages are plain structs")
        }
        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
            preconditionFailure("pages are plain structs")
        }
        func superEncoder() -> any Encoder { preconditionFailure("pages are plain structs") }
    }

    private struct Single: SingleValueEncodingContainer {
        let encoder: ValueEncoder
        var codingPath: [any CodingKey] { [] }

        func encodeNil() { encoder.value = .null }
        func encode(_ value: Bool) { encoder.value = .bool(value) }
        func encode(_ value: String) { encoder.value = .text(value) }
        func encode(_ value: Int) { encoder.value = .text(String(value)) }
        func encode(_ value: Double) { encoder.value = .text("\(value)") }
        func encode<T: Encodable>(_ value: T) throws { encoder.value = try nested(value) }
    }
}
