import Therapies
import Wire

/// The time between two sessions: what it is cut by, what it comes to, and what of it is shown.
struct Interval: Sendable {
    /// The session it begins with; nil before the first.
    let begin: SessionList.Numbered?
    /// The session it ends with; nil for the one that is not over.
    let end: SessionList.Numbered?
    let sums: IntervalSums
    /// The newest first; the session it begins with stands at its end. Empty while it is folded.
    var entries: [TimelineEvent] = []

    /// What its address calls it.
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

    /// Puts entries where they belong.
    static func fill(_ intervals: [Interval], with entries: [TimelineEvent]) -> [Interval] {
        var filled = intervals
        let starts = intervals.dropFirst().map(\.from)
        for entry in entries { filled[place(of: entry.at, starts)].entries.append(entry) }
        return filled
    }

    /// How many sessions had begun by then, found by halving.
    static func place(of instant: Instant, _ starts: [Instant]) -> Int {
        var low = 0
        var high = starts.count
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= instant { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
