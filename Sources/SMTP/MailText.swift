import Foundation

/// Texts in the seven bits that every mail server takes: whether one takes eight is known only once the message is made.
public enum MailText {
    /// A header line whose value is a text, in encoded words (RFC 2047, 2): none is longer than 75 characters, no line than 76, and no
    /// letter is cut in two.
    public static func header(_ name: String, _ text: String) -> String {
        var words: [String] = []
        var bytes: [UInt8] = []
        var room = room(in: lineLimit - name.utf8.count - 2)
        for scalar in text.unicodeScalars {
            let next = Array(String(scalar).utf8)
            if bytes.count + next.count > room {
                words.append(word(bytes))
                bytes = []
                room = Self.room(in: lineLimit - 1)
            }
            bytes += next
        }
        if !bytes.isEmpty { words.append(word(bytes)) }
        return "\(name): " + words.joined(separator: "\r\n ")
    }

    /// A text as quoted-printable (RFC 2045, 6.7), each of its lines ended by CRLF.
    public static func quotedPrintable(_ text: String) -> String {
        let bytes = text.utf8.filter { $0 != 13 }
        var encoded: [UInt8] = []
        encoded.reserveCapacity(bytes.count + bytes.count / 8)
        for line in bytes.split(separator: 10, omittingEmptySubsequences: false) {
            var length = 0
            for (index, byte) in zip(line.indices, line) {
                // A blank at the end of a line may be lost on the way.
                let isBlank = (byte == 32 || byte == 9) && index < line.endIndex - 1
                let isPlain = isBlank || (byte > 32 && byte < 127 && byte != UInt8(ascii: "="))
                let size = isPlain ? 1 : 3
                if length + size > lineLimit - 1 {
                    encoded += Array("=\r\n".utf8)
                    length = 0
                }
                if isPlain { encoded.append(byte) } else { encoded += quoted(byte) }
                length += size
            }
            encoded += [13, 10]
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static let lineLimit = 76
    private static let wordLimit = 75
    private static let frame = (begin: "=?utf-8?B?", end: "?=")

    /// How many bytes a word of so many characters holds.
    private static func room(in characters: Int) -> Int {
        (min(wordLimit, characters) - frame.begin.utf8.count - frame.end.utf8.count) / 4 * 3
    }

    private static func word(_ bytes: [UInt8]) -> String {
        frame.begin + Data(bytes).base64EncodedString() + frame.end
    }

    private static func quoted(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [UInt8(ascii: "="), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
}
