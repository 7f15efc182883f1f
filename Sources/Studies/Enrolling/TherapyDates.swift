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
        of enrolment: EnrolmentRecord, for anchor: TimePointWindow.Anchor, _ connection: borrowing Connection
    ) throws -> Lack? {
        if enrolment.state != .enrolled || !anchor.isOfTherapy { return nil }
        let followed = try TherapyDateStore.enrolments(of: enrolment.accountID, connection)
        guard followed.contains(where: { $0.id == enrolment.id }) else { return .agreement }
        let isTold =
            try anchor != .eachSession || TherapyDateStore.hasAgreedToSessions(enrolment.id, connection)
        if !isTold { return .agreement }
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
        for point in points where point.window.anchor != .eachSession {
            let date = therapy.flatMap {
                Self.date(point.window.anchor, of: $0, sessions, in: enrolment.zone, at: now)
            }
            if date == known[point.key]?.last?.date { continue }
            try AnchorStore.set(date, for: point.key, of: enrolment.id, since: now, connection)
        }
        let each = points.filter { $0.window.anchor == .eachSession }.map(\.key)
        guard !each.isEmpty, let first = enrolment.day,
            try TherapyDateStore.hasAgreedToSessions(enrolment.id, connection)
        else { return }
        let days = therapy.map { Self.days(of: $0, sessions, in: enrolment.zone, at: now) } ?? []
        let gone = try follow(
            days.filter { $0.day >= first }, for: each, of: enrolment.id, at: now, connection)
        if gone.isEmpty { return }
        let asked = try StudyItemStore.all(in: study.id, connection).filter(\.isAskedEachSession)
        let prompts = asked.flatMap { item in
            gone.filter { $0.point == item.timePoint }.map {
                ParticipantSessions.prompt(item.id, enrolment.id, about: $0.session.text)
            }
        }
        try StudyReminderStore.takeBack(prompts, of: enrolment.id, connection)
    }

    /// Every session from the day of enrolling on. Two records of one session may be put together, and fall apart again: it keeps the
    /// one by which it was asked.
    /// - Returns: those that do not take place any more.
    private static func follow(
        _ days: [(session: Session, day: LocalDate)], for points: [String], of enrolment: ID<Enrolment>,
        at now: Instant, _ connection: borrowing Connection
    ) throws -> [(point: String, session: ID<Session>)] {
        let stored = try AnchorStore.sessions(of: enrolment, connection)
        var gone: [(point: String, session: ID<Session>)] = []
        for point in points {
            let known = (stored[point] ?? []).reduce(into: [ID<Session>: LocalDate]()) {
                $0[$1.session] = $1.dates.last?.date
            }
            let present = days.reduce(into: [ID<Session>: LocalDate]()) { present, one in
                let records = [one.session.id] + one.session.records
                present[records.first { known[$0] != nil } ?? one.session.id] = one.day
            }
            for session in Set(present.keys).union(known.keys) where present[session] != known[session] {
                try AnchorStore.set(
                    present[session], for: point, session: session, of: enrolment, since: now, connection)
                if present[session] == nil { gone.append((point, session)) }
            }
        }
        return gone
    }

    /// The therapy that ran when a participant enrolled, else the next; nil without one. Files may be older than their pairing.
    static func therapy(
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
        case .firstSession: return days(of: therapy, sessions, in: zone, at: now).map(\.day).min()
        case .enrolment, .date, .lead, .eachSession: return nil
        }
    }

    /// The local days of the sessions from the therapy's first day on that are planned or took place.
    private static func days(
        of therapy: Therapy, _ sessions: [Session], in zone: Zone, at now: Instant
    ) -> [(session: Session, day: LocalDate)] {
        sessions.filter { [.planned, .held].contains($0.state(at: now)) }
            .map { (session: $0, day: LocalTime($0.startsAt, zone).date) }
            .filter { $0.day >= therapy.startedOn ?? $0.day }
    }
}
