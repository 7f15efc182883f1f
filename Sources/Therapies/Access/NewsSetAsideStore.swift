import Database
import Records
import Web
import Wire

/// Every statement about news that was set aside without opening the files (PR-35).
package enum NewsSetAsideStore {
    /// Counts files as looked at until a moment, and remembers how it was before; an earlier step is no longer undone.
    package static func setAside(
        _ therapies: [ID<Therapy>], until: Instant, of account: ID<Account>, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run("DELETE FROM news_set_aside WHERE account_id = \(account)")
        let looks = try FileLookStore.all(of: account, connection)
        for therapy in therapies {
            let before = looks[therapy]
            // A file that was opened since the page was drawn stays as it is.
            if let before, before >= until { continue }
            try connection.run(
                """
                INSERT INTO news_set_aside (account_id, therapy_id, looked_before, looked_then, set_at)
                VALUES (\(account), \(therapy), \(before), \(until), \(now))
                """)
            try FileLookStore.save(therapy, of: account, at: until, connection)
        }
    }

    /// Brings the looks back as they were, except for files opened since.
    /// - Returns: the number of files that were set aside; 0 when there is nothing to bring back.
    package static func bringBack(
        of account: ID<Account>, since: Instant, _ connection: borrowing Connection
    ) throws -> Int {
        try connection.run(
            """
            DELETE FROM file_looks WHERE account_id = \(account) AND EXISTS (SELECT 1 FROM news_set_aside AS aside
                WHERE aside.account_id = file_looks.account_id AND aside.therapy_id = file_looks.therapy_id
                AND aside.looked_then = file_looks.looked_at AND aside.looked_before IS NULL AND set_at > \(since))
            """)
        try connection.run(
            """
            UPDATE file_looks SET looked_at = (SELECT looked_before FROM news_set_aside AS aside
                WHERE aside.account_id = file_looks.account_id AND aside.therapy_id = file_looks.therapy_id)
            WHERE account_id = \(account) AND EXISTS (SELECT 1 FROM news_set_aside AS aside
                WHERE aside.account_id = file_looks.account_id AND aside.therapy_id = file_looks.therapy_id
                AND aside.looked_then = file_looks.looked_at AND aside.looked_before IS NOT NULL
                AND set_at > \(since))
            """)
        return try connection.run(
            "DELETE FROM news_set_aside WHERE account_id = \(account) AND set_at > \(since)")
    }

    package static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM news_set_aside WHERE set_at < \(now.adding(days: -1))")
    }

    package static let revision: RevisionOf = { _, account, connection in
        try connection.revision(
            "SELECT therapy_id, set_at FROM news_set_aside WHERE account_id = \(account) ORDER BY therapy_id")
    }
}
