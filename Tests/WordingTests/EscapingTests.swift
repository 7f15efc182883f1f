import Foundation
import Testing

@testable import Wording

/// RP-1: signs of a format are found as bytes, whatever stands behind them.
@Suite struct EscapingTests {
    /// A combining accent, a joiner and a non-joiner, a selector of variants, a keycap and a skin.
    private static let behind = ["", "\u{301}", "\u{200D}", "\u{200C}", "\u{FE0F}", "\u{20E3}", "\u{1F3FD}"]

    @Test(arguments: behind) func `RP-1 a sign is escaped with whatever combines with it`(sign: String) {
        let quotes = Escaping(["\"": "\"\"", "\\": "\\\\"])
        #expect(quotes("a\"\(sign)b\\\(sign)").utf8.elementsEqual("a\"\"\(sign)b\\\\\(sign)".utf8))
        #expect(ContentLine.escaped("1,\(sign)2;\(sign)").utf8.elementsEqual("1\\,\(sign)2\\;\(sign)".utf8))
    }

    @Test func `a text without such signs stays as it is`() {
        #expect(Escaping(["'": "''"])("Grüße, „Zitat“") == "Grüße, „Zitat“")
    }

    @Test func `lines become one, and are cut between code points`() {
        #expect("a\r\nb\nc\u{2028}d\u{85}e\r\rf".inOneLine == "a b c d e  f")
        #expect("\n\u{301}".inOneLine.utf8.elementsEqual(" \u{301}".utf8))
        #expect(
            "äöü".prefix(bytes: 3) == "ä" && "äöü".prefix(bytes: 6) == "äöü" && "a".prefix(bytes: 0).isEmpty)
        // Half of a family of several code points is one person, and valid text.
        #expect("👩\u{200D}👦".prefix(bytes: 8).utf8.elementsEqual("👩\u{200D}".utf8))
    }

    @Test func `lines of calendars and cards are folded between code points`() throws {
        #expect(ContentLine.escaped("a,b;c\\d\r\nü") == "a\\,b\\;c\\\\d\\nü")
        for long in [String(repeating: "ü", count: 100), "e" + String(repeating: "\u{301}", count: 200)] {
            let bytes = ContentLine.folded("SUMMARY:" + long)
            let lines = try #require(String(validating: bytes, as: UTF8.self)).components(separatedBy: "\r\n")
            #expect(lines.last == "" && lines.dropLast().allSatisfy { $0.utf8.count <= 75 })
            #expect(lines.dropFirst().dropLast().allSatisfy { $0.utf8.first == UInt8(ascii: " ") })
            let whole = lines.enumerated().map {
                $0 == 0 ? $1 : String(decoding: $1.utf8.dropFirst(), as: UTF8.self)
            }.joined()
            #expect(whole.utf8.elementsEqual("SUMMARY:\(long)".utf8))
        }
    }
}
