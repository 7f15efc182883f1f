import Wire

/// When a study ran: switched on by its leads, begun and not over.
package struct StudyRuns: Sendable {
    let ranges: [Range<Instant>]

    /// By whole seconds, so that the last one still counts.
    package func hold(_ at: Instant) -> Bool {
        ranges.contains { $0.lowerBound.seconds <= at.seconds && at.seconds <= $0.upperBound.seconds }
    }
}
