import Foundation
public import Secrets

/// Whom a message is for: the two keys that a browser or an app names when it subscribes (RFC 8291, 3.2).
public struct PushReceiver: Sendable {
    public static let secretLength = 16

    public let point: EllipticPoint
    public let secret: [UInt8]

    /// Nil for a point that does not lie on the curve, and for a secret that is not 16 bytes.
    public init?(point: [UInt8], secret: [UInt8]) {
        guard let point = EllipticPoint(point), secret.count == Self.secretLength else { return nil }
        self.point = point
        self.secret = secret
    }
}

/// Base64 in the alphabet of addresses (RFC 4648, 5), as all of Web Push writes it.
public enum Base64URL {
    public static func text(_ bytes: [UInt8]) -> String { Token.base64url(bytes) }

    /// Nil for what is none; padding may stand at the end or not.
    public static func bytes(_ text: String) -> [UInt8]? {
        guard text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "/") }) else { return nil }
        let plain = text.replacing("-", with: "+").replacing("_", with: "/").replacing("=", with: "")
        let padding = String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        return Data(base64Encoded: plain + padding).map { Array($0) }
    }
}
