import Database
import Foundation
import Records
import Wire

/// Every statement about unsaved notes on sessions.
package enum SessionNoteDraftStore {
    /// An author's draft for one session of several records, and when it was last saved.
    package static func find(
        _ session: Session, by author: ID<Account>, _ key: PersonKey, _ connection: borrowing Connection
    ) throws -> (draft: SessionNoteDraft, at: Instant)? {
        for record in session.records {
            let found = try connection.first(
                """
                SELECT words, updated_at FROM session_note_drafts
                WHERE session_id = \(record) AND account_id = \(author)
                """
            ) { row -> ([UInt8], Instant) in (try row[0], try row[1]) }
            guard let (sealed, at) = found else { continue }
            let bytes = try key.openBytes(sealed, from: SessionNoteDraft.place(record, author))
            return (try JSONDecoder().decode(SessionNoteDraft.self, from: Data(bytes)), at)
        }
        return nil
    }

    /// - Parameter draft: nil removes it.
    package static func save(
        _ draft: SessionNoteDraft?, of session: Session, by author: ID<Account>, _ key: PersonKey,
        at now: Instant, _ connection: borrowing Connection
    ) throws {
        for record in session.records {
            try connection.run(
                "DELETE FROM session_note_drafts WHERE session_id = \(record) AND account_id = \(author)")
        }
        guard let draft else { return }
        let bytes = Array(try JSONEncoder().encode(draft))
        let sealed = key.seal(bytes: bytes, for: SessionNoteDraft.place(session.id, author))
        try connection.run(
            """
            INSERT INTO session_note_drafts (session_id, account_id, words, updated_at)
            VALUES (\(session.id), \(author), \(sealed), \(now))
            """)
    }

    /// Removes drafts that were not continued for a month.
    package static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        try connection.run(
            "DELETE FROM session_note_drafts WHERE updated_at < \(now.adding(days: -30))")
    }
}
