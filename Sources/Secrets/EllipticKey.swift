import COpenSSL

/// A secret key of the curve P-256 (FIPS 186-4), for agreeing on secrets (ECDH) and for signing (ES256).
public struct EllipticKey: Sendable {
    /// 32 bytes.
    public let secret: [UInt8]
    /// The public key: 65 bytes, uncompressed.
    public let publicPoint: [UInt8]
    private let key: KeyHandle

    /// - Parameter secret: 32 bytes, big-endian; nil for zero and for numbers not below the order of the curve.
    public init?(secret: [UInt8]) {
        guard secret.count == 32 else { return nil }
        var point = [UInt8](repeating: 0, count: EllipticPoint.length)
        guard let key = intersession_p256_secret(secret, &point) else { return nil }
        self.secret = secret
        self.publicPoint = point
        self.key = KeyHandle(key)
    }

    public static func random() -> EllipticKey {
        while true {
            // About one in four thousand million draws lies outside of the curve's order.
            if let key = EllipticKey(secret: SecureRandom.bytes(32)) { return key }
        }
    }

    /// The shared secret, computed from the own secret and the other's point: 32 bytes.
    public func agree(with other: EllipticPoint) -> [UInt8]? {
        var shared = [UInt8](repeating: 0, count: 32)
        return intersession_p256_agree(key.pointer, other.key.pointer, &shared) == 1 ? shared : nil
    }

    /// The signature: two numbers of 32 bytes each (RFC 7518, 3.4). Empty only when memory runs out.
    public func sign(_ text: [UInt8]) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: 64)
        return intersession_p256_sign(key.pointer, text, text.count, &signature) == 1 ? signature : []
    }
}

/// Another party's public key on the curve P-256.
public struct EllipticPoint: Sendable {
    public static let length = 65

    public let bytes: [UInt8]
    fileprivate let key: KeyHandle

    /// - Parameter bytes: 65 of them, uncompressed; nil for points that are not on the curve.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length, bytes[0] == 4, let key = intersession_p256_public(bytes) else {
            return nil
        }
        self.bytes = bytes
        self.key = KeyHandle(key)
    }

    /// Whether a text was signed with the secret of this point.
    public func verifies(_ signature: [UInt8], of text: [UInt8]) -> Bool {
        signature.count == 64 && intersession_p256_verify(key.pointer, text, text.count, signature) == 1
    }
}

/// A key of OpenSSL. It is only read after its creation, which OpenSSL allows from several threads.
private final class KeyHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { EVP_PKEY_free(pointer) }
}
