import CSodium

/// A key made from a password (Argon2id, three passes over 64 MiB), for data sealed on a device.
public enum PasswordKey {
    public static let saltLength = Int(crypto_pwhash_SALTBYTES)
    private static let passes: UInt64 = 3
    private static let memory = 64 * 1024 * 1024

    /// The same password and salt give the same key. Nil when memory runs out.
    /// - Precondition: a salt of `saltLength` bytes.
    public static func make(_ password: String, salt: [UInt8]) -> SecretKey? {
        Sodium.require()
        precondition(salt.count == saltLength, "Argon2id takes a salt of sixteen bytes")
        var bytes = [UInt8](repeating: 0, count: SecretKey.length)
        let code = crypto_pwhash(
            &bytes, UInt64(bytes.count), password, UInt64(password.utf8.count), salt, passes, memory,
            crypto_pwhash_ALG_ARGON2ID13)
        return code == 0 ? SecretKey(bytes) : nil
    }
}
