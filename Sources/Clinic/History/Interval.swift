import Scheduling
import Therapies
import Wire

/// The time between two sessions: its limits, its sums, and its shown entries.
struct Interval: Sendable {
    /// The session it begins with; nil before the first.
    let begin: SessionList.Numbered?
    /// The session it ends with; nil for the present one.
    let end: SessionList.Numbered?
    let sums: IntervalSums
    /// The newest first; the session it begins with is the last. Empty while it is folded.
    var entries: [TimelineEvent] = []

    /// Its name in addresses.
    var anchor: String { begin?.anchor ?? "session-0" }
    var from: Instant { begin?.session.startsAt ?? .distantPast }
    var until: Instant { end?.session.startsAt ?? .distantFuture }

    /// All of them with their sums, the earliest first, without entries.
    static func all(_ sessions: SessionList, _ history: TherapyHistory) -> [Interval] {
        let held = sessions.held
        let sums = IntervalSums.all(history, held.map(\.session.startsAt))
        return sums.indices.map { index in
            Interval(
                begin: index > 0 ? held[index - 1] : nil, end: index < held.count ? held[index] : nil,
                sums: sums[index])
        }
    }

    /// Adds each entry to its interval.
    static func fill(_ intervals: [Interval], with entries: [TimelineEvent]) -> [Interval] {
        var filled = intervals
        let starts = intervals.dropFirst().map(\.from)
        for entry in entries { filled[place(of: entry.at, starts)].entries.append(entry) }
        return filled
    }

    /// How many sessions had begun by then.
    static func place(of instant: Instant, _ starts: [Instant]) -> Int {
        starts.partitioningIndex { $0 > instant }
    }
}
