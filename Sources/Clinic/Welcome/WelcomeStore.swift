import Database
import Records
import Wire

/// Every statement about dismissing the first steps.
enum WelcomeStore {
    static func isDismissed(by account: ID<Account>, _ connection: borrowing Connection) throws -> Bool {
        try connection.exists("SELECT 1 FROM welcome_dismissals WHERE account_id = \(account)")
    }

    static func dismiss(by account: ID<Account>, at now: Instant, _ connection: borrowing Connection) throws {
        try connection.run(
            """
            INSERT INTO welcome_dismissals (account_id, dismissed_at) VALUES (\(account), \(now))
            ON CONFLICT (account_id) DO NOTHING
            """)
    }
}
