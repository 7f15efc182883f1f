import Database
import Records
import Wire
import Wording

/// What an outcome at a time point begins with (ST-4). Once there are participants it stays: they are compared as it was planned.
package enum OutcomeBegins {
    /// The same questionnaire as the study's baseline, else at its earliest time point before; nil without either.
    /// - Parameters:
    ///   - end: the key of the outcome's time point.
    ///   - items: those of its questionnaire.
    package static func begin(
        at end: String?, among items: [StudyItem], _ points: [TimePoint]
    ) -> StudyItem? {
        let baseline = items.first { $0.timePoint == nil && $0.baseline != nil }
        if let baseline { return baseline }
        guard let named = end.flatMap({ points[$0] }) else { return nil }
        // What comes again with sessions or events has no place before the others.
        let placed = items.filter { !$0.isAskedEachSession && $0.event == nil }
        let earlier = placed.compactMap { item -> (item: StudyItem, point: TimePoint)? in
            guard let point = item.timePoint.flatMap({ points[$0] }) else { return nil }
            return point != named && points.isEarlier(point, than: named) ? (item, point) : nil
        }
        // Days can be compared where they are counted from the same; the order of the list says the rest.
        let days = earlier.filter { points.isCounted($0.point, as: named) }
        let place = { (point: TimePoint) in points.firstIndex(of: point) ?? 0 }
        let first =
            days.min { $0.point.window.day < $1.point.window.day }
            ?? earlier.min { place($0.point) < place($1.point) }
        return first?.item
    }

    /// Changes what a study asks, and when.
    /// - Throws: `Problem.conflict` where an outcome would begin with something else than it did when people enrolled, or
    ///   would make something else of several values; and for one of the therapy, where the study would ask it itself. `Problem.invalid`
    ///   where its time point would be gone.
    package static func keep(
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
            let begin = begin(at: outcome.timePoint, among: own, points)
            return Compared(
                begin: begin?.id,
                beginValue: begin.map { TrialDesign.value(of: outcome.scale, begins: $0, in: groups) },
                endValue: value)
        }
    }
}
