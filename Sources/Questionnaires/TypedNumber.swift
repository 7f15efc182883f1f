import Foundation
import JSON

/// Numbers as written by people and other programs.
package enum TypedNumber {
    /// A number, with a point or a comma; anything else as typed; nil for nothing.
    package static func read(_ text: String) -> JSON? {
        let typed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !typed.isEmpty else { return nil }
        let plain = typed.replacing(",", with: ".").replacing("\u{2212}", with: "-")
        let isPlain = plain.utf8.allSatisfy { ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2d || $0 == 0x2e }
        if isPlain, let number = Double(plain), number.isFinite { return .number(number) }
        return .string(String(typed.prefix(200)))
    }
}
