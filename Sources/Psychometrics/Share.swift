/// A part of a whole in per cent.
public enum Share {
    /// Rounded half up to a whole number, but 100 only for all and 0 only for none: 199 of 200 are 99 per cent, 1 of 250 is 1.
    /// - Returns: 0 where `all` is 0 or less.
    public static func percent(_ number: Int, of all: Int) -> Int {
        guard all > 0 else { return 0 }
        let rounded = Int((Double(number) / Double(all) * 100).rounded())
        if number > 0, number < all { return min(max(rounded, 1), 99) }
        return rounded
    }
}
