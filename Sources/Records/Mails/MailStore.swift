import Database
import Wire

/// Every statement about queued mails.
package enum MailStore {
    package static func insert(_ mail: QueuedMail, _ connection: borrowing Connection) throws {
        try connection.run(
            """
            INSERT INTO mails (id, account_id, message, made_at, next_try_at)
            VALUES (\(mail.id), \(mail.account), \(mail.message), \(mail.madeAt), \(mail.madeAt))
            """)
    }

    /// Mails that are due, the oldest first.
    static func due(at now: Instant, _ connection: borrowing Connection) throws -> [QueuedMail] {
        try connection.all(
            """
            SELECT id, account_id, message, made_at, tries FROM mails
            WHERE next_try_at <= \(now) AND message IS NOT NULL ORDER BY made_at, id LIMIT 100
            """
        ) { row in
            QueuedMail(
                id: try row["id"], account: try row["account_id"], message: try row["message"],
                madeAt: try row["made_at"], tries: try row["tries"])
        }
    }

    /// Removes a mail that was sent.
    package static func remove(_ id: ID<Mail>, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM mails WHERE id = \(id)")
    }

    /// Counts a try before it is made.
    /// - Returns: false when the mail is gone, or another portal tries it.
    static func claim(
        _ mail: QueuedMail, until next: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.run(
            """
            UPDATE mails SET tries = tries + 1, next_try_at = \(next)
            WHERE id = \(mail.id) AND tries = \(mail.tries) AND message IS NOT NULL
            """) > 0
    }

    static func noteFailure(
        _ id: ID<Mail>, because reason: String, _ connection: borrowing Connection
    ) throws {
        try connection.run("UPDATE mails SET failure = \(reason) WHERE id = \(id)")
    }

    /// Drops all queued mails.
    package static func removeAll(_ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM mails")
    }

    /// Drops the message of a mail that was not taken for a day; the failure stays visible.
    static func giveUp(
        _ id: ID<Mail>, at now: Instant, because reason: String, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE mails SET message = NULL, given_up_at = \(now), failure = \(reason)
            WHERE id = \(id)
            """)
    }

    package static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM mails WHERE given_up_at <= \(now.adding(days: -30))")
    }

    /// A mail that could not be sent yet, or never could.
    package struct Stuck: Sendable {
        package let account: ID<Account>
        package let madeAt: Instant
        package let tries: Int
        /// Nil once it was given up.
        package let nextTryAt: Instant?
        package let failure: String
    }

    /// The newest first.
    package static func stuck(_ connection: borrowing Connection) throws -> [Stuck] {
        try connection.all(
            """
            SELECT account_id, made_at, tries, next_try_at, given_up_at, failure FROM mails WHERE failure IS NOT NULL
            ORDER BY made_at DESC, id LIMIT 100
            """
        ) { row in
            let isGivenUp = try row["given_up_at"] as Instant? != nil
            let next: Instant = try row["next_try_at"]
            return Stuck(
                account: try row["account_id"], madeAt: try row["made_at"], tries: try row["tries"],
                nextTryAt: isGivenUp ? nil : next,
                failure: try row["failure"] ?? "")
        }
    }

    /// Why a mail to an account was given up, the latest of them; nil while none is.
    package static func failure(of account: ID<Account>, _ connection: borrowing Connection) throws -> String?
    {
        try connection.value(
            """
            SELECT failure FROM mails WHERE account_id = \(account) AND given_up_at IS NOT NULL
            ORDER BY given_up_at DESC, id LIMIT 1
            """)
    }

    /// Removes the mails given up, as a new one takes their place.
    package static func removeGivenUp(of account: ID<Account>, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM mails WHERE account_id = \(account) AND given_up_at IS NOT NULL")
    }

    /// The number of mails to be sent.
    package static func waiting(_ connection: borrowing Connection) throws -> Int {
        try connection.count("SELECT count(*) FROM mails WHERE message IS NOT NULL")
    }

    /// When the oldest queued mail was made.
    package static func oldest(_ connection: borrowing Connection) throws -> Instant? {
        try connection.value("SELECT made_at FROM mails WHERE message IS NOT NULL ORDER BY made_at LIMIT 1")
    }
}
