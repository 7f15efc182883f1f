import Wire

extension Submission {
    /// The sheet for a window that opens at a moment: completed up to five minutes earlier, by a phone whose clock is
    /// slow, it counts as completed at the opening. Sent again it counts the same.
    package func counted(from opening: Instant) -> Submission {
        let isBefore = completedAt.seconds < opening.seconds
        guard isBefore, completedAt.adding(seconds: Self.clockSlackSeconds).seconds >= opening.seconds else {
            return self
        }
        var counted = self
        counted.completedAt = opening
        return counted
    }
}
