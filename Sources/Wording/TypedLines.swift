import Wire

/// Text of several lines, as it is typed or comes out of a word processor.
package enum TypedLines {
    /// Each line ends with a line feed; other control characters but tabs are left out.
    package static func read(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { (0x20...0x7e).contains($0) || $0 == 0x0A || $0 == 0x09 }
        if isPlain { return text }
        var lines = String.UnicodeScalarView()
        var isAfterReturn = false
        for sign in text.unicodeScalars {
            if endsLine(sign) {
                // A carriage return and a line feed are one end.
                if sign != "\n" || !isAfterReturn { lines.append("\n") }
            } else if !sign.isControl || sign == "\t" {
                lines.append(sign)
            }
            isAfterReturn = sign == "\r"
        }
        return String(lines)
    }

    /// Whether a sign is left out, or becomes the end of a line without being one that is typed.
    package static func cleans(_ text: String) -> Bool {
        text.unicodeScalars.contains { sign in
            sign.isControl ? sign != "\n" && sign != "\r" && sign != "\t" : endsLine(sign)
        }
    }

    /// Line feed, vertical tab (Word's own line break), form feed, carriage return, next line, and the separators of lines
    /// and paragraphs.
    private static func endsLine(_ sign: Unicode.Scalar) -> Bool {
        switch sign.value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }
}
