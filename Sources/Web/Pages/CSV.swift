import Wording

/// Cells of a comma-separated file (RFC 4180).
package enum CSV {
    /// A cell. A value that a spreadsheet would take for a formula gets an apostrophe in front; a signed number does
    /// not. Looks at bytes: an export writes millions of cells.
    package static func cell(_ text: String, separator: Unicode.Scalar = ",") -> String {
        guard let first = text.utf8.first else { return "" }
        let safe = beginsFormula(first) && !isNumber(text) ? "'" + text : text
        let between = UInt8(ascii: separator)
        let needsQuotes = safe.utf8.contains {
            $0 == between || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r")
        }
        guard needsQuotes else { return safe }
        return "\"" + doubled(safe) + "\""
    }

    private static let doubled = Escaping(["\"": "\"\""])

    private static func beginsFormula(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "=", "+", "-", "@", "\t", "\r", "\0": true
        default: false
        }
    }

    /// A minus, followed by a number with a point or a comma.
    private static func isNumber(_ text: String) -> Bool {
        let isPlain = text.utf8.allSatisfy { "0123456789.,eE-".utf8.contains($0) }
        return text.hasPrefix("-") && isPlain && Double(text.replacing(",", with: ".")) != nil
    }
}
