import Database
import Identity
import Records
import Wire
import Wording

/// Every statement about addresses that wait for confirmation.
package enum EmailChangeStore {
    /// Stores a new one; older ones of the account no longer work.
    static func insert(_ change: EmailChange, _ connection: borrowing Connection) throws {
        try spendAll(of: change.account, now: change.createdAt, connection)
        try connection.run(
            """
            INSERT INTO email_changes (id, account_id, hash, email, created_at, expires_at)
            VALUES (\(change.id), \(change.account), \(change.hash), \(change.sealedEmail),
                \(change.createdAt), \(change.expiresAt))
            """)
    }

    /// An account's address that waits for confirmation; nil without one.
    package static func waiting(
        of account: ID<Account>, now: Instant, _ connection: borrowing Connection
    ) throws -> EmailChange? {
        try connection.first(
            """
            SELECT * FROM email_changes
            WHERE account_id = \(account) AND spent_at IS NULL AND expires_at > \(now)
            """)
    }

    /// Whether a link belongs to a change at all, valid or not.
    static func isKnown(_ hash: [UInt8], _ connection: borrowing Connection) throws -> Bool {
        try connection.exists("SELECT 1 FROM email_changes WHERE hash = \(hash)")
    }

    /// The change that a link confirms.
    /// - Throws: `Problem.notFound` for an unknown link, `.gone` for a used or expired one.
    static func find(
        _ hash: [UInt8], now: Instant, _ connection: borrowing Connection
    ) throws -> EmailChange {
        let link: MailLink? = try connection.first("SELECT * FROM email_changes WHERE hash = \(hash)")
        _ = try MailLink.owner(of: link, now: now, or: "registration.link_dead")
        let change: EmailChange? = try connection.first("SELECT * FROM email_changes WHERE hash = \(hash)")
        guard let change else { throw Problem.notFound }
        return change
    }

    /// Notes that a link has put its address into force.
    static func noteConfirmed(
        _ hash: [UInt8], at now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run("UPDATE email_changes SET confirmed_at = \(now) WHERE hash = \(hash)")
    }

    /// Stores the way back to the former address beside the change that a link has put into force.
    static func insert(
        _ way: EmailReturn, of link: [UInt8], _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE email_changes SET former_email = \(way.sealedEmail), return_hash = \(way.hash),
                return_until = \(way.until)
            WHERE hash = \(link)
            """)
    }

    /// The way back that a link opens.
    /// - Throws: `Problem.notFound` for an unknown link, `.gone` for one that is over.
    static func way(
        back hash: [UInt8], now: Instant, _ connection: borrowing Connection
    ) throws -> EmailReturn {
        let way: EmailReturn? = try connection.first(
            "SELECT * FROM email_changes WHERE return_hash = \(hash)")
        guard let way else { throw Problem.notFound }
        guard way.until > now else { throw Problem.gone(Message("email_change.return_over")) }
        return way
    }

    /// Ends a way back and those to addresses that came after it. An older one stays: a thief who went through two addresses
    /// cannot end the owner's.
    static func endReturns(since way: EmailReturn, _ connection: borrowing Connection) throws {
        try connection.run(
            """
            UPDATE email_changes SET former_email = NULL, return_hash = NULL, return_until = NULL
            WHERE account_id = \(way.account) AND return_until >= \(way.until)
            """)
    }

    /// Whether a link has put its address into force.
    static func hasConfirmed(_ hash: [UInt8], _ connection: borrowing Connection) throws -> Bool {
        try connection.exists(
            "SELECT 1 FROM email_changes WHERE hash = \(hash) AND confirmed_at IS NOT NULL")
    }

    /// Ends all waiting changes of an account.
    static func spendAll(
        of account: ID<Account>, now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE email_changes SET spent_at = \(now), email = NULL
            WHERE account_id = \(account) AND spent_at IS NULL
            """)
    }

    /// Forgets an unconfirmed address when its time is over, and a former one; the links themselves after thirty days.
    static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        try connection.run(
            """
            UPDATE email_changes SET spent_at = expires_at, email = NULL
            WHERE expires_at <= \(now) AND spent_at IS NULL
            """)
        try connection.run("UPDATE email_changes SET former_email = NULL WHERE return_until <= \(now)")
        try connection.run("DELETE FROM email_changes WHERE expires_at <= \(now.adding(days: -30))")
    }

    /// Ends all links that were sent.
    static func removeAll(_ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM email_changes")
    }
}

/// An account's new address while it waits for confirmation.
package struct EmailChange: Sendable, FromRow {
    static let lifetimeHours: Int64 = 24

    let id: ID<EmailChange>
    let account: ID<Account>
    let hash: [UInt8]
    let sealedEmail: [UInt8]
    let createdAt: Instant
    let expiresAt: Instant

    /// - Parameter key: the account's.
    init(
        to email: String, of account: ID<Account>, under key: PersonKey, hash: [UInt8], id: ID<EmailChange>,
        now: Instant
    ) {
        self.id = id
        self.account = account
        self.hash = hash
        sealedEmail = key.seal(email, for: Self.place(id))
        createdAt = now
        expiresAt = now.adding(seconds: Self.lifetimeHours * 3600)
    }

    package init(row: borrowing Row) throws {
        id = try row["id"]
        account = try row["account_id"]
        hash = try row["hash"]
        sealedEmail = try row["email"]
        createdAt = try row["created_at"]
        expiresAt = try row["expires_at"]
    }

    /// - Throws: `SealBroken` when the row was tampered with.
    package func email(_ key: PersonKey) throws -> String {
        try key.open(sealedEmail, from: Self.place(id))
    }

    private static func place(_ id: ID<EmailChange>) -> SealContext {
        SealContext("email_changes", id, "email")
    }
}
