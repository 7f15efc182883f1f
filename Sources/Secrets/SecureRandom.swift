import CSodium

/// Randomness from the system's generator.
public enum SecureRandom {
    public static func bytes(_ count: Int) -> [UInt8] {
        Sodium.require()
        var bytes = [UInt8](repeating: 0, count: count)
        bytes.withUnsafeMutableBytes { randombytes_buf($0.baseAddress!, $0.count) }
        return bytes
    }
}
