/// Spreads prompts over a window of the day (TYS-6): one at a random moment of each of its equal parts. It draws once
/// for each prompt and never repeats a draw, so it always ends.
public enum PromptSpread {
    /// The least minutes between two prompts: sooner they would be one interruption.
    public static let leastMinutesApart = 15

    /// Whether a window has room for so many: each has more than so many minutes for itself.
    public static func fits(
        _ amount: Int, from start: ClockTime, to end: ClockTime, gap: Int = leastMinutesApart
    ) -> Bool {
        amount <= most(in: end.minutes - start.minutes, gap: gap)
    }

    /// How many have room in so many minutes.
    static func most(in minutes: Int, gap: Int = leastMinutesApart) -> Int { max(0, (minutes - 1) / gap) }

    /// Times of day in order, each at least so many minutes after the one before and away from fixed times.
    /// Where a part has no room left, the moment farthest from fixed times is taken.
    ///
    /// - Parameters:
    ///   - amount: how many; `fits` tells whether the window has room for them.
    ///   - end: the first minute outside of the window.
    ///   - fixed: other prompts of the same day.
    ///   - gap: in minutes.
    public static func clocks(
        _ amount: Int, from start: ClockTime, to end: ClockTime, apartFrom fixed: [ClockTime] = [],
        gap: Int = leastMinutesApart, _ chance: inout SplitMix64
    ) -> [ClockTime] {
        let window = end.minutes - start.minutes
        var clocks: [ClockTime] = []
        var last: Int = .min / 2
        for index in 0..<amount {
            let from = max(start.minutes + window * index / amount, last + gap)
            let to = max(from + 1, start.minutes + window * (index + 1) / amount)
            let distance = { (minute: Int) in fixed.map { abs($0.minutes - minute) }.min() ?? .max }
            let free = fixed.isEmpty ? [] : (from..<to).filter { distance($0) >= gap }
            if fixed.isEmpty {
                last = from + chance.number(below: to - from)
            } else if free.isEmpty {
                last = (from..<to).max { distance($0) < distance($1) } ?? from
            } else {
                last = free[chance.number(below: free.count)]
            }
            clocks.append(ClockTime(minutes: last))
        }
        return clocks
    }
}
