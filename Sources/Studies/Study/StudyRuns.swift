import Wire

/// The times when a study ran: switched on by its leads, begun and not over.
package struct StudyRuns: Sendable {
    package let ranges: [Range<Instant>]

    /// In whole seconds, so that the last one still counts.
    package func hold(_ at: Instant) -> Bool {
        ranges.contains { $0.lowerBound.seconds <= at.seconds && at.seconds <= $0.upperBound.seconds }
    }

    /// The last end of a run before a moment; nil before the first.
    package func end(before moment: Instant) -> Instant? {
        ranges.map(\.upperBound).filter { $0 < moment }.max()
    }
}
