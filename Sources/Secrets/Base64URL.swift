import Foundation

/// Base64 with the alphabet for addresses (RFC 4648, 5), as Web Push, passkeys and form tokens write it.
public enum Base64URL {
    public static func text(_ bytes: [UInt8]) -> String { Token.base64url(bytes) }

    /// Nil for other text; padding at the end is optional.
    public static func bytes(_ text: String) -> [UInt8]? {
        guard text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "/") }) else { return nil }
        let plain = text.replacing("-", with: "+").replacing("_", with: "/").replacing("=", with: "")
        let padding = String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        return Data(base64Encoded: plain + padding).map { Array($0) }
    }
}
