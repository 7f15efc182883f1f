import Database
import Records
import Secrets
import Wire

/// Every statement about browsers and addresses from which an account signed in (RP-205). They open nothing and skip no second
/// factor: tries of a password or a code from there are counted by themselves.
package enum KnownOriginStore {
    /// How long a browser or an address is known after the last time.
    package static let days: Int64 = 90
    /// More than anyone uses, of each kind: the oldest are dropped.
    private static let most = 50

    /// Notes where a session began.
    /// - Parameters:
    ///   - id: the random id in the browser's cookie.
    ///   - address: as `Keyring.lookup(address:of:)` gave it.
    package static func note(
        _ id: Token, of credential: NewCredential, address: [UInt8], _ connection: borrowing Connection
    ) throws {
        let account = credential.account
        let end = credential.createdAt.adding(days: days)
        try connection.run(
            """
            INSERT INTO known_browsers (hash, account_id, credential_id, expires_at)
            VALUES (\(hash(of: id, account)), \(account), \(credential.id), \(end))
            ON CONFLICT (hash) DO UPDATE SET credential_id = excluded.credential_id,
                expires_at = excluded.expires_at
            """)
        try connection.run(
            """
            DELETE FROM known_browsers WHERE account_id = \(account) AND hash NOT IN (
                SELECT hash FROM known_browsers WHERE account_id = \(account)
                ORDER BY expires_at DESC, hash LIMIT \(most))
            """)
        try note(address: address, of: account, at: credential.createdAt, connection)
    }

    /// Notes from which address an account signed in.
    package static func note(
        address: [UInt8], of account: ID<Account>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO known_addresses (account_id, hash, expires_at)
            VALUES (\(account), \(address), \(now.adding(days: days)))
            ON CONFLICT (account_id, hash) DO UPDATE SET expires_at = excluded.expires_at
            """)
        try connection.run(
            """
            DELETE FROM known_addresses WHERE account_id = \(account) AND hash NOT IN (
                SELECT hash FROM known_addresses WHERE account_id = \(account)
                ORDER BY expires_at DESC, hash LIMIT \(most))
            """)
    }

    /// A device that stays signed in stays known.
    static func noteUse(
        of id: ID<Credential>, by account: ID<Account>, at now: Instant, _ connection: borrowing Connection
    )
        throws
    {
        try connection.run(
            """
            UPDATE known_browsers SET expires_at = \(now.adding(days: days))
            WHERE account_id = \(account) AND credential_id = \(id)
            """)
    }

    package static func isKnown(
        _ id: Token, of account: ID<Account>, now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.exists(
            """
            SELECT 1 FROM known_browsers
            WHERE hash = \(hash(of: id, account)) AND account_id = \(account) AND expires_at > \(now)
            """)
    }

    package static func isKnown(
        address: [UInt8], of account: ID<Account>, now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.exists(
            """
            SELECT 1 FROM known_addresses
            WHERE account_id = \(account) AND hash = \(address) AND expires_at > \(now)
            """)
    }

    /// Ends the browser of a session.
    static func endBrowser(
        of credential: ID<Credential>, _ account: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "DELETE FROM known_browsers WHERE account_id = \(account) AND credential_id = \(credential)")
    }

    /// Ends all browsers of an account.
    /// - Parameter kept: the session whose browser stays known; nil for none.
    static func endBrowsers(
        of account: ID<Account>, but kept: ID<Credential>?, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            DELETE FROM known_browsers
            WHERE account_id = \(account) AND credential_id <> coalesce(\(kept), '')
            """)
    }

    package static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM known_browsers WHERE expires_at <= \(now)")
        try connection.run("DELETE FROM known_addresses WHERE expires_at <= \(now)")
    }

    /// Ends all browsers, as after a copy of the database was brought back: some of them may have ended since it was made.
    package static func removeBrowsers(_ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM known_browsers")
    }

    private static func hash(of id: Token, _ account: ID<Account>) -> [UInt8] {
        Digest.plain(Array("known browser \(account) \(id.text)".utf8))
    }
}
