import Secrets
import Wire

/// The key of a vault for apps and browsers (`vault/2`), in a form to be copied: a QR code, or 14 groups of four
/// letters and digits, none of which look alike. The last group detects a typing mistake.
public struct VaultKey: Sendable, Equatable {
    private static let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    private static let length = 32
    /// 256 bits are 52 letters, with four bits to spare that are zero.
    private static let letterCount = 52
    private static let checkCount = 4

    let bytes: [UInt8]

    private init(bytes: [UInt8]) { self.bytes = bytes }

    public static func random() -> VaultKey { VaultKey(bytes: SecureRandom.bytes(length)) }

    /// Read as typed, or from the QR code; nil for invalid text.
    public init?(_ text: String) {
        var plain = TypedCode.letters(text).uppercased()
        if plain.hasPrefix(Self.codePrefix) { plain.removeFirst(Self.codePrefix.count) }
        let alike: [Character: Character] = ["O": "0", "I": "1", "L": "1"]
        let typed = plain.map { alike[$0] ?? $0 }
        guard typed.count == Self.letterCount + Self.checkCount else { return nil }
        var bits: [UInt8] = []
        for letter in typed.prefix(Self.letterCount) {
            guard let value = Self.letters.firstIndex(of: letter) else { return nil }
            bits += (0..<5).map { UInt8(value >> (4 - $0) & 1) }
        }
        let whole = stride(from: 0, to: Self.length * 8, by: 8).map { start in
            bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | $1 }
        }
        guard bits[(Self.length * 8)...].allSatisfy({ $0 == 0 }),
            typed.suffix(Self.checkCount).elementsEqual(Self.check(whole))
        else { return nil }
        self.init(bytes: whole)
    }

    /// Fourteen groups with a hyphen between them.
    public var groups: String {
        let all = Self.encode(bytes, Self.letterCount) + Self.check(bytes)
        return stride(from: 0, to: all.count, by: 4).map { String(all[$0..<$0 + 4]) }.joined(separator: "-")
    }

    private static let codePrefix = "VAULT2:"

    /// The text of the QR code.
    public var code: String { Self.codePrefix + groups.filter { $0 != "-" } }

    private static func encode(_ bytes: [UInt8], _ count: Int) -> [Character] {
        (0..<count).map { index in
            let value = (index * 5..<index * 5 + 5).reduce(0) { value, bit in
                let byte = bit / 8 < bytes.count ? bytes[bit / 8] : 0
                return value << 1 | Int(byte >> (7 - UInt8(bit % 8)) & 1)
            }
            return letters[value]
        }
    }

    private static func check(_ key: [UInt8]) -> [Character] {
        encode(Digest.sha256(Array("intersession vault/2 check".utf8) + key), checkCount)
    }
}
