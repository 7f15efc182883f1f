import Database
import Records
import Scheduling
import Wire
import Wording

/// Every statement about the sessions of therapies.
package enum SessionStore {
    /// The earliest first.
    package static func all(of therapy: ID<Therapy>, _ connection: borrowing Connection) throws -> [Session] {
        Session.merged(
            try connection.all("SELECT * FROM therapy_sessions WHERE therapy_id = \(therapy)"))
    }

    /// A therapy's sessions with their numbers, as of now.
    package static func list(
        of therapy: Therapy, _ zone: Zone, now: Instant, _ connection: borrowing Connection
    ) throws -> SessionList {
        SessionList(try all(of: therapy.id, connection), startedOn: therapy.startedOn, zone: zone, now: now)
    }

    /// The sessions of all of a therapist's patients, by therapy.
    package static func all(
        ofTherapist therapist: ID<Account>, _ connection: borrowing Connection
    ) throws -> [ID<Therapy>: [Session]] {
        let rows = try connection.all(
            """
            SELECT therapy_sessions.* FROM therapy_sessions
            JOIN therapies ON therapies.id = therapy_sessions.therapy_id
            WHERE therapies.therapist_id = \(therapist)
            """
        ) { row in (therapy: try row["therapy_id"] as ID<Therapy>, session: try Session(row: row)) }
        return Dictionary(grouping: rows, by: \.therapy).mapValues { Session.merged($0.map(\.session)) }
    }

    /// Records are no longer than a day: only those within two days of a time can be one session with it.
    private static let reachDays: Int64 = 2

    /// Sessions that begin in a period, and records that may belong to them.
    package static func all(
        ofTherapist therapist: ID<Account>, from: Instant, until: Instant,
        _ connection: borrowing Connection
    ) throws -> [ID<Therapy>: [Session]] {
        let rows = try connection.all(
            """
            SELECT therapy_sessions.* FROM therapies
            JOIN therapy_sessions ON therapies.id = therapy_sessions.therapy_id
            WHERE therapies.therapist_id = \(therapist)
            AND starts_at > \(from.adding(days: -reachDays)) AND starts_at < \(until.adding(days: reachDays))
            """
        ) { row in (therapy: try row["therapy_id"] as ID<Therapy>, session: try Session(row: row)) }
        return Dictionary(grouping: rows, by: \.therapy).mapValues { Session.merged($0.map(\.session)) }
    }

    /// The sessions that begin after a moment; earlier ones may come before them.
    package static func coming(
        of therapy: ID<Therapy>, after now: Instant, _ connection: borrowing Connection
    ) throws -> [Session] {
        Session.merged(
            try connection.all(
                """
                SELECT * FROM therapy_sessions WHERE therapy_id = \(therapy)
                AND starts_at > \(now.adding(days: -reachDays))
                """))
    }

    /// A session by the id of any of its records; nil when the therapy has none.
    package static func find(
        _ id: ID<Session>, in therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> Session? {
        let record: Session? = try connection.first(
            "SELECT * FROM therapy_sessions WHERE id = \(id) AND therapy_id = \(therapy)")
        guard let record else { return nil }
        let near: [Session] = try connection.all(
            """
            SELECT * FROM therapy_sessions WHERE therapy_id = \(therapy)
            AND starts_at > \(record.startsAt.adding(days: -reachDays))
            AND starts_at < \(record.endsAt.adding(days: reachDays))
            """)
        return Session.merged(near).first { $0.records.contains(id) }
    }

    /// Noted sessions are visible to the patient while they are to come (FD-29).
    /// - Parameter series: the id of the first of its series; nil for a single one.
    package static func insert(
        _ draft: SessionDraft, id: ID<Session>, therapy: ID<Therapy>, mark: Session.State?,
        series: ID<Session>? = nil, at now: Instant, _ connection: borrowing Connection
    ) throws {
        try counting(in: therapy, at: now, connection) { connection in
            try connection.run(
                """
                INSERT INTO therapy_sessions
                    (id, therapy_id, starts_at, ends_at, mark, noted_at, series_id, is_shown)
                VALUES (\(id), \(therapy), \(draft.startsAt), \(draft.endsAt), \(mark), \(now), \(series), 1)
                """)
        }
    }

    /// Makes the session of an appointment, or moves it; the therapist's mark stays. When the appointment is moved to
    /// a coming day, a session that took place or was marked stays where it was: the moved one is another session.
    package static func reconcile(
        appointment: ID<Appointment>, from: Instant, until: Instant, newID: ID<Session>,
        in therapy: ID<Therapy>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        let record = try find(appointment: appointment, in: therapy, connection)
        if let record, record.startsAt == from && record.endsAt == until { return }
        try counting(in: therapy, at: now, connection) { connection in
            if let record, try move(record, from: from, until: until, in: therapy, at: now, connection) {
                return
            }
            try connection.run(
                """
                INSERT INTO therapy_sessions (id, therapy_id, starts_at, ends_at, appointment_id, noted_at)
                VALUES (\(newID), \(therapy), \(from), \(until), \(appointment), \(now))
                """)
        }
    }

    /// - Returns: whether the appointment's record moved along; else it stays behind without it.
    private static func move(
        _ record: Session, from: Instant, until: Instant, in therapy: ID<Therapy>, at now: Instant,
        _ connection: borrowing Connection
    ) throws -> Bool {
        let isDone = record.endsAt <= now || [.held, .missed, .cancelled].contains(record.mark)
        let stays = from > now && record.startsAt != from && isDone
        let heir = stays ? try noted(with: record, in: therapy, connection) : nil
        if stays, heir == nil {
            try connection.run("UPDATE therapy_sessions SET appointment_id = NULL WHERE id = \(record.id)")
            return false
        }
        // A noted record at the old time takes the session's place there, with its mark.
        if let heir {
            try connection.run(
                "UPDATE therapy_sessions SET mark = coalesce(mark, \(record.mark)) WHERE id = \(heir)")
        }
        try connection.run(
            """
            UPDATE therapy_sessions SET starts_at = \(from), ends_at = \(until), mark = \(stays ? nil : record.mark)
            WHERE id = \(record.id)
            """)
        return true
    }

    private static func find(
        appointment: ID<Appointment>, in therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> Session? {
        try connection.first(
            """
            SELECT * FROM therapy_sessions WHERE therapy_id = \(therapy) AND appointment_id = \(appointment)
            """)
    }

    /// The first noted record that is one session with an appointment's.
    private static func noted(
        with record: Session, in therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> ID<Session>? {
        try connection.value(
            """
            SELECT id FROM therapy_sessions WHERE therapy_id = \(therapy) AND appointment_id IS NULL
            AND starts_at > \(record.startsAt.adding(days: -reachDays)) AND starts_at < \(record.endsAt)
            AND ends_at > \(record.startsAt) ORDER BY starts_at, id LIMIT 1
            """)
    }

    /// Removes the session of a deleted appointment, unless it took place or is marked.
    package static func forget(
        appointment: ID<Appointment>, in therapy: ID<Therapy>, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        guard let record = try find(appointment: appointment, in: therapy, connection),
            record.state(at: now) == .planned
        else { return }
        try counting(in: therapy, at: now, connection) { connection in
            // A therapist's notes on it stay, with the session as a cancelled one.
            let kept = try connection.run(
                """
                UPDATE therapy_sessions SET appointment_id = NULL, mark = \(Session.State.cancelled),
                    changed_at = \(now)
                WHERE id = \(record.id)
                AND EXISTS (SELECT 1 FROM session_notes WHERE session_id = therapy_sessions.id)
                """)
            if kept > 0 { return }
            try connection.run("DELETE FROM therapy_sessions WHERE id = \(record.id)")
        }
    }

    /// - Throws: `Problem.notFound` when the therapy has no such session.
    package static func mark(
        _ id: ID<Session>, as state: Session.State, therapy: ID<Therapy>, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        let changed = try counting(in: therapy, at: now, connection) { connection in
            try connection.run(
                """
                UPDATE therapy_sessions SET mark = \(state), changed_at = \(now)
                WHERE id = \(id) AND therapy_id = \(therapy)
                """)
        }
        if changed == 0 { throw Problem.notFound }
    }

    /// Sessions from the appointments of an account that was paired by mistake.
    package static func eraseOfAppointments(
        in therapy: ID<Therapy>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        try counting(in: therapy, at: now, connection) { connection in
            try connection.run(
                """
                UPDATE therapy_sessions SET appointment_id = NULL
                WHERE therapy_id = \(therapy) AND appointment_id IS NOT NULL
                AND EXISTS (SELECT 1 FROM session_notes WHERE session_id = therapy_sessions.id)
                """)
            try connection.run(
                "DELETE FROM therapy_sessions WHERE therapy_id = \(therapy) AND appointment_id IS NOT NULL")
        }
    }
}
