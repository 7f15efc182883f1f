import Database
import Records
import Scheduling
import Wire

/// The days of one time point for each participant of a study, as they are planned now: one stretch, or one for each session (ST-4).
package struct TimePointDays: Sendable {
    private struct Person {
        let zones: ParticipantZones
        let stretches: [ClosedRange<LocalDate>]
    }

    private let people: [ID<Enrolment>: Person]

    package init(
        _ point: TimePoint, of people: [EnrolmentRecord], in study: ID<Study>,
        _ connection: borrowing Connection
    ) throws {
        let anchor = point.window.anchor
        let comesAgain = anchor == .eachSession
        let dates = anchor.isOwn && !comesAgain ? try AnchorStore.all(in: study, connection) : [:]
        let sessions = comesAgain ? try AnchorStore.sessions(in: study, connection) : [:]
        let changes = try StudyWideStore.zones(in: study, connection)
        self.people = people.reduce(into: [:]) { all, person in
            guard let enrolled = person.day else { return }
            let entered =
                comesAgain
                ? (sessions[person.id]?[point.key] ?? []).map { $0.dates.last?.date }
                : [dates[person.id]?[point.key]?.last?.date]
            all[person.id] = Person(
                zones: ParticipantZones(person.zone, changes: changes[person.id] ?? []),
                stretches: entered.compactMap {
                    point.window.date(enrolledOn: enrolled, entered: $0).map(point.window.days)
                })
        }
    }

    /// Whether a participant has the date from which they are counted.
    package func areKnown(of person: ID<Enrolment>) -> Bool { people[person]?.stretches.isEmpty == false }

    /// Whether a moment lies on one of them.
    package func hold(_ moment: Instant, of person: ID<Enrolment>) -> Bool {
        guard let own = people[person] else { return false }
        let day = own.zones.day(of: moment)
        return own.stretches.contains { $0.contains(day) }
    }
}
