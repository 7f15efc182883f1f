public import Wire

/// The pause after a failed try: five seconds, doubled each time, up to a quarter of an hour; half of it random, so
/// that many phones that lost the portal together do not come back together.
public enum BackOff {
    static let first = 5.0
    static let longest = 900.0

    /// - Parameters:
    ///   - failures: in a row, from 1.
    ///   - chance: from 0 up to 1.
    /// - Returns: seconds.
    public static func delay(after failures: Int, chance: Double) -> Double {
        let full = min(longest, first * Double(1 << min(max(failures, 1) - 1, 20)))
        return full * (0.5 + chance / 2)
    }
}

/// The time of the next synchronisation of an idle app.
public enum SyncSchedule {
    static let shown: Int64 = 60
    static let hidden: Int64 = 900

    /// A minute after the last while the app is shown, else a quarter of an hour; never before a back-off ends.
    public static func next(after last: Instant, isShown: Bool, notBefore: Instant) -> Instant {
        max(last.adding(seconds: isShown ? shown : hidden), notBefore)
    }
}
