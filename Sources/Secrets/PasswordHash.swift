import CSodium

/// Argon2id at 19 MiB and two passes (OWASP): about 50 ms of one core.
public enum PasswordHash {
    private static let passes: UInt64 = 2
    private static let memory = 19_456 * 1024

    /// The hash with its salt and settings, as text. Nil only when memory runs out.
    public static func make(_ password: String) -> String? {
        Sodium.require()
        var output = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
        let code = crypto_pwhash_str(&output, password, UInt64(password.utf8.count), passes, memory)
        guard code == 0 else { return nil }
        return String(decoding: output.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    public static func verify(_ password: String, against hash: String) -> Bool {
        Sodium.require()
        return crypto_pwhash_str_verify(hash, password, UInt64(password.utf8.count)) == 0
    }

    /// Whether the hash was made with other settings than today's.
    public static func isOutdated(_ hash: String) -> Bool {
        Sodium.require()
        return crypto_pwhash_str_needs_rehash(hash, passes, memory) != 0
    }
}
