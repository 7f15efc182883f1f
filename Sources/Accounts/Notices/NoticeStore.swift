import Database
import Records
import Wire

/// Every statement about what people are told.
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

    /// All of a kind, once what they tell of is done.
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

    /// The first device to say so counts.
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
