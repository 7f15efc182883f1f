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

    /// - Throws: `Problem.notFound` when the therapy has no such session.
    static func mark(
        _ id: String, as state: Session.State, therapy: String, _ connection: borrowing Connection
    ) throws {
        let changed = try connection.run(
            "UPDATE therapy_sessions SET mark = \(state) WHERE id = \(id) AND therapy_id = \(therapy)")
        if changed == 0 { throw Problem.notFound }
    }
}
