import Testing

@testable import Wire

/// Codes as people type and copy them.
@Suite struct TypedCodeTests {
    static let digits: [(typed: String, read: String)] = [
        ("3942 0603", "39420603"), ("3942-0603", "39420603"), ("3942.0603", "39420603"),
        // En dash, minus sign, non-breaking blank, the full stop of Chinese.
        ("3942\u{2013}0603", "39420603"), ("3942\u{2212}0603", "39420603"), ("3942\u{A0}0603", "39420603"),
        ("3942\u{3002}0603", "39420603"),
        // Marks of direction from copying, a zero-width blank, a byte order mark, a soft hyphen.
        ("\u{202A}39420603\u{202C}", "39420603"), ("\u{2066}3942\u{200B}0603\u{2069}", "39420603"),
        ("\u{FEFF}3942\u{AD}0603", "39420603"),
        // Arabic, Persian, Devanagari, full width.
        ("٣٩٤٢٠٦٠٣", "39420603"), ("۳۹۴۲ ۰۶۰۳", "39420603"), ("३९४२०६०३", "39420603"),
        ("３９４２０６０３", "39420603"),
        // Letters stay, and digits that are no decimal ones.
        ("3942O603", "3942O603"), ("394²0603", "394²0603"), ("Code 39420603", "Code39420603"), ("", ""),
    ]

    @Test(arguments: digits)
    func `RP-214 digits are read in every script, and letters stay`(typed: String, read: String) {
        #expect(TypedCode.digits(typed) == read)
    }

    static let letters: [(typed: String, read: String)] = [
        ("ABCD-EFGH", "ABCDEFGH"), ("ABCD\u{2013}EFGH\u{200B}", "ABCDEFGH"), (" abcd efgh ", "abcdefgh"),
        ("ABCD.EFGH", "ABCD.EFGH"), ("ABCD٣", "ABCD٣"),
    ]

    @Test(arguments: letters)
    func `RP-214 of a code with letters only blanks, dashes and invisible signs are left out`(
        typed: String, read: String
    ) {
        #expect(TypedCode.letters(typed) == read)
    }
}
