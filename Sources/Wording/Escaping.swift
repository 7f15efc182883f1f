/// Puts something else in the place of ASCII signs of a text, as a format of files wants it.
///
/// Looks at bytes, as readers of files do: a quotation mark with a combining sign behind it is one `Character` that is no quotation mark.
package struct Escaping: Sendable {
    private let replacements: [[UInt8]?]

    /// - Parameter replacements: what stands for each sign; nothing where it is left out.
    package init(_ replacements: KeyValuePairs<Unicode.Scalar, String>) {
        var table = [[UInt8]?](repeating: nil, count: 128)
        for (sign, text) in replacements { table[Int(sign.value)] = Array(text.utf8) }
        self.replacements = table
    }

    package func callAsFunction(_ text: String) -> String {
        guard text.utf8.contains(where: { replacement($0) != nil }) else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 16)
        for byte in text.utf8 {
            if let replacement = replacement(byte) { bytes += replacement } else { bytes.append(byte) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func replacement(_ byte: UInt8) -> [UInt8]? { byte < 128 ? replacements[Int(byte)] : nil }
}

extension String {
    /// The text in one line: blanks in the place of ends of lines, of which CR and LF are one.
    package var inOneLine: String {
        var line = String.UnicodeScalarView()
        var before: Unicode.Scalar?
        for scalar in unicodeScalars {
            if !scalar.endsLine {
                line.append(scalar)
            } else if before != "\r" || scalar != "\n" {
                line.append(" ")
            }
            before = scalar
        }
        return String(line)
    }

    /// As many whole code points from the beginning as take at most so many bytes in UTF-8.
    package func prefix(bytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(startIndex, offsetBy: limit)
        while utf8[end] & 0b1100_0000 == 0b1000_0000 { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}

extension Unicode.Scalar {
    /// Line feed, tabulation of lines, form feed, carriage return, next line, and the separators of lines and paragraphs.
    fileprivate var endsLine: Bool {
        (0x0A...0x0D).contains(value) || [0x85, 0x2028, 0x2029].contains(value)
    }
}
