import Wire

extension Submission {
    /// The sheet as it counts where its window opens at a moment: a phone whose clock runs up to five minutes behind has
    /// completed it at the opening, not before it. Sent again it counts the same.
    package func counted(from opening: Instant) -> Submission {
        let isBefore = completedAt.seconds < opening.seconds
        guard isBefore, completedAt.adding(seconds: Self.clockSlackSeconds).seconds >= opening.seconds else {
            return self
        }
        return Submission(
            reason: reason, startedAt: startedAt, completedAt: opening, timezone: timezone, answers: answers,
            answeredAt: answeredAt, sensors: sensors, details: details)
    }
}
