import Database
import Identity
import Records
import Wire

/// Every statement about links for forgotten passwords.
package enum PasswordStore {
    /// Stores a new link; older ones of the account no longer work.
    package static func insertReset(
        _ hash: [UInt8], of account: ID<Account>, invitedBy inviter: ID<Account>? = nil, now: Instant,
        expires: Instant, _ connection: borrowing Connection
    ) throws {
        try spendAll(of: account, now: now, connection)
        try connection.run(
            """
            INSERT INTO password_resets (hash, account_id, created_at, expires_at, invited_by)
            VALUES (\(hash), \(account), \(now), \(expires), \(inviter))
            """)
    }

    /// The account that sent the latest invitation; nil when unknown.
    static func inviter(
        of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> AccountRecord? {
        let id: ID<Account>? = try connection.value(
            """
            SELECT invited_by FROM password_resets WHERE account_id = \(account) AND invited_by IS NOT NULL
            ORDER BY created_at DESC LIMIT 1
            """)
        return try id.flatMap { try AccountStore.find($0, connection) }
    }

    /// The account of a link.
    /// - Throws: `Problem.notFound` for an unknown one, `.gone` for a used or expired one.
    static func owner(
        of hash: [UInt8], now: Instant, _ connection: borrowing Connection
    ) throws -> ID<Account> {
        let link: MailLink? = try connection.first("SELECT * FROM password_resets WHERE hash = \(hash)")
        return try MailLink.owner(of: link, now: now, or: "password.link_dead")
    }

    /// Sets another password. All links requested before end with the old one, also that of another address: an
    /// intruder may have requested it.
    package static func change(
        _ hash: String, of account: ID<Account>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        try AccountStore.setPasswordHash(hash, of: account, connection)
        try spendAll(of: account, now: now, connection)
        try EmailChangeStore.spendAll(of: account, now: now, connection)
    }

    /// Ends all of an account's links for a forgotten password.
    static func spendAll(
        of account: ID<Account>, now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "UPDATE password_resets SET spent_at = \(now) WHERE account_id = \(account) AND spent_at IS NULL")
    }

    /// Forgets links thirty days after they were used or expired.
    static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM password_resets WHERE expires_at < \(now.adding(days: -30))")
    }

    /// Ends all links that were sent.
    static func removeAll(_ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM password_resets")
    }
}
