/// Codes as people type and copy them, read in one way before anything is looked up or counted.
package enum TypedCode {
    /// A code of digits: those of every script become 0 to 9; blanks, dashes, full stops and signs without a shape are left
    /// out. Everything else stays, and makes the code a wrong one.
    package static func digits(_ text: String) -> String {
        var plain = String.UnicodeScalarView()
        for sign in text.unicodeScalars where !isLeftOut(sign) && !fullStops.contains(sign) {
            plain.append(sign.decimalDigit.map { Unicode.Scalar(UInt8(ascii: "0") + $0) } ?? sign)
        }
        return String(plain)
    }

    /// A code with letters: blanks, dashes and signs without a shape are left out.
    package static func letters(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { !isLeftOut($0) }))
    }

    private static let fullStops: Set<Unicode.Scalar> = [".", "\u{FF0E}", "\u{3002}", "\u{06D4}"]

    private static func isLeftOut(_ sign: Unicode.Scalar) -> Bool {
        let properties = sign.properties
        return properties.isWhitespace || properties.isDash || sign.isInvisible
    }
}
