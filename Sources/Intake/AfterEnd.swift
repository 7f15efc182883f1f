import Contributions
import Delivery
import Therapies
import Web
import Wire
import Wording

/// A device's sheet was completed after its therapy, its study or its questionnaire had ended, within the time that the device had
/// been told. It is refused, and lies with its therapist or the leads (RP-103).
struct AfterEnd: Error {
    /// The answer to the client.
    let problem: Problem
    let owner: Quarantine.Owner

    /// Nil more than 30 days after the end: a device that old has nothing to decide about.
    init?(_ problem: Problem, at end: Instant?, for owner: Quarantine.Owner, now: Instant) {
        guard let end, now <= end.adding(days: Quarantine.endedDays) else { return nil }
        self.problem = problem
        self.owner = owner
    }
}

extension Therapy {
    /// Sheets completed before the end of a therapy are taken for 30 days.
    /// - Parameters:
    ///   - asked: when it was asked for; nil for what has no window.
    ///   - told: until when the device had been told that it is open.
    /// - Throws: `AfterEnd` for what had been asked before the end, and was completed later within its window.
    func requireRunning(
        completed: Instant, asked: Instant? = nil, until told: Instant? = nil, now: Instant
    ) throws {
        guard let ended = endedAt else { return }
        let isIn = completed.seconds <= ended.seconds
        if isIn, now <= ended.adding(days: Quarantine.endedDays) { return }
        let problem = Problem.forbidden(Message("problems.therapy_ended"))
        guard !isIn, let asked, let told, asked <= ended, completed.seconds <= told.seconds else {
            throw problem
        }
        throw AfterEnd(problem, at: ended, for: .therapy(id), now: now) ?? problem
    }
}

extension TherapyTarget {
    /// - Throws: `AfterEnd` for what was completed after the end of its therapy, within its window, and was not withdrawn
    ///   before.
    func requireRunning(completed: Instant, now: Instant) throws {
        let ended = therapy.endedAt ?? .distantFuture
        let isWithdrawn =
            assignment?.withdrawnAt.map { $0 < ended && completed.seconds > $0.seconds } ?? false
        try therapy.requireRunning(
            completed: completed, asked: isWithdrawn ? nil : opens, until: closes, now: now)
    }
}
