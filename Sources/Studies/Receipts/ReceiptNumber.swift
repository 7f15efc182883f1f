import Records
import Secrets
import Wire

/// The number of a receipt: thirty letters, each of twenty that are not taken for one another, 129 bits by chance.
package struct ReceiptNumber: Sendable, Equatable {
    package let text: String

    private static let letters = Array("BCDFGHJKLMNPQRSTVWXZ".utf8)
    private static let length = 30
    private static let group = 5

    init(_ chance: Randomness) {
        var drawn: [UInt8] = []
        // Bytes that would favour some letters are drawn again.
        while drawn.count < Self.length {
            drawn += chance.bytes(Self.length).filter { $0 < 240 }.map {
                Self.letters[Int($0) % Self.letters.count]
            }
        }
        text = String(decoding: drawn.prefix(Self.length), as: UTF8.self)
    }

    /// Nil for what is no such number, however it is parted and whatever the case of its letters.
    package init?(typed: String) {
        let plain = TypedCode.letters(typed).uppercased()
        guard plain.utf8.count == Self.length, plain.utf8.allSatisfy(Self.letters.contains) else {
            return nil
        }
        text = plain
    }

    /// Where all who have it see what it says.
    package var path: String { "/receipts/" + text }

    /// In groups of five, as people read it.
    package var shown: String {
        let letters = Array(text)
        return stride(from: 0, to: letters.count, by: Self.group)
            .map { String(letters[$0..<min($0 + Self.group, letters.count)]) }.joined(separator: "-")
    }

    /// What is stored: the number is drawn by chance, so nothing is found by trying.
    var digest: [UInt8] { Digest.plain(Array("receipt \(text)".utf8)) }
}
