/// Cells of a comma-separated file (RFC 4180), as bytes: an export writes millions of them.
package enum CSV {
    package static let comma = UInt8(ascii: ",")
    private static let quote = UInt8(ascii: "\"")
    private static let apostrophe = UInt8(ascii: "'")

    /// Appends a cell. A value that a spreadsheet would take for a formula gets an apostrophe in front; a signed number
    /// does not.
    package static func append(_ text: String, separator: UInt8 = comma, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { cell in
            guard let first = cell.first else { return }
            let isFormula = beginsFormula(first) && !isNumber(cell)
            if cell.contains(where: { breaks($0, separator) }) {
                bytes.append(quote)
                if isFormula { bytes.append(apostrophe) }
                for byte in cell {
                    if byte == quote { bytes.append(quote) }
                    bytes.append(byte)
                }
                bytes.append(quote)
            } else {
                if isFormula { bytes.append(apostrophe) }
                bytes.append(contentsOf: cell)
            }
        }
    }

    /// Appends cells with what separates them.
    package static func append(
        cells: some Sequence<String>, separator: UInt8 = comma, to bytes: inout [UInt8]
    ) {
        var isFirst = true
        for cell in cells {
            if !isFirst { bytes.append(separator) }
            isFirst = false
            append(cell, separator: separator, to: &bytes)
        }
    }

    /// Appends cells as a line with its end.
    package static func append(
        line cells: some Sequence<String>, separator: UInt8 = comma, to bytes: inout [UInt8]
    ) {
        append(cells: cells, separator: separator, to: &bytes)
        bytes += lineEnd
    }

    package static let lineEnd: [UInt8] = [UInt8(ascii: "\r"), UInt8(ascii: "\n")]

    private static func breaks(_ byte: UInt8, _ separator: UInt8) -> Bool {
        byte == separator || byte == quote || byte == lineEnd[0] || byte == lineEnd[1]
    }

    private static func beginsFormula(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "=", "+", "-", "@", "\t", "\r", "\0": true
        default: false
        }
    }

    /// A minus, followed by a number with a point or a comma.
    private static func isNumber(_ cell: UnsafeBufferPointer<UInt8>) -> Bool {
        guard cell.first == UInt8(ascii: "-"), cell.allSatisfy({ "0123456789.,eE-".utf8.contains($0) })
        else { return false }
        return Double(String(decoding: cell, as: UTF8.self).replacing(",", with: ".")) != nil
    }
}
