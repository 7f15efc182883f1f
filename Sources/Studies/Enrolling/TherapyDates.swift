import Database
import Records
import Scheduling
import Therapies
import Wire

/// The dates of participants' therapies from which time points are counted (ST-1). They are stored as those are that leads enter, with the
/// moment since which they count: where a session is moved, what was asked by its old date stays.
package enum TherapyDates {
    /// Brings the dates of a person in line with their therapy, in the transaction that changes it, or their consent.
    package static func follow(
        _ account: ID<Account>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        for enrolment in try TherapyDateStore.enrolments(of: account, connection) {
            guard let study = try StudyStore.find(enrolment.studyID, connection), isFollowed(study, at: now)
            else { continue }
            try follow(enrolment, in: study, at: now, connection)
        }
    }

    /// The same of all participants of a study, in the transaction that changes its time points.
    package static func follow(
        in id: ID<Study>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        guard let study = try StudyStore.find(id, connection), isFollowed(study, at: now) else { return }
        for enrolment in try TherapyDateStore.enrolments(in: id, connection) {
            try follow(enrolment, in: study, at: now, connection)
        }
    }

    /// Why a participant has no date of a therapy.
    package enum Lack: String, Sendable {
        /// They have not agreed to a text that says it: then leads do not learn either whether there is a therapy.
        case agreement = "not_agreed"
        case therapy = "not_applicable"
    }

    /// - Returns: nil where the therapy has no such date yet.
    package static func lack(
        of enrolment: EnrolmentRecord, _ connection: borrowing Connection
    ) throws -> Lack? {
        if enrolment.state != .enrolled { return nil }
        let followed = try TherapyDateStore.enrolments(of: enrolment.accountID, connection)
        guard followed.contains(where: { $0.id == enrolment.id }) else { return .agreement }
        return try therapy(of: enrolment, connection) == nil ? .therapy : nil
    }

    /// Once it is over, its leads learn no more.
    private static func isFollowed(_ study: StudyRecord, at now: Instant) -> Bool {
        study.archivedAt == nil && now < study.endsAt ?? .distantFuture && !points(of: study).isEmpty
    }

    private static func points(of study: StudyRecord) -> [TimePoint] {
        study.timePoints.filter { $0.window.anchor.isOfTherapy }
    }

    private static func follow(
        _ enrolment: EnrolmentRecord, in study: StudyRecord, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        let points = points(of: study)
        let therapy = try therapy(of: enrolment, connection)
        let sessions = try therapy.map { try SessionStore.all(of: $0.id, connection) } ?? []
        let known = try AnchorStore.all(of: enrolment.id, connection)
        for point in points {
            let date = therapy.flatMap {
                Self.date(point.window.anchor, of: $0, sessions, in: enrolment.zone, at: now)
            }
            if date == known[point.key]?.last?.date { continue }
            try AnchorStore.set(date, for: point.key, of: enrolment.id, since: now, connection)
        }
    }

    /// The therapy that ran when a participant enrolled, else the next; nil without one. Files may be older than their pairing.
    private static func therapy(
        of enrolment: EnrolmentRecord, _ connection: borrowing Connection
    ) throws -> Therapy? {
        let begin = enrolment.enrolledAt ?? enrolment.askedAt
        return try TherapyStore.all(of: enrolment.accountID, connection)
            .filter { $0.endedAt.map { $0 > begin } ?? true }
            .min { ($0.pairedAt ?? .distantFuture) < ($1.pairedAt ?? .distantFuture) }
    }

    /// - Parameter zone: of the local days.
    /// - Returns: nil where it has none yet. The first session is the earliest from the therapy's first day on that is planned or took place.
    static func date(
        _ anchor: TimePointWindow.Anchor, of therapy: Therapy, _ sessions: [Session], in zone: Zone,
        at now: Instant
    ) -> LocalDate? {
        switch anchor {
        case .therapyStart: return therapy.startedOn
        case .therapyEnd: return therapy.endedOn
        case .firstSession:
            let days = sessions.filter { [.planned, .held].contains($0.state(at: now)) }.map {
                LocalTime($0.startsAt, zone).date
            }
            return days.filter { $0 >= therapy.startedOn ?? $0 }.min()
        case .enrolment, .date, .lead: return nil
        }
    }
}
