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

    /// A minus, digits, and at most one point or comma between them.
    private static func isNumber(_ text: String) -> Bool {
        let parts = text.dropFirst().split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
        return text.hasPrefix("-") && parts.count <= 2
            && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }
    }
}
