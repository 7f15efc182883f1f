import Database
import Wire

/// Every statement about the sessions of therapies.
enum SessionStore {
    static func all(of therapy: String, _ connection: borrowing Connection) throws -> [Session] {
        try connection.all(
            "SELECT * FROM therapy_sessions WHERE therapy_id = \(therapy) ORDER BY starts_at, id")
    }

    /// A therapy's sessions with their numbers, as they stand now.
    static func list(
        of therapy: Therapy, _ zone: Zone, now: Instant, _ connection: borrowing Connection
    ) throws -> SessionList {
        SessionList(try all(of: therapy.id, connection), startedOn: therapy.startedOn, zone: zone, now: now)
    }

    /// The sessions of all of a therapist's running patients, by therapy.
    static func all(
        ofTherapist therapist: String, _ connection: borrowing Connection
    ) throws -> [String: [Session]] {
        let rows = try connection.all(
            """
            SELECT therapy_sessions.* FROM therapy_sessions
            JOIN therapies ON therapies.id = therapy_sessions.therapy_id
            WHERE therapies.therapist_id = \(therapist)
            """
        ) { row in (therapy: try row["therapy_id"] as String, session: try Session(row: row)) }
        return Dictionary(grouping: rows, by: \.therapy).mapValues { $0.map(\.session) }
    }

    static func insert(
        _ draft: SessionDraft, id: String, therapy: String, mark: Session.State?, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO therapy_sessions (id, therapy_id, starts_at, ends_at, mark, noted_at)
            VALUES (\(id), \(therapy), \(draft.startsAt), \(draft.endsAt), \(mark), \(now))
            """)
    }

    /// Makes the session of an appointment, or moves it; the therapist's own mark stays. What took place, or was marked,
    /// stays where it was when the appointment is moved to a day to come: then that is another session.
    static func follow(
        appointment: String, from: Instant, until: Instant, newID: String, in therapy: String,
        at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        if from > now {
            try connection.run(
                """
                UPDATE therapy_sessions SET appointment_id = NULL
                WHERE therapy_id = \(therapy) AND appointment_id = \(appointment) AND starts_at <> \(from)
                AND (ends_at <= \(now) OR mark IN ('held', 'missed', 'cancelled'))
                """)
        }
        let moved = try connection.run(
            """
            UPDATE therapy_sessions SET starts_at = \(from), ends_at = \(until), changed_at = \(now),
                sequence = sequence + CASE WHEN starts_at = \(from) AND ends_at = \(until) THEN 0 ELSE 1 END
            WHERE therapy_id = \(therapy) AND appointment_id = \(appointment)
            """)
        guard moved == 0 else { return }
        try connection.run(
            """
            INSERT INTO therapy_sessions (id, therapy_id, starts_at, ends_at, appointment_id, noted_at)
            VALUES (\(newID), \(therapy), \(from), \(until), \(appointment), \(now))
            """)
    }

    /// Takes the session of a deleted appointment away, unless it took place or the therapist has marked it.
    static func forget(
        appointment: String, in therapy: String, at now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            DELETE FROM therapy_sessions WHERE therapy_id = \(therapy) AND appointment_id = \(appointment)
            AND mark IS NULL AND ends_at > \(now)
            """)
    }

    /// - Throws: `Problem.notFound` when the therapy has no such session.
    static func mark(
        _ id: String, as state: Session.State, therapy: String, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        let changed = try connection.run(
            """
            UPDATE therapy_sessions SET mark = \(state), sequence = sequence + 1, changed_at = \(now)
            WHERE id = \(id) AND therapy_id = \(therapy)
            """)
        if changed == 0 { throw Problem.notFound }
    }
}
