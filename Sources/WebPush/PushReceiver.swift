public import Secrets

/// The receiver's keys, as a browser or an app names them when it subscribes (RFC 8291, 3.2).
public struct PushReceiver: Sendable {
    public static let secretLength = 16

    public let point: EllipticPoint
    public let secret: [UInt8]

    /// Nil for a point that is not on the curve, and for a secret that is not 16 bytes.
    public init?(point: [UInt8], secret: [UInt8]) {
        guard let point = EllipticPoint(point), secret.count == Self.secretLength else { return nil }
        self.point = point
        self.secret = secret
    }
}
