import JSON

/// Bytes of a wire value, for examples.
package enum JSONBytes {
    package static func of(_ value: some Encodable) throws -> [UInt8] { try JSONWriter.bytes(of: value) }
}
