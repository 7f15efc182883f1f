import Database
import Records
import Web
import Wire

/// Every statement about sessions that were entered by hand and removed.
package enum RemovedSessionStore {
    /// Removes a record and keeps it to be brought back. Sessions of an appointment stay.
    /// - Returns: whether it existed.
    @discardableResult
    package static func remove(
        _ id: ID<Session>, in therapy: ID<Therapy>, at now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.run(
            """
            INSERT INTO removed_sessions
                (id, therapy_id, starts_at, ends_at, mark, noted_at, sequence, series_id, is_shown, removed_at)
            SELECT id, therapy_id, starts_at, ends_at, mark, noted_at, sequence, series_id, is_shown, \(now)
            FROM therapy_sessions
            WHERE id = \(id) AND therapy_id = \(therapy) AND appointment_id IS NULL
            """)
        return try SessionStore.counting(in: therapy, at: now, connection) { connection in
            try connection.run(
                """
                DELETE FROM therapy_sessions
                WHERE id = \(id) AND therapy_id = \(therapy) AND appointment_id IS NULL
                """) > 0
        }
    }

    /// Undoes a removal.
    /// - Returns: whether there was one.
    package static func bringBack(
        _ id: ID<Session>, in therapy: ID<Therapy>, at now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        let back = try SessionStore.counting(in: therapy, at: now, connection) { connection in
            try connection.run(
                """
                INSERT INTO therapy_sessions
                    (id, therapy_id, starts_at, ends_at, mark, noted_at, sequence, series_id, is_shown, changed_at,
                        revised_at)
                SELECT id, therapy_id, starts_at, ends_at, mark, noted_at, sequence + 1, series_id, is_shown, \(now),
                    \(now)
                FROM removed_sessions
                WHERE id = \(id) AND therapy_id = \(therapy)
                """)
        }
        try connection.run("DELETE FROM removed_sessions WHERE id = \(id) AND therapy_id = \(therapy)")
        return back > 0
    }

    /// Whether it was removed recently.
    package static func holds(
        _ id: ID<Session>, in therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.count(
            "SELECT count(*) FROM removed_sessions WHERE id = \(id) AND therapy_id = \(therapy)") > 0
    }

    /// Removed sessions are deleted for good a day later: undoing is for slips.
    package static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM removed_sessions WHERE removed_at < \(now.adding(days: -1))")
    }

    package static let revision: RevisionOf = { places, _, connection in
        guard let id = ID<Session>(uuid: places["session"]),
            let therapy = ID<Therapy>(uuid: places["patient"])
        else { return nil }
        return try connection.revision(
            "SELECT id, removed_at FROM removed_sessions WHERE id = \(id) AND therapy_id = \(therapy)")
    }
}

extension SessionStore {
    /// The records noted in the same step as another: a series, or the record alone.
    package static func noted(
        with id: ID<Session>, in therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> [ID<Session>] {
        try connection.all(
            """
            SELECT id FROM therapy_sessions WHERE therapy_id = \(therapy) AND appointment_id IS NULL
            AND (id = \(id) OR series_id = (SELECT series_id FROM therapy_sessions WHERE id = \(id)))
            ORDER BY starts_at, id
            """
        ) { row in try row[0] }
    }

    /// The revision of the records noted in one step: it changes when one of them is marked, moved or removed.
    package static let entry: RevisionOf = { places, _, connection in
        guard let id = ID<Session>(uuid: places["session"]),
            let therapy = ID<Therapy>(uuid: places["patient"])
        else { return nil }
        let records = try noted(with: id, in: therapy, connection)
        if records.isEmpty { return nil }
        let words = try records.flatMap { record in
            try connection.first(
                "SELECT id, starts_at, ends_at, mark, sequence FROM therapy_sessions WHERE id = \(record)"
            ) { row in row.values } ?? []
        }
        return Revision.number(of: words)
    }
}

extension SessionNoteStore {
    /// The number of authors with a note on a record, drafts included.
    package static func count(on id: ID<Session>, _ connection: borrowing Connection) throws -> Int {
        try connection.count(
            """
            SELECT count(*) FROM (
                SELECT account_id FROM session_notes WHERE session_id = \(id)
                UNION SELECT account_id FROM session_note_drafts WHERE session_id = \(id)) AS authors
            """)
    }
}
