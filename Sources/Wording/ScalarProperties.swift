extension Unicode.Scalar {
    /// The general category Cc of Unicode.
    package var isControl: Bool { value < 0x20 || (0x7f...0x9f).contains(value) }
}
