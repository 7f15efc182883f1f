import Testing

@testable import Wording

/// RP-26: names as DIN 5007-1 and the root of CLDR sort them.
@Suite struct SortKeyTests {
    /// Each list is in order, and its neighbours differ.
    @Test(arguments: [
        // DIN 5007-1: umlauts as their letters, behind them where all else is equal; ß as ss.
        ["Ader", "Ärger", "Arm", "Ärztin", "Aster", "Bär", "Barsch"],
        ["Goethe", "Göthe", "Gotik", "Götz", "Gotze"],
        ["Masse", "Maße", "Massen", "Mast"], ["Muller", "Müller", "Mullers"],
        ["Strasse", "Straße", "Strassen"],
        ["ängste", "Ängste", "Ängste 2", "beginn", "Übergänge", "Zwang"],
        ["de Vries", "Vries", "Zoe"], ["Di Silva", "di Silva Fred", "Disilva"],
        // CLDR: by accents only behind all letters, from the front; small before capital.
        ["cote", "coté", "côte", "côté"], ["resume", "Resume", "résumé", "Résumé"],
        ["a", "A", "á", "Á", "à", "ă", "â", "å", "ä", "ã", "ą", "ā", "aa", "ae", "æ", "Æ", "af"],
        ["d", "đ", "Đ", "ð", "e", "é", "ə", "f"], ["h", "ħ", "i", "ı", "j"], ["l", "ĺ", "ľ", "ļ", "ł", "m"],
        ["n", "ň", "ñ", "ŋ", "o", "ó", "ö", "ő", "ø", "oe", "œ", "p"], ["q", "ĸ", "r"],
        ["s", "ş", "ss", "ß", "st", "t", "ŧ", "u"], ["z", "ź", "ž", "ż", "ʒ", "þ"], ["lz", "łz", "m"],
        // Signs, digits, letters, and scripts in that order.
        [
            " ", "_", "-", ",", ";", ":", "!", "?", ".", "'", "\"", "(", ")", "[", "]", "{", "}", "@", "*",
            "/",
            "\\", "&", "#", "%", "`", "^", "+", "<", "=", ">", "|", "~", "$", "0", "9", "a", "z", "α", "я",
            "日",
        ],
        ["Gruppe 1", "Gruppe 10", "Gruppe 2"], ["α", "Α", "β"], ["я", "Я"], ["", " ", "a"], ["a b", "ab"],
        ["a-b", "ab"],
    ])
    func `RP-26 names come in the order of dictionaries`(_ names: [String]) {
        for (index, name) in names.enumerated() {
            for other in names.dropFirst(index + 1) {
                #expect(SortKey(name) < SortKey(other), "\(name) < \(other)")
                #expect(!(SortKey(other) < SortKey(name)), "\(other) < \(name)")
            }
        }
    }

    @Test(arguments: [
        ("é", "e\u{301}"), ("Å", "\u{212B}"), ("fi", "\u{FB01}"), ("1", "\u{FF11}"), ("3", "٣"),
        ("a b", "a\u{A0}b"),
        ("ab", "a\u{AD}b"), ("ab", "a\u{200D}b"), ("ab", "\u{202E}ab"), ("ab", "a\u{0}b"),
    ])
    func `RP-26 one name written in two ways has one place`(_ one: String, _ other: String) {
        #expect(SortKey(one) == SortKey(other))
    }

    @Test func `RP-26 equal names come by their ids, and any text has a place`() {
        let all = [("x", 3), ("X", 1), ("x", 2), ("\u{301}", 5), ("👩‍👩‍👧‍👦", 4), ("", 0)]
        let sorted = all.sorted(byName: \.0, then: \.1)
        #expect(sorted.map(\.1) == [0, 5, 4, 2, 3, 1])
    }
}
