import Database
import Records
import Scheduling
import Therapies
import Wire

/// The days on which a therapist is away, both ends included: own pauses, and the time of covers.
struct AwayDays: Sendable {
    let spans: [ClosedRange<LocalDate>]

    init(of therapist: ID<Account>, _ connection: borrowing Connection) throws {
        let pauses = try PauseStore.own(of: therapist, connection).map { ($0.startsOn, $0.endsOn) }
        let covers = try SharingStore.covers(by: therapist, connection).filter { $0.endedAt == nil }.map {
            ($0.startsOn, $0.endsOn)
        }
        let absences = try AbsenceStore.all(
            of: therapist, from: LocalDate(daysSince1970: 0), until: LocalDate(daysSince1970: 100_000),
            connection
        ).map { ($0.startsOn, $0.endsOn) }
        spans = (pauses + covers + absences).filter { $0 <= $1 }.map { $0...$1 }
    }

    init(_ spans: [ClosedRange<LocalDate>]) { self.spans = spans }

    func contains(_ day: LocalDate) -> Bool { spans.contains { $0.contains(day) } }
}
