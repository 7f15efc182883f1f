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

    /// A stretch of time with one plan and one date of the anchor.
    struct Stretch {
        /// Nil where the anchor has no date.
        let days: ClosedRange<LocalDate>?
        let from: Instant
        let to: Instant
    }

    private struct Open {
        var at: Instant
        var until: Instant
    }

    /// - Parameter stretches: the earliest first.
    /// - Returns: nil where none of them is ever open.
    func prompt(_ stretches: [Stretch]) -> Prompt? {
        var open: Open?
        for stretch in stretches { open = next(stretch, after: open) }
        return open.map { Prompt(openFrom: $0.at, until: $0.until, zones) }
    }

    private func next(_ stretch: Stretch, after before: Open?) -> Open? {
        let isRunning = before.map { $0.until >= stretch.from } ?? false
        guard let days = stretch.days else { return isRunning ? nil : before }
        let end = zones.begin(of: days.upperBound.adding(days: 1)).adding(seconds: -1)
        let first = max(zones.begin(of: days.lowerBound), stretch.from)
        if end < stretch.from {
            // Shortened to days that are over: it ends now.
            let now = stretch.from.adding(seconds: -1)
            return before.map { Open(at: $0.at, until: isRunning ? max($0.at, now) : $0.until) }
        }
        // Moved away, and moved again before it came.
        if first >= stretch.to { return isRunning ? nil : before }
        guard let at = begin(first, through: end), at < stretch.to else { return before }
        if let before, before.until >= at { return Open(at: before.at, until: end) }
        return Open(at: at, until: end)
    }

    /// The first moment of a window at which the study runs.
    private func begin(_ begin: Instant, through end: Instant) -> Instant? {
        if runs.hold(begin) { return begin }
        return runs.ranges.map(\.lowerBound).filter { $0 > begin && $0 <= end }.min()
    }
}
