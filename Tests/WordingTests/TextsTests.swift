import Foundation
import Testing

@testable import Wording

@Suite struct TextsTests {
    static let folder =
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path + "/templates/texts"

    static let numbers: [(Double, Int, String, String)] = [
        (2.66, 1, "2,7", "2.7"), (2, 1, "2", "2"), (0.04, 1, "0", "0"), (-0.04, 1, "0", "0"),
        (-1.25, 2, "−1,25", "−1.25"),
        (33.333, 2, "33,33", "33.33"), (2.5, 2, "2,5", "2.5"), (0.05, 2, "0,05", "0.05"),
        (99.96, 1, "100", "100"), (1.005e9, 1, "1005000000", "1005000000"),
    ]

    @Test func `amounts are written in groups of three`() throws {
        let german = try Texts(.german, folder: Self.folder)
        let english = try Texts(.english, folder: Self.folder)
        let amounts: [Double] = [0, 999, 1_000, 12_345.67, -1_234_567]
        #expect(amounts.map { german.amount($0) } == ["0", "999", "1.000", "12.345,7", "\u{2212}1.234.567"])
        #expect(amounts.map { english.amount($0) } == ["0", "999", "1,000", "12,345.7", "\u{2212}1,234,567"])
    }

    @Test(arguments: numbers) func `numbers are written as the language does`(
        value: Double, digits: Int, german: String, english: String
    ) throws {
        #expect(try Texts(.german, folder: Self.folder).number(value, digits: digits) == german)
        #expect(try Texts(.english, folder: Self.folder).number(value, digits: digits) == english)
    }

    @Test func `sentences are filled in by name, and what is filled in is not filled again`() throws {
        let texts = try Texts(.german, folder: Self.folder)
        #expect(texts["timeline.n_of", ["n": "{of}", "of": "8"]] == "{of} von 8")
        #expect(texts["file.translations", [:]].contains("{\"de\": \"…\"}"))
        #expect(texts["no.such_text", [:]] == "no.such_text")
        #expect(
            texts.count("patients.found", 1) == "1 Person" && texts.count("patients.found", 3) == "3 Personen"
        )
    }
}
