public import Secrets

/// Seals a message for one receiver, so that the relay between sees only its length (RFC 8291 over RFC 8188,
/// `aes128gcm`): one record, made with a key that is used once.
public enum PushMessage {
    private static let recordSize: UInt32 = 4096
    private static let saltLength = 16
    /// Relays need not take more (RFC 8030, 7.2); salt, record size and the sender's key precede the text.
    static let longestText = 4096 - saltLength - 4 - 1 - EllipticPoint.length - 1 - SealedGCM.overhead

    /// Thrown for a text that does not fit, or when the keys agree on nothing.
    public struct Unsealable: Error {}

    /// - Parameters:
    ///   - length: every text is padded to it, so that all look alike from outside; nil leaves it as it is.
    ///   - sender: a new key for each message; given in tests alone.
    public static func seal(
        _ text: [UInt8], for receiver: PushReceiver, padded length: Int? = nil,
        sender: EllipticKey = .random(), salt: [UInt8] = SecureRandom.bytes(16)
    ) throws -> [UInt8] {
        let full = length ?? text.count
        guard text.count <= full, full <= longestText, salt.count == saltLength,
            let shared = sender.agree(with: receiver.point)
        else { throw Unsealable() }
        let whose = Array("WebPush: info\0".utf8) + receiver.point.bytes + sender.publicPoint
        let secret = KeyDerivation.hkdf(secret: shared, salt: receiver.secret, info: whose, length: 32)
        let key = KeyDerivation.hkdf(
            secret: secret, salt: salt, info: Array("Content-Encoding: aes128gcm\0".utf8), length: 16)
        let nonce = KeyDerivation.hkdf(
            secret: secret, salt: salt, info: Array("Content-Encoding: nonce\0".utf8),
            length: SealedGCM.nonceLength)
        // 2 marks the last record.
        let plain = text + [2] + [UInt8](repeating: 0, count: full - text.count)
        let size = withUnsafeBytes(of: recordSize.bigEndian) { Array($0) }
        return salt + size + [UInt8(EllipticPoint.length)] + sender.publicPoint
            + SealedGCM.close(plain, key: key, nonce: nonce)
    }
}
