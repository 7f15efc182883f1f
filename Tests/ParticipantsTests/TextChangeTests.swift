import Testing

@testable import Participants

/// FD-22: what is other in the newer text, word by word.
@Suite struct TextChangeTests {
    func marked(_ pieces: [TextChange.Piece]) -> String {
        pieces.map { $0.isMarked ? "[\($0.text)]" : $0.text }.joined()
    }

    @Test(arguments: [
        ("Ich nehme teil.", "Ich nehme teil.", "Ich nehme teil.", "Ich nehme teil."),
        ("Ich nehme teil.", "Ich nehme gern teil.", "Ich nehme teil.", "Ich nehme [gern ]teil."),
        ("Eins zwei drei", "Eins drei", "Eins [zwei ]drei", "Eins drei"),
        ("Eins\n\nzwei", "Eins zwei", "Eins\n\nzwei", "Eins zwei"),
        ("", "Neu.", "", "[Neu.]"), ("Alt.", "", "[Alt.]", ""), ("", "", "", ""), ("  a", " a", "  a", " a"),
    ])
    func `FD-22 words that are new or gone are marked, spaces are not`(
        before: String, after: String, old: String, new: String
    ) {
        let change = TextChange(from: before, to: after)
        #expect(marked(change.before) == old && marked(change.after) == new)
        #expect(change.before.map(\.text).joined() == before && change.after.map(\.text).joined() == after)
    }

    @Test func `FD-22 two long texts without anything in common are compared at once`() {
        let before = (0..<5000).map { "a\($0) " }.joined()
        let after = (0..<5000).map { "b\($0) " }.joined()
        let change = TextChange(from: "Anfang " + before + "Ende", to: "Anfang " + after + "Ende")
        #expect(change.before.map(\.isMarked) == [false, true, false])
        #expect(change.after.map(\.isMarked) == [false, true, false])
    }
}
