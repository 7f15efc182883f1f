public import Wire

/// How long to wait after a try that failed: five seconds, doubled each time, up to a quarter of an hour; half of it by
/// chance, so that many phones that lost the portal together do not come back together.
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

/// When an app that nobody touches synchronises next.
public enum SyncSchedule {
    static let shown: Int64 = 60
    static let hidden: Int64 = 900

    /// A minute after the last time while the app is shown, a quarter of an hour while it is not; not before the end of a
    /// back-off.
    public static func next(after last: Instant, isShown: Bool, notBefore: Instant) -> Instant {
        max(last.adding(seconds: isShown ? shown : hidden), notBefore)
    }
}
