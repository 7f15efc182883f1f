import CSodium

/// A key of 32 bytes.
public struct SecretKey: Sendable {
    public static let length = 32
    public let bytes: [UInt8]

    /// Nil unless there are exactly 32 bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    public static func random() -> SecretKey { SecretKey(unchecked: SecureRandom.bytes(length)) }

    /// A key for one purpose, made from this one (BLAKE2b, keyed), from which this one cannot be computed.
    public func derived(for purpose: String) -> SecretKey {
        SecretKey(unchecked: Digest.keyed(self, Array(purpose.utf8)))
    }
}

/// BLAKE2b of 32 bytes.
public enum Digest {
    /// SHA-256, for digests that other programs must reproduce.
    public static func sha256(_ message: [UInt8]) -> [UInt8] {
        Sodium.require()
        var output = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_bytes()))
        crypto_hash_sha256(&output, message, UInt64(message.count))
        return output
    }

    /// HMAC with SHA-256 (RFC 2104), for signatures of other services.
    public static func hmacSHA256(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
        Sodium.require()
        var state = crypto_auth_hmacsha256_state()
        crypto_auth_hmacsha256_init(&state, key, key.count)
        crypto_auth_hmacsha256_update(&state, message, UInt64(message.count))
        var output = [UInt8](repeating: 0, count: Int(crypto_auth_hmacsha256_bytes()))
        crypto_auth_hmacsha256_final(&state, &output)
        return output
    }

    public static func plain(_ message: [UInt8]) -> [UInt8] { hash(message, key: []) }

    /// A digest that only the holder of the key can make: for look-ups of guessable values.
    public static func keyed(_ key: SecretKey, _ message: [UInt8]) -> [UInt8] {
        hash(message, key: key.bytes)
    }

    private static func hash(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        Sodium.require()
        var output = [UInt8](repeating: 0, count: SecretKey.length)
        let length = output.count
        let code = crypto_generichash(
            &output, length, message, UInt64(message.count), key.isEmpty ? nil : key, key.count)
        precondition(code == 0, "BLAKE2b takes any message and keys of up to 64 bytes")
        return output
    }
}

/// Compares without disclosing by its duration where the first difference is. Lengths are no secret.
public func equalInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    if left.isEmpty { return true }
    return sodium_memcmp(left, right, left.count) == 0
}
