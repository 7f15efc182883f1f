extension Unicode.Scalar {
    /// Whether a sign has no shape of its own: marks of direction, joiners, zero-width blanks, soft hyphens.
    package var isInvisible: Bool {
        if isASCII { return false }
        return properties.generalCategory == .format || properties.isDefaultIgnorableCodePoint
    }

    /// The general category Cc of Unicode.
    package var isControl: Bool { value < 0x20 || (0x7f...0x9f).contains(value) }

    /// The value of a decimal digit of any script.
    package var decimalDigit: UInt8? {
        if isASCII { return (0x30...0x39).contains(value) ? UInt8(value) - 0x30 : nil }
        guard properties.generalCategory == .decimalNumber else { return nil }
        return properties.numericValue.flatMap { UInt8(exactly: $0) }
    }
}
