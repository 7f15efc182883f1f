import Database
import Records
import Web
import Wire

/// Every statement about therapists' notes on sessions.
package enum SessionNoteStore {
    /// A number for each record with notes, which changes whenever they are rewritten.
    package static func revisions(
        _ records: [ID<Session>], by author: ID<Account>, _ connection: borrowing Connection
    ) throws -> [Int] {
        try records.compactMap { id in
            try connection.revision(
                """
                SELECT session_id, note, agenda FROM session_notes
                WHERE session_id = \(id) AND account_id = \(author)
                """)
        }
    }

    /// The notes on the records of one session, the earliest record first.
    package static func all(
        _ records: [ID<Session>], by author: ID<Account>, _ connection: borrowing Connection
    ) throws -> [SessionNoteRecord] {
        try records.compactMap { id in
            try connection.first(
                "SELECT * FROM session_notes WHERE session_id = \(id) AND account_id = \(author)")
        }
    }

    /// Stores the notes with the record that gives the session its id; nil for both removes them.
    package static func save(
        note: [UInt8]?, agenda: [UInt8]?, of session: Session, by author: ID<Account>, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        for record in session.records {
            try connection.run(
                "DELETE FROM session_notes WHERE session_id = \(record) AND account_id = \(author)")
        }
        if note == nil && agenda == nil { return }
        try connection.run(
            """
            INSERT INTO session_notes (session_id, account_id, note, agenda, changed_at)
            VALUES (\(session.id), \(author), \(note), \(agenda), \(now))
            """)
    }

    /// Hands them over to the new therapist, except where they have notes of their own.
    package static func handOver(
        in therapy: ID<Therapy>, from leaving: ID<Account>, to new: ID<Account>,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE session_notes SET account_id = \(new) WHERE account_id = \(leaving)
            AND session_id IN (SELECT id FROM therapy_sessions WHERE therapy_id = \(therapy))
            AND session_id NOT IN (SELECT session_id FROM session_notes WHERE account_id = \(new))
            """)
    }
}
