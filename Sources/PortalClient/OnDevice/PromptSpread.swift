/// Spreads prompts over a window of the day: one at a random moment of each equal part, at least fifteen minutes apart
/// (TYS-6). It draws once for each prompt; nothing is drawn again until it fits, so it always ends.
public enum PromptSpread {
    /// Minutes between two prompts.
    public static let gap = 15

    /// - Parameters:
    ///   - amount: how many; less than the window has quarters of an hour.
    ///   - from: the first minute of the window, counted from midnight; exchanged with `till` when it comes after.
    ///   - till: the minute the window ends before.
    /// - Returns: minutes from midnight, in order; nil when the window is too short for the amount, or there is none.
    public static func times(
        _ amount: Int, from: Int, till: Int, using chance: inout some RandomNumberGenerator
    ) -> [Int]? {
        let begin = min(from, till)
        let end = max(from, till)
        guard amount > 0, begin >= 0, end <= 24 * 60, amount * gap < end - begin else { return nil }
        var times: [Int] = []
        for part in 0..<amount {
            let first = begin + (end - begin) * part / amount
            let last = begin + (end - begin) * (part + 1) / amount - 1
            // A part is longer than the gap, so there is always a minute left in it.
            let earliest = max(first, (times.last ?? begin - gap) + gap)
            times.append(Int.random(in: earliest...max(earliest, last), using: &chance))
        }
        return times
    }
}
