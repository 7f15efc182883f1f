/// Reads a `Decodable` from JSON as `JSONWriter` writes it: a property `studyID` is looked for under `study_id`.
public struct JSONReader: Decoder {
    public let codingPath: [any CodingKey]
    public var userInfo: [CodingUserInfoKey: Any] { [:] }
    fileprivate let json: JSON

    private init(_ json: JSON, at path: [any CodingKey]) {
        self.json = json
        codingPath = path
    }

    /// - Throws: `JSON.Failure` for what is no JSON, `DecodingError` for another shape.
    public static func value<Value: Decodable>(
        _ type: Value.Type = Value.self, from bytes: some Sequence<UInt8>
    ) throws -> Value {
        try JSONReader(try JSON.parse(Array(bytes), allowsNull: true), at: []).decode(type)
    }

    public func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = json else { throw mismatch([String: JSON].self) }
        return KeyedDecodingContainer(Keyed<Key>(reader: self, members: members))
    }

    public func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let values) = json else { throw mismatch([JSON].self) }
        return Unkeyed(reader: self, values: values)
    }

    public func singleValueContainer() -> any SingleValueDecodingContainer { self }

    private func mismatch(_ type: Any.Type) -> DecodingError {
        .typeMismatch(type, .init(codingPath: codingPath, debugDescription: "another kind of value"))
    }

    private func below(_ key: any CodingKey, _ json: JSON) -> JSONReader {
        JSONReader(json, at: codingPath + [key])
    }

    // MARK: Containers

    private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let reader: JSONReader
        let members: [JSON.Member]
        let values: [String: JSON]
        var codingPath: [any CodingKey] { reader.codingPath }
        /// Of a map, in their order; the properties of a type are not asked for.
        var allKeys: [Key] { members.compactMap { Key(stringValue: $0.key) } }

        init(reader: JSONReader, members: [JSON.Member]) {
            self.reader = reader
            self.members = members
            values = Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
        }

        private func find(_ key: Key) -> JSON? { values[SnakeCase.name(of: key)] }

        private func value(_ key: Key) throws -> JSONReader {
            guard let value = find(key) else {
                throw DecodingError.keyNotFound(
                    key, .init(codingPath: codingPath, debugDescription: "missing"))
            }
            return reader.below(key, value)
        }

        func contains(_ key: Key) -> Bool { find(key) != nil }
        func decodeNil(forKey key: Key) throws -> Bool { try value(key).decodeNil() }
        func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
            try value(key).decode(type)
        }
        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> { try value(key).container(keyedBy: type) }
        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try value(key).unkeyedContainer()
        }
        func superDecoder() -> any Decoder { reader }
        func superDecoder(forKey key: Key) throws -> any Decoder { try value(key) }
    }

    private struct Unkeyed: UnkeyedDecodingContainer {
        let reader: JSONReader
        let values: [JSON]
        var currentIndex = 0
        var codingPath: [any CodingKey] { reader.codingPath }
        var count: Int? { values.count }
        var isAtEnd: Bool { currentIndex == values.count }

        private mutating func next() throws -> JSONReader {
            let key = JSONKey(String(currentIndex))
            guard !isAtEnd else {
                let context = DecodingError.Context(
                    codingPath: codingPath + [key], debugDescription: "the end")
                throw DecodingError.valueNotFound(JSON.self, context)
            }
            defer { currentIndex += 1 }
            return reader.below(key, values[currentIndex])
        }

        mutating func decodeNil() -> Bool {
            guard !isAtEnd, values[currentIndex] == .null else { return false }
            currentIndex += 1
            return true
        }
        mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next().decode(type) }
        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type
        ) throws -> KeyedDecodingContainer<Nested> { try next().container(keyedBy: type) }
        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            try next().unkeyedContainer()
        }
        mutating func superDecoder() throws -> any Decoder { try next() }
    }
}

extension JSONReader: SingleValueDecodingContainer {
    public func decodeNil() -> Bool { json == .null }

    public func decode<T: Decodable>(_ type: T.Type) throws -> T {
        guard Self.isPlain(type) else { return try T(from: self) }
        let value: Any? =
            switch json {
            case .bool(let value): value
            case .string(let text): text
            case .number(let number): Self.whole(number, type) ?? number
            case .null, .array, .object: nil
            }
        guard let value = value as? T else { throw mismatch(type) }
        return value
    }

    /// Types that would ask for themselves.
    private static func isPlain(_ type: Any.Type) -> Bool {
        type == String.self || type == Bool.self || type is any BinaryInteger.Type
            || type is any BinaryFloatingPoint.Type
    }

    private static func whole(_ number: Double, _ type: Any.Type) -> Any? {
        (type as? any BinaryInteger.Type)?.init(exactly: number)
    }
}
