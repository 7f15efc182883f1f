import Database
import Records
import Wire
import Wording

/// What an outcome at a time point begins with (ST-4). Once there are participants it stays: they are compared as it was planned.
package enum OutcomeBegins {
    /// The same questionnaire as the study's baseline, else at its earliest time point before; nil without either.
    /// - Parameters:
    ///   - end: at the outcome's time point.
    ///   - items: those of its questionnaire.
    package static func begin(
        of end: StudyItem, among items: [StudyItem], _ points: [TimePoint]
    ) -> StudyItem? {
        let baseline = items.first { $0.timePoint == nil && $0.baseline != nil }
        if let baseline { return baseline }
        guard let named = end.timePoint.flatMap({ points[$0] }) else { return nil }
        let earlier = items.compactMap { item -> (item: StudyItem, point: TimePoint)? in
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
    /// - Throws: `Problem.conflict` where an outcome would begin with something else than it did when people enrolled.
    package static func keep(
        in study: ID<Study>, _ connection: borrowing Connection, _ change: () throws -> Void
    ) throws {
        let before = try all(in: study, connection)
        try change()
        if try all(in: study, connection) != before, try StudyItemStore.hasParticipants(study, connection) {
            throw Problem.conflict(Message("studies.begin_fixed"))
        }
    }

    private static func all(
        in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> [ID<StudyItem>?] {
        let outcomes = try GroupStore.find(study, connection)?.groups.outcomes.filter { $0.timePoint != nil }
        guard let outcomes, !outcomes.isEmpty else { return [] }
        let items = try StudyItemStore.all(in: study, connection)
        let points = try StudyStore.find(study, connection)?.timePoints ?? []
        return outcomes.map { outcome in
            let own = items.filter { $0.key == outcome.key }
            let end = own.first { $0.timePoint == outcome.timePoint }
            return end.flatMap { begin(of: $0, among: own, points)?.id }
        }
    }
}
