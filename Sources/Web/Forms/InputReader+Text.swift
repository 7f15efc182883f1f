import Foundation

/// What becomes of text before it is looked at.
extension InputReader {
    /// Most text is an id, a time or a word: letters that need no composing, without blanks at the ends.
    static func composed(_ raw: String) -> String {
        let isPlain = raw.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
        if isPlain { return raw }
        return raw.precomposedStringWithCanonicalMapping.replacingOccurrences(of: "\r\n", with: "\n")
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The general category Cc of Unicode.
    static func hasControls(_ text: String, but allowed: [Unicode.Scalar]) -> Bool {
        text.unicodeScalars.contains { scalar in
            (scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)) && !allowed.contains(scalar)
        }
    }
}
