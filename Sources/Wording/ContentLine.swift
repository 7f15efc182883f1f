/// Lines of calendars (RFC 5545, 3.1) and cards (RFC 6350, 3.2).
package enum ContentLine {
    /// A text as a value: backslash, comma, semicolon and ends of lines are escaped.
    package static let escaped = Escaping(["\\": "\\\\", ",": "\\,", ";": "\\;", "\n": "\\n", "\r": ""])

    /// Pieces of at most 75 octets, broken between code points, each but the first behind a blank, each ended by CRLF.
    package static func folded(_ line: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var length = 0
        for scalar in line.unicodeScalars {
            let octets = Array(String(scalar).utf8)
            if length + octets.count > 75 {
                bytes += [13, 10, 32]
                length = 1
            }
            bytes += octets
            length += octets.count
        }
        return bytes + [13, 10]
    }
}
