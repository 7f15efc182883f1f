import Database
import Records
import Studies
import Wire

/// What an outcome at a time point is computed from (ST-4): the sheets of its questionnaire there, and those that it begins with, if there
/// are any.
struct TimePointOutcome: Sendable {
    private enum End {
        case study(StudyItem)
        case therapy(TherapyOutcome)
    }

    private let scale: String
    private let end: End
    let begin: StudyItem?
    private let groups: TrialDesign

    /// Nil for an outcome by the day, and one at a time point at which its questionnaire does not stand.
    init?(
        _ outcome: TrialDesign.Outcome, _ groups: TrialDesign, in id: ID<Study>, of people: [EnrolmentRecord],
        _ connection: borrowing Connection
    ) throws {
        guard let key = outcome.timePoint, let study = try StudyStore.find(id, connection) else { return nil }
        let items = try StudyItemStore.all(of: outcome.key, in: id, connection)
        if let therapy = try TherapyOutcome(outcome, in: study, of: people, connection) {
            self.init(
                outcome.scale, .therapy(therapy),
                begin: OutcomeBegins.begin(at: key, among: items, study.timePoints), groups)
            return
        }
        guard outcome.source == .study, let end = items.first(where: { $0.timePoint == key })
        else { return nil }
        self.init(scale: outcome.scale, end: end, among: items, study.timePoints, groups)
    }

    init(
        scale: String, end: StudyItem, among items: [StudyItem], _ points: [TimePoint], _ groups: TrialDesign
    ) {
        self.init(
            scale, .study(end), begin: OutcomeBegins.begin(at: end.timePoint, among: items, points), groups)
    }

    private init(_ scale: String, _ end: End, begin: StudyItem?, _ groups: TrialDesign) {
        self.scale = scale
        self.end = end
        self.begin = begin
        self.groups = groups
    }

    /// The values of each participant that has all of them.
    func pairs(_ connection: borrowing Connection) throws -> [ID<Enrolment>: GroupComparison.Pair] {
        let ends =
            switch end {
            case .study(let item): try values(at: item, connection)
            case .therapy(let therapy): try therapy.values(connection)
            }
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

    /// The participants that have all values; of what the study asks without reading them.
    func complete(_ connection: borrowing Connection) throws -> Set<ID<Enrolment>> {
        let ends =
            switch end {
            case .study(let item): try TimePointValueStore.people(with: scale, at: item, connection)
            case .therapy(let therapy): Set(try therapy.values(connection).keys)
            }
        guard let begin else { return ends }
        return ends.intersection(try TimePointValueStore.people(with: scale, at: begin, connection))
    }

    /// The participants to whom it does not apply; none of what the study asks.
    func excluded(_ connection: borrowing Connection) throws -> Set<ID<Enrolment>> {
        guard case .therapy(let therapy) = end else { return [] }
        return try therapy.excluded(connection)
    }
}
