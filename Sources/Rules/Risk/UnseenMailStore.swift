import Database
import Records
import Wire

/// Every statement about mails that answers wait to be seen.
enum UnseenMailStore {
    /// One a day.
    private static let seconds: Int64 = 86_400

    static func mayMail(
        _ account: ID<Account>, at now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        let edge = now.adding(seconds: -seconds)
        return try !connection.exists(
            "SELECT 1 FROM unseen_mails WHERE account_id = \(account) AND sent_at > \(edge) AND sent_at <= \(now)"
        )
    }

    /// - Returns: false when the account was mailed within the day.
    static func note(
        _ account: ID<Account>, at now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        guard try mayMail(account, at: now, connection) else { return false }
        try connection.run(
            """
            INSERT INTO unseen_mails (account_id, sent_at) VALUES (\(account), \(now))
            ON CONFLICT (account_id) DO UPDATE SET sent_at = excluded.sent_at
            """)
        return true
    }
}
