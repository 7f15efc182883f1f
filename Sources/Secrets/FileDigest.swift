import CSodium
import Foundation

/// Checksums of files, as `sha256sum` writes and checks them.
public enum FileDigest {
    private static let piece = 1 << 18

    /// SHA-256 in hexadecimal digits; read piece by piece.
    /// - Throws: when the file cannot be read.
    public static func sha256(_ path: String) throws -> String {
        Sodium.require()
        guard let handle = FileHandle(forReadingAtPath: path) else { throw CocoaError(.fileReadNoSuchFile) }
        defer { try? handle.close() }
        var state = crypto_hash_sha256_state()
        crypto_hash_sha256_init(&state)
        while let data = try handle.read(upToCount: piece), !data.isEmpty {
            _ = data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
                crypto_hash_sha256_update(
                    &state, bytes.bindMemory(to: UInt8.self).baseAddress, UInt64(bytes.count))
            }
        }
        var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_bytes()))
        crypto_hash_sha256_final(&state, &digest)
        return digest.map { byte in
            let digits = Array("0123456789abcdef")
            return String([digits[Int(byte >> 4)], digits[Int(byte & 15)]])
        }.joined()
    }
}
