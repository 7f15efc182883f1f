import CSodium

/// Thrown when sealed bytes were changed, belong to another place or another key.
public struct SealBroken: Error {
    public init() {}
}

/// XChaCha20-Poly1305: sealed data can be read only with the key, and only in the place it was sealed for.
public enum Seal {
    private static let nonceLength = 24
    private static let tagLength = 16

    /// - Parameter place: table, row and column; sealed bytes moved elsewhere do not open.
    public static func close(_ message: [UInt8], with key: SecretKey, place: String) -> [UInt8] {
        let nonce = SecureRandom.bytes(nonceLength)
        var sealed = [UInt8](repeating: 0, count: message.count + tagLength)
        let context = Array(place.utf8)
        crypto_aead_xchacha20poly1305_ietf_encrypt(
            &sealed, nil, message, UInt64(message.count), context, UInt64(context.count), nil, nonce,
            key.bytes)
        return nonce + sealed
    }

    /// - Throws: `SealBroken`.
    public static func open(_ sealed: [UInt8], with key: SecretKey, place: String) throws -> [UInt8] {
        Sodium.require()
        guard sealed.count >= nonceLength + tagLength else { throw SealBroken() }
        var message = [UInt8](repeating: 0, count: sealed.count - nonceLength - tagLength)
        var place = place
        let code = sealed.withUnsafeBufferPointer { bytes -> Int32 in
            guard let start = bytes.baseAddress else { return -1 }
            let length = UInt64(bytes.count - nonceLength)
            return place.withUTF8 { context in
                crypto_aead_xchacha20poly1305_ietf_decrypt(
                    &message, nil, nil, start + nonceLength, length,
                    context.baseAddress, UInt64(context.count), start, key.bytes)
            }
        }
        guard code == 0 else { throw SealBroken() }
        return message
    }
}
