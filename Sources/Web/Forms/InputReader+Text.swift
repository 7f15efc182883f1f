import Foundation
import Records
import Wire
import Wording

/// Normalises text before it is checked.
extension InputReader {
    /// Most text is an id, a time or a word: letters that need no composing, without blanks at the ends.
    static func composed(_ raw: String) -> String {
        let isPlain = raw.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
        if isPlain { return raw }
        return raw.precomposedStringWithCanonicalMapping.replacingOccurrences(of: "\r\n", with: "\n")
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Overrides and embeddings of direction.
    static func isOverride(_ sign: Unicode.Scalar) -> Bool { (0x202A...0x202E).contains(sign.value) }

    static func without(_ text: String, _ isOut: (Unicode.Scalar) -> Bool) -> String {
        guard text.unicodeScalars.contains(where: isOut) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.filter { !isOut($0) }))
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Takes signs out of a field's text, and notes that it did.
    func cleaning(_ text: String, of isOut: (Unicode.Scalar) -> Bool, _ name: String) -> String {
        let clean = Self.without(text, isOut)
        if clean.unicodeScalars.count < text.unicodeScalars.count { noteCleaned(name) }
        return clean
    }

    /// An address as it was typed, without invisible signs: by this it is looked up and counted.
    package static func address(_ typed: String) -> String {
        without(composed(typed), \.isInvisible)
    }
}

extension InputReader {
    /// An address as people write them, without invisible signs; the mail that arrives is the real proof.
    package func email(_ name: String, required: Bool = true) -> String? {
        guard let typed = text(name, required: required, limit: 254) else { return nil }
        let text = cleaning(typed, of: \.isInvisible, name)
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        let isPlain = text.unicodeScalars.allSatisfy {
            !$0.properties.isWhitespace && !"<>,;:\"()[]\\".unicodeScalars.contains($0)
        }
        guard parts.count == 2, isPlain, !parts[0].isEmpty, parts[0].utf8.count <= 64, isDomain(parts[1])
        else {
            refuse(name, "errors.email")
            return nil
        }
        return text
    }

    /// A number that a telephone can dial, as people write it.
    package func phone(_ name: String, required: Bool = false) -> String? {
        guard let text = text(name, required: required, limit: 30) else { return nil }
        guard text.count(where: \.isNumber) >= 3, text.allSatisfy({ $0.isNumber || "+-/() .".contains($0) })
        else {
            refuse(name, "errors.phone")
            return nil
        }
        return text
    }

    private func isDomain(_ text: Substring) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count >= 2
            && labels.allSatisfy { !$0.isEmpty && $0.count <= 63 && !$0.hasPrefix("-") && !$0.hasSuffix("-") }
    }
}
