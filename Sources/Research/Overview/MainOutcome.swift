import Database
import Records
import Scheduling
import Studies
import Wire
import Wording

/// The primary outcomes, and whether their result is final. Before, none of it is told by group.
struct MainOutcome: Sendable {
    /// Empty before it is final.
    let comparisons: [GroupComparison]
    /// For how many participants all values of the first one are in; nil where none is named.
    let standing: (complete: Int, people: Int)?
    /// Whether allocation is closed, and the last time of measurement has passed for all.
    let isOver: Bool

    init(
        of study: StudyRecord, groups stored: GroupStore.Stored?, _ people: [EnrolmentRecord],
        at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        guard let stored else {
            comparisons = []
            standing = nil
            isOver = false
            return
        }
        let entered = study.timePoints.contains { $0.window.anchor.isOwn }
        let dates = entered ? try AnchorStore.all(in: study.id, connection) : [:]
        let isAwaited = people.contains { person in
            guard person.state == .enrolled else { return false }
            let own = dates[person.id] ?? [:]
            return stored.groups.outcomes.contains {
                Self.isAwaited($0, of: person, dates: own, in: study.timePoints, at: now)
            }
        }
        let hasStopped = study.archivedAt != nil || study.hasEnded(at: now)
        isOver = stored.closedAt != nil && (hasStopped || !isAwaited)
        let main = stored.groups.outcomes.filter(\.isPrimary)
        standing = try main.first.map {
            try GroupComparison.complete($0, stored.groups, in: study.id, of: people, connection)
        }
        comparisons =
            try !isOver
            ? []
            : main.map { try GroupComparison($0, stored.groups, in: study.id, of: people, connection) }
    }

    /// For what was completed at a time point and comes later.
    private static let lateDays = 7

    /// Whether a value of a participant may still come in.
    private static func isAwaited(
        _ outcome: TrialDesign.Outcome, of person: EnrolmentRecord, dates: [String: [AnchorDate]],
        in points: [TimePoint], at now: Instant
    ) -> Bool {
        guard let begin = person.day else { return false }
        let today = LocalTime(now, person.zone).date
        switch outcome.when {
        case .day(let day): return today <= begin.adding(days: day + GroupComparison.reach(day))
        case .timePoint(let key, _):
            guard let window = points[key]?.window else { return false }
            // Another session may come as long as the study lasts.
            if window.anchor == .eachSession { return true }
            let date = window.date(enrolledOn: begin, entered: dates[key]?.last?.date)
            // Before a lead enters the date there is all the time.
            return date.map { today <= window.days(from: $0).upperBound.adding(days: lateDays) } ?? true
        }
    }

    func words(_ texts: Texts) -> String? {
        standing.map { texts.count("studies.outcome_in", $0.complete, of: $0.people) }
    }

    func reason(_ texts: Texts) -> String {
        texts[standing == nil ? "studies.outcome_none" : "studies.outcome_later"]
    }
}
