import COpenSSL

/// AES-GCM with a key of 16 or 32 bytes (NIST SP 800-38D), for browsers and Web Push. Elsewhere: `Seal`.
public enum SealedGCM {
    public static let nonceLength = 12
    /// The bytes that sealing adds.
    public static let overhead = 16

    /// - Parameters:
    ///   - nonce: 12 bytes, never twice with one key.
    ///   - about: additional data that is authenticated, but not sealed.
    public static func close(
        _ plain: [UInt8], key: [UInt8], nonce: [UInt8], about: [UInt8] = []
    ) -> [UInt8] {
        precondition([16, 32].contains(key.count) && nonce.count == nonceLength, "no key of AES-GCM")
        var sealed = [UInt8](repeating: 0, count: plain.count + overhead)
        let done = intersession_gcm_seal(
            key, key.count, nonce, about, about.count, plain, plain.count, &sealed)
        precondition(done == 1, "out of memory")
        return sealed
    }

    /// Nil when it was changed, or sealed with another key or with other additional data.
    public static func open(
        _ sealed: [UInt8], key: [UInt8], nonce: [UInt8], about: [UInt8] = []
    ) -> [UInt8]? {
        guard [16, 32].contains(key.count), nonce.count == nonceLength, sealed.count >= overhead else {
            return nil
        }
        // One byte more: an empty array has no address to write to.
        var plain = [UInt8](repeating: 0, count: sealed.count - overhead + 1)
        let done = intersession_gcm_open(
            key, key.count, nonce, about, about.count, sealed, sealed.count, &plain)
        return done == 1 ? Array(plain.dropLast()) : nil
    }
}

/// Derives keys from a long random secret (HKDF with SHA-256, RFC 5869).
public enum KeyDerivation {
    public static func hkdf(secret: [UInt8], salt: [UInt8], info: [UInt8], length: Int) -> [UInt8] {
        var key = [UInt8](repeating: 0, count: length)
        let done = intersession_hkdf(
            secret, secret.count, salt, salt.count, info, info.count, &key, length)
        precondition(done == 1, "no HKDF of this length")
        return key
    }
}
