import Database
import Records
import Studies
import Wire

/// What an outcome at a time point is computed from (ST-4): the sheets of its questionnaire there, and those that it begins with, if there
/// are any.
struct TimePointOutcome: Sendable {
    private let scale: String
    private let end: StudyItem
    let begin: StudyItem?
    private let groups: TrialDesign

    /// Nil for an outcome by the day, and one at a time point at which its questionnaire does not stand.
    init?(
        _ outcome: TrialDesign.Outcome, _ groups: TrialDesign, in study: ID<Study>,
        _ connection: borrowing Connection
    ) throws {
        guard let key = outcome.timePoint, let points = try StudyStore.find(study, connection)?.timePoints
        else { return nil }
        let items = try StudyItemStore.all(of: outcome.key, in: study, connection)
        guard let end = items.first(where: { $0.timePoint == key }) else { return nil }
        self.init(scale: outcome.scale, end: end, among: items, points, groups)
    }

    init(
        scale: String, end: StudyItem, among items: [StudyItem], _ points: [TimePoint], _ groups: TrialDesign
    ) {
        self.scale = scale
        self.end = end
        self.groups = groups
        begin = OutcomeBegins.begin(of: end, among: items, points)
    }

    /// The values of each participant that has all of them.
    func pairs(_ connection: borrowing Connection) throws -> [ID<Enrolment>: GroupComparison.Pair] {
        let ends = try values(at: end, connection)
        guard let begin else { return ends.mapValues { GroupComparison.Pair(begin: nil, end: $0) } }
        let begins = try values(at: begin, connection)
        return ends.reduce(into: [:]) { pairs, end in
            guard let begin = begins[end.key] else { return }
            pairs[end.key] = GroupComparison.Pair(begin: begin, end: end.value)
        }
    }

    private func values(
        at item: StudyItem, _ connection: borrowing Connection
    ) throws -> [ID<Enrolment>: Double] {
        let value = TrialDesign.value(of: scale, begins: item, in: groups)
        return try TimePointValueStore.all(of: scale, at: item, connection).compactMapValues(value.of)
    }

    /// The participants that have all values, without reading them.
    func complete(_ connection: borrowing Connection) throws -> Set<ID<Enrolment>> {
        let ends = try TimePointValueStore.people(with: scale, at: end, connection)
        guard let begin else { return ends }
        return ends.intersection(try TimePointValueStore.people(with: scale, at: begin, connection))
    }
}
