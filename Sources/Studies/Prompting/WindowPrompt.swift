import Records
import Scheduling
import Wire

/// The one prompt of a questionnaire that is asked once at a time point: open on all of its days (ST-1).
///
/// A plan, or a date that a lead enters, counts from its own moment on. Of several windows the last one that comes to be open
/// counts; one that goes on where the one before is open still is the same prompt, longer or shorter.
struct WindowPrompt {
    let runs: StudyRuns
    let zones: ParticipantZones

    private struct Open {
        var at: Instant
        var until: Instant
    }

    /// - Parameter stretches: the windows of the time point, each with the stretch of time for which it is planned, the earliest first.
    /// - Returns: nil where none of them is ever open.
    func prompt(_ stretches: [(days: ClosedRange<LocalDate>, from: Instant, to: Instant)]) -> Prompt? {
        var open: Open?
        for (days, from, to) in stretches {
            let end = zones.begin(of: days.upperBound.adding(days: 1)).adding(seconds: -1)
            guard let at = begin(max(zones.begin(of: days.lowerBound), from), through: end), at < to else {
                continue
            }
            if let before = open, before.until >= at {
                open = Open(at: before.at, until: end)
            } else {
                open = Open(at: at, until: end)
            }
        }
        return open.map { Prompt(openFrom: $0.at, until: $0.until, zones) }
    }

    /// The first moment of a window at which the study runs.
    private func begin(_ begin: Instant, through end: Instant) -> Instant? {
        if begin > end { return nil }
        if runs.hold(begin) { return begin }
        return runs.ranges.map(\.lowerBound).filter { $0 > begin && $0 <= end }.min()
    }
}
