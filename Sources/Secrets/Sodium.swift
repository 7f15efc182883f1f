import CSodium

/// Libsodium must be set up once before its first use; Swift does this exactly once, thread-safely.
enum Sodium {
    private static let isReady = sodium_init() >= 0

    /// - Precondition: libsodium has found a source of randomness. Without one nothing here is safe.
    static func require() { precondition(isReady, "libsodium cannot be started") }
}
