import Foundation

/// What a server's private key says of clients that can be answered with it.
public enum TLSKey {
    /// The object identifier 1.3.101.112 (RFC 8410).
    private static let ed25519: [UInt8] = [0x06, 0x03, 0x2b, 0x65, 0x70]

    /// Whether it is one of Ed25519, whose certificates no browser takes.
    /// - Parameter pem: a text of PEM.
    public static func isEd25519(_ pem: String) -> Bool {
        guard let begin = pem.range(of: "-----BEGIN PRIVATE KEY-----"),
            let end = pem.range(of: "-----END", range: begin.upperBound..<pem.endIndex),
            let bytes = Data(
                base64Encoded: String(pem[begin.upperBound..<end.lowerBound]),
                options: .ignoreUnknownCharacters)
        else { return false }
        // The algorithm stands at the begin, behind the version.
        return bytes.prefix(16).firstRange(of: ed25519) != nil
    }
}
