import Foundation
import Records
import Therapies
import Wire
import Wording

/// Finds patients by codename, alias and note (PR-6). These are stored sealed, so a whole caseload is opened for a
/// search: sixty patients take a fraction of a millisecond (`docs/performance.md`), and the database holds nothing
/// about the words.
struct PatientNeedle: Sendable {
    /// Each word in both spellings of `SearchSpelling`.
    private let words: [SearchSpelling]

    /// Words stand between blanks, commas and semicolons, in whatever order.
    init(_ text: String) {
        let parts = text.unicodeScalars.split { $0.properties.isWhitespace || $0 == "," || $0 == ";" }
        words = parts.map { SearchSpelling(String($0)) }.filter { !$0.isEmpty }
    }

    var isEmpty: Bool { words.isEmpty }

    func fits(_ therapy: Therapy, _ keys: Keyring) throws -> Bool {
        try fits(codename: therapy.codename, alias: therapy.alias(keys), note: therapy.note(keys))
    }

    /// Each word may stand in another one of the three.
    func fits(codename: String, alias: String?, note: String?) -> Bool {
        isEmpty || holds([codename, alias, note].compactMap(\.self).joined(separator: "\n"))
    }

    func holds(_ text: String) -> Bool {
        let spelling = SearchSpelling(text)
        return words.allSatisfy(spelling.holds)
    }
}

/// A text without regard to case, accents, ligatures and the shape of apostrophes and dashes, in two spellings: `Müller`
/// is `muller` and `mueller`.
struct SearchSpelling: Sendable {
    private let short: String
    private let long: String

    var isEmpty: Bool { short.isEmpty }

    init(_ text: String) {
        // Composed first: an umlaut is one letter, however it was typed.
        let composed = text.precomposedStringWithCompatibilityMapping.lowercased()
            .precomposedStringWithCanonicalMapping
        short = Self.spelled(composed, [:])
        long = Self.spelled(composed, Self.umlauts)
    }

    func holds(_ word: SearchSpelling) -> Bool {
        short.utf8.contains(word.short.utf8) || long.utf8.contains(word.long.utf8)
    }

    private static let umlauts: [Unicode.Scalar: String] = [
        "ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe",
    ]
    /// Letters that no accent can be taken from.
    private static let letters: [Unicode.Scalar: String] = [
        "ß": "ss", "ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i",
        "ħ": "h",
    ]
    private static let apostrophes: Set<Unicode.Scalar> = [
        "'", "\u{2018}", "\u{2019}", "\u{201B}", "\u{02BC}", "\u{2032}", "`", "\u{00B4}",
    ]

    private static func spelled(_ composed: String, _ umlauts: [Unicode.Scalar: String]) -> String {
        var spelled = ""
        for sign in composed.unicodeScalars where !sign.isInvisible {
            if let letters = umlauts[sign] ?? letters[sign] {
                spelled += letters
            } else if apostrophes.contains(sign) {
                spelled += "'"
            } else if sign.properties.isDash {
                spelled += "-"
            } else if sign.isASCII {
                spelled.unicodeScalars.append(sign)
            } else {
                let parts = String(sign).decomposedStringWithCanonicalMapping.unicodeScalars
                spelled.unicodeScalars.append(
                    contentsOf: parts.filter { $0.properties.generalCategory != .nonspacingMark })
            }
        }
        return spelled
    }
}
