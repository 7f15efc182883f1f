import Questionnaires
import Responses
import Rules
import Therapies
import Wire

/// The time between two sessions: what it is cut by, what happened in it, and its sum.
struct Interval: Sendable {
    /// The session it begins with; nil before the first.
    let begin: SessionList.Numbered?
    /// The session it ends with; nil for the one that is not over.
    let end: SessionList.Numbered?
    /// The newest first; the session it begins with stands at its end.
    var entries: [TimelineEvent] = []
    var delivered = 0
    var answered = 0
    /// Whether all of it is on the page.
    var isWhole = true

    /// Cuts time by the sessions that were held, the newest interval first.
    static func cut(
        _ entries: [TimelineEvent], by sessions: SessionList, dailies: [DailyStore.Slot],
        window: Range<Instant>
    ) -> [Interval] {
        let held = sessions.held
        var intervals = (0...held.count).map { index in
            Interval(begin: index > 0 ? held[index - 1] : nil, end: index < held.count ? held[index] : nil)
        }
        let starts = held.map(\.session.startsAt)
        for entry in entries { intervals[place(of: entry.at, starts)].entries.append(entry) }
        for daily in dailies where daily.isDelivered {
            let index = place(of: daily.at, starts)
            intervals[index].delivered += 1
            if daily.isAnswered { intervals[index].answered += 1 }
        }
        for index in intervals.indices {
            let begin = index > 0 ? starts[index - 1] : .distantPast
            let end = index < starts.count ? starts[index] : .distantFuture
            intervals[index].isWhole = window.lowerBound <= begin && window.upperBound >= end
        }
        return intervals.reversed().filter {
            !$0.entries.isEmpty || ($0.end == nil && window.upperBound == .distantFuture)
        }
    }

    /// How many sessions had begun by then, found by halving.
    private static func place(of instant: Instant, _ starts: [Instant]) -> Int {
        var low = 0
        var high = starts.count
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= instant { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// How many dailies count, how many of them told of a thought of the therapy, and the mood that came with it.
    var thoughts: (answers: Int, yes: Int, mood: (mean: Double, n: Int)?) {
        var answers = 0
        var yes = 0
        var moods: [Double] = []
        let dailies = entries.compactMap(\.contribution?.summary).filter { $0.isDaily && !$0.isExtra }
        for daily in dailies {
            for score in daily.scores {
                if score.scale == "thought", let value = score.value {
                    answers += 1
                    if value == 1 { yes += 1 }
                }
                if score.scale == "feeling", let value = score.value { moods.append(value) }
            }
        }
        let mean = moods.isEmpty ? nil : (moods.reduce(0, +) / Double(moods.count), moods.count)
        return (answers, yes, mean)
    }

    /// How many of the interventions given in it were completed, whenever that was.
    var completed: Int {
        entries.count { event in
            if case .intervention(let record, _, _) = event.content { return record.completedAt != nil }
            return false
        }
    }

    var sheets: Int { entries.count { $0.kind == .contribution } }
}
