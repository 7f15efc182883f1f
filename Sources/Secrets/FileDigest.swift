import CSodium

/// A checksum over data that comes in pieces, as `sha256sum` writes and checks it.
public struct FileDigest {
    private var state = crypto_hash_sha256_state()

    public init() {
        Sodium.require()
        crypto_hash_sha256_init(&state)
    }

    public mutating func add(_ bytes: [UInt8]) {
        crypto_hash_sha256_update(&state, bytes, UInt64(bytes.count))
    }

    public mutating func add(_ bytes: UnsafeRawBufferPointer) {
        crypto_hash_sha256_update(&state, bytes.baseAddress, UInt64(bytes.count))
    }

    /// SHA-256 of all that was added, in hexadecimal digits.
    public var hexadecimal: String {
        var state = state
        var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_bytes()))
        crypto_hash_sha256_final(&state, &digest)
        return hexadecimalDigits(digest)
    }
}

/// Two lower-case digits for each byte.
public func hexadecimalDigits(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return bytes.map { String([digits[Int($0 >> 4)], digits[Int($0 & 15)]]) }.joined()
}
