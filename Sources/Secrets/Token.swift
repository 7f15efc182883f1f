/// A secret handed to a client: 256 random bits as 43 characters of base64url. Only its hash is stored.
public struct Token: Sendable, Equatable {
    public let text: String

    public init() { text = Self.base64url(SecureRandom.bytes(32)) }

    /// A token as a client sent it; nil when it cannot be one.
    public init?(_ text: String) {
        guard text.utf8.count == 43, text.utf8.allSatisfy(Self.alphabet.contains) else { return nil }
        self.text = text
    }

    /// The stored value, by which it is looked up. A plain hash is enough: 256 random bits cannot be guessed.
    public var hash: [UInt8] { Digest.plain(Array(text.utf8)) }

    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Base64 with the alphabet for addresses, without padding (RFC 4648, 5).
    public static func base64url(_ bytes: [UInt8]) -> String {
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count * 4 + 2) / 3)
        var buffer = UInt32(0)
        var bits = 0
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                output.append(alphabet[Int(buffer >> UInt32(bits) & 63)])
            }
        }
        if bits > 0 { output.append(alphabet[Int(buffer << UInt32(6 - bits) & 63)]) }
        return String(decoding: output, as: UTF8.self)
    }
}
