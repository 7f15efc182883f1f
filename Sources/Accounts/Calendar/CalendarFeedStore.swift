import Database
import Records
import Wire

/// Every statement about the addresses of calendar feeds.
enum CalendarFeedStore {
    static func token(of account: ID<Account>, _ connection: borrowing Connection) throws -> [UInt8]? {
        try connection.value("SELECT token FROM calendar_feeds WHERE account_id = \(account)")
    }

    static func account(lookup: [UInt8], _ connection: borrowing Connection) throws -> ID<Account>? {
        try connection.value("SELECT account_id FROM calendar_feeds WHERE lookup = \(lookup)")
    }

    static func save(
        lookup: [UInt8], token: [UInt8], of account: ID<Account>, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO calendar_feeds (account_id, lookup, token, created_at)
            VALUES (\(account), \(lookup), \(token), \(now))
            ON CONFLICT (account_id) DO UPDATE SET lookup = excluded.lookup, token = excluded.token,
                created_at = excluded.created_at
            """)
    }

    static func remove(of account: ID<Account>, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM calendar_feeds WHERE account_id = \(account)")
    }

    /// Ends all addresses of feeds.
    static func removeAll(_ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM calendar_feeds")
    }
}
