/// Cells of a comma-separated file (RFC 4180).
enum CSV {
    /// A value that a spreadsheet would take for a formula gets an apostrophe in front; a number with a sign is none.
    static func cell(_ text: String, separator: String = ",") -> String {
        let isFormula = text.first.map { "=+-@\t\r\0".contains($0) } ?? false
        let safe = isFormula && !isNumber(text) ? "'" + text : text
        let needsQuotes = safe.contains(separator) || safe.contains { $0 == "\"" || $0.isNewline }
        guard needsQuotes else { return safe }
        return "\"" + safe.replacing("\"", with: "\"\"") + "\""
    }

    /// A minus, and then what is a number with a point or a comma.
    private static func isNumber(_ text: String) -> Bool {
        let isPlain = text.utf8.allSatisfy { "0123456789.,eE-".utf8.contains($0) }
        return text.hasPrefix("-") && isPlain && Double(text.replacing(",", with: ".")) != nil
    }
}
