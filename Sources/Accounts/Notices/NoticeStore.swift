import Database
import Records
import Wire

/// Every statement about notices.
package enum NoticeStore {
    /// The newest first.
    package static func all(of account: ID<Account>, _ connection: borrowing Connection) throws
        -> [NoticeRecord]
    {
        try connection.all(
            "SELECT * FROM notices WHERE account_id = \(account) ORDER BY made_at DESC, id DESC")
    }

    package static func find(
        _ id: ID<NoticeRecord>, of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> NoticeRecord? {
        try connection.first("SELECT * FROM notices WHERE id = \(id) AND account_id = \(account)")
    }

    package static func insert(
        _ notice: NewNotice, at now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO notices (id, account_id, kind, words, starts_at, ends_at, made_at)
            VALUES (\(notice.id), \(notice.account), \(notice.kind), \(notice.sealed), \(notice.startsAt),
                \(notice.endsAt), \(now))
            """)
    }

    /// Withdraws a notice that has not been seen.
    /// - Returns: whether it was still unseen.
    package static func withdraw(
        _ id: ID<NoticeRecord>, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.run("DELETE FROM notices WHERE id = \(id) AND seen_at IS NULL") > 0
    }

    /// Marks all notices of a kind as seen, once their subject is settled.
    package static func noteSeen(
        _ kind: NoticeRecord.Kind, of account: ID<Account>, at time: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE notices SET seen_at = \(time)
            WHERE account_id = \(account) AND kind = \(kind) AND seen_at IS NULL
            """)
    }

    /// The first report counts.
    static func noteSeen(
        _ id: ID<NoticeRecord>, of account: ID<Account>, at time: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE notices SET seen_at = \(time)
            WHERE id = \(id) AND account_id = \(account) AND seen_at IS NULL
            """)
    }
}
