import Scheduling
import Wire

/// How far one kind of measurement was fetched. What a device keeps for days reaches its provider late (RP-101).
struct PullCursor: Sendable, Equatable {
    /// The end of the last window, or the time of the fetch; an interrupted fetch goes on from there.
    var until: Instant
    /// The last local day that had anything.
    var lastDay: LocalDate?
    /// The local day on which the last four weeks were fetched again.
    var sweptOn: LocalDate?

    /// For a new link: so many days of the person's calendar back, some of which have 23 or 25 hours.
    static let daysBack = 30
    /// Devices keep what they could not hand over for five days to four weeks. Four weeks with today, and no day more: Polar forgets what is
    /// older, and of a day that is asked for an empty answer says that it was removed.
    static let lateDays = 27

    /// The first day of a fetch: from the last day that had anything, yesterday at the latest; once a day four weeks back. A longer
    /// gap, as while a consent was missing, is fetched whole.
    static func first(_ cursor: PullCursor?, today: LocalDate, in zone: Zone) -> LocalDate {
        guard let cursor else { return today.adding(days: -daysBack) }
        let oldest = today.adding(days: -lateDays)
        let reached = min(LocalTime(cursor.until, zone).date, today).adding(days: -1)
        let known = cursor.lastDay.map { max($0, oldest) } ?? today
        return min(reached, known, cursor.sweptOn == today ? today : oldest)
    }

    /// - Parameter day: the last day of what was fetched that had anything; nil for none.
    mutating func move(to end: Instant, having day: LocalDate?, on today: LocalDate) {
        until = end
        lastDay = [lastDay, day].compactMap(\.self).max()
        sweptOn = today
    }
}
