import CSodium

/// Randomness from the system's generator.
public enum SecureRandom {
    public static func bytes(_ count: Int) -> [UInt8] {
        Sodium.require()
        var bytes = [UInt8](repeating: 0, count: count)
        bytes.withUnsafeMutableBytes { randombytes_buf($0.baseAddress!, $0.count) }
        return bytes
    }

    /// A number below `limit`, each equally likely.
    public static func number(below limit: UInt32) -> UInt32 {
        Sodium.require()
        return randombytes_uniform(limit)
    }
}
