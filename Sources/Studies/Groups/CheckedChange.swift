import Database
import Records
import Wire
import Wording

/// The one door for changes of what a study asks, and when: what follows from its plan for participants is proved behind each of them.
package enum CheckedChange {
    /// Changes what a study asks, and when.
    /// - Throws: `Problem.conflict` where an outcome would begin with something else than it did when people enrolled, or
    ///   would make something else of several values; and for one of the therapy, where the study would ask it itself. `Problem.invalid`
    ///   where its time point would be gone.
    package static func make(
        in study: ID<Study>, _ connection: borrowing Connection, _ change: () throws -> Void
    ) throws {
        let before = try all(in: study, connection)
        let awaited = try AwaitedBaselines(in: study, connection)
        try change()
        try requirePlaces(in: study, connection)
        try awaited?.requireStaying(in: study, connection)
        try requireArms(of: study, field: "arms", "studies.item_arm_unknown", connection)
        let after = try all(in: study, connection)
        if after == before { return }
        guard try StudyItemStore.hasParticipants(study, connection) else { return }
        if after.map(\.begin) != before.map(\.begin) {
            throw Problem.conflict(Message("studies.begin_fixed"))
        }
        throw Problem.conflict(Message("studies.value_fixed"))
    }

    /// Questionnaires of single arms name arms that there are.
    /// - Throws: `Problem.invalid` otherwise.
    package static func requireArms(
        of study: ID<Study>, field: String, _ message: String, _ connection: borrowing Connection
    ) throws {
        let known = try GroupStore.find(study, connection)?.groups.arms.map(\.key) ?? []
        let items = try StudyItemStore.all(in: study, connection)
        if items.contains(where: { !Set($0.arms).isSubset(of: known) }) {
            throw Problem.invalid(field, message)
        }
    }

    /// The time points of outcomes of the therapy stay, and the study asks nothing of theirs itself there.
    private static func requirePlaces(in study: ID<Study>, _ connection: borrowing Connection) throws {
        let outcomes = try OutcomeStore.all(of: study, connection).filter { $0.source == .therapy }
        if outcomes.isEmpty { return }
        let items = try StudyItemStore.all(in: study, connection)
        let points = try StudyStore.find(study, connection)?.timePoints ?? []
        for outcome in outcomes {
            guard let key = outcome.timePoint else { continue }
            if points[key] == nil {
                throw Problem.invalid("time_points", "studies.time_point_outcome", ["key": key])
            }
            if items.contains(where: { $0.key == outcome.key && $0.timePoint == key }) {
                throw Problem.conflict(Message("studies.is_therapy_outcome"))
            }
        }
    }

    /// What an outcome compares.
    private struct Compared: Equatable {
        var begin: ID<StudyItem>?
        var beginValue: TrialDesign.Outcome.Value?
        var endValue: TrialDesign.Outcome.Value?
    }

    private static func all(
        in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> [Compared] {
        let groups = try GroupStore.find(study, connection)?.groups
        let outcomes = groups?.outcomes.filter { $0.timePoint != nil } ?? []
        if outcomes.isEmpty { return [] }
        let items = try StudyItemStore.all(in: study, connection)
        let points = try StudyStore.find(study, connection)?.timePoints ?? []
        return outcomes.map { outcome in
            let own = items.filter { $0.key == outcome.key }
            let end = own.first { $0.timePoint == outcome.timePoint }
            let value: TrialDesign.Outcome.Value
            if outcome.source == .therapy {
                guard let point = outcome.timePoint.flatMap({ points[$0] }) else { return Compared() }
                value = TrialDesign.value(of: outcome, at: point)
            } else {
                guard let end else { return Compared() }
                value = TrialDesign.value(of: outcome.scale, at: end, in: groups)
            }
            let begin = OutcomeBegins.begin(at: outcome.timePoint, among: own, points)
            return Compared(
                begin: begin?.id,
                beginValue: begin.map { TrialDesign.value(of: outcome.scale, begins: $0, in: groups) },
                endValue: value)
        }
    }
}
