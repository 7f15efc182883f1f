import Database
import Records
import Wire
import Wording

/// Every statement about links in mails that confirm an address.
package enum MailLinkStore {
    /// Stores a new link; older ones of the account no longer work.
    package static func insertVerification(
        _ hash: [UInt8], of account: ID<Account>, now: Instant, expires: Instant,
        _ connection: borrowing Connection
    ) throws {
        try spendAll(of: account, now: now, connection)
        try connection.run(
            """
            INSERT INTO mail_tokens (hash, account_id, purpose, created_at, expires_at)
            VALUES (\(hash), \(account), 'verify', \(now), \(expires))
            """)
    }

    /// Ends all of an account's links.
    package static func spendAll(
        of account: ID<Account>, now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "UPDATE mail_tokens SET spent_at = \(now) WHERE account_id = \(account) AND spent_at IS NULL")
    }

    package static func ownerOfLink(
        _ hash: [UInt8], _ connection: borrowing Connection
    ) throws -> ID<Account>? {
        try connection.value("SELECT account_id FROM mail_tokens WHERE hash = \(hash)")
    }

    /// Uses up a link and returns its account.
    /// - Throws: `Problem.notFound` for an unknown one, `.gone` for a used or expired one.
    package static func spendVerification(
        _ hash: [UInt8], now: Instant, _ connection: borrowing Connection
    ) throws -> ID<Account> {
        let link: MailLink? = try connection.first("SELECT * FROM mail_tokens WHERE hash = \(hash)")
        let owner = try MailLink.owner(of: link, now: now, or: "registration.link_dead")
        try connection.run(
            "UPDATE mail_tokens SET spent_at = \(now), confirmed_at = \(now) WHERE hash = \(hash)")
        return owner
    }

    /// Whether a link has confirmed its address.
    package static func hasConfirmed(_ hash: [UInt8], _ connection: borrowing Connection) throws -> Bool {
        try connection.exists(
            "SELECT 1 FROM mail_tokens WHERE hash = \(hash) AND confirmed_at IS NOT NULL")
    }

    /// Removes links that expired long ago.
    package static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM mail_tokens WHERE expires_at <= \(now.adding(days: -30))")
    }

    /// Ends all links that were sent.
    package static func removeAll(_ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM mail_tokens")
    }
}

/// A link in a mail as stored: by its hash.
package struct MailLink: Sendable, FromRow {
    private let account: ID<Account>
    private let expiresAt: Instant
    private let spentAt: Instant?

    package init(row: borrowing Row) throws {
        account = try row["account_id"]
        expiresAt = try row["expires_at"]
        spentAt = try row["spent_at"]
    }

    /// The account of a link.
    /// - Throws: `Problem.notFound` for an unknown one, `.gone` with a message for a used or expired one.
    package static func owner(
        of link: MailLink?, now: Instant, or message: String
    ) throws(Problem) -> ID<Account> {
        guard let link else { throw .notFound }
        guard link.spentAt == nil, link.expiresAt > now else { throw .gone(Message(message)) }
        return link.account
    }
}
