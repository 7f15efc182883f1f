/// Cells of a comma-separated file (RFC 4180).
enum CSV {
    /// A value that a spreadsheet would take for a formula gets an apostrophe in front.
    static func cell(_ text: String) -> String {
        let isFormula = text.first.map { "=+-@\t\r\0".contains($0) } ?? false
        let safe = isFormula ? "'" + text : text
        guard safe.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return safe }
        return "\"" + safe.replacing("\"", with: "\"\"") + "\""
    }
}
