import Database
import Identity
import Records
import Wire
import Wording

/// Another address that somebody wants for their account, and that nobody has proved yet.
struct AddressChangeRecord: Sendable, FromRow {
    let account: ID<Account>
    /// Sealed under the account's key.
    let email: [UInt8]
    let lookup: [UInt8]
    private let expiresAt: Instant
    private let spentAt: Instant?

    init(row: borrowing Row) throws {
        account = try row["account_id"]
        email = try row["email"]
        lookup = try row["email_lookup"]
        expiresAt = try row["expires_at"]
        spentAt = try row["spent_at"]
    }

    func isLive(at now: Instant) -> Bool { spentAt == nil && expiresAt > now }
}

/// Every statement about changes of address that wait for their link.
package enum AddressChangeStore {
    /// Keeps a change; those that waited before are dead.
    static func insert(
        _ hash: [UInt8], email: [UInt8], lookup: [UInt8], of account: ID<Account>, at now: Instant,
        until expiry: Instant, _ connection: borrowing Connection
    ) throws {
        try endAll(of: account, at: now, connection)
        try connection.run(
            """
            INSERT INTO address_changes (hash, account_id, email, email_lookup, asked_at, expires_at)
            VALUES (\(hash), \(account), \(email), \(lookup), \(now), \(expiry))
            """)
    }

    /// The change that a link stands for.
    /// - Throws: `Problem.notFound` for an unknown link, `.gone` for one that was used or has run out.
    static func find(
        _ hash: [UInt8], at now: Instant, _ connection: borrowing Connection
    ) throws -> AddressChangeRecord {
        let found: AddressChangeRecord? = try connection.first(
            "SELECT * FROM address_changes WHERE hash = \(hash)")
        guard let found else { throw Problem.notFound }
        guard found.isLive(at: now) else { throw Problem.gone(Message("address.link_dead")) }
        return found
    }

    static func endAll(
        of account: ID<Account>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "UPDATE address_changes SET spent_at = \(now) WHERE account_id = \(account) AND spent_at IS NULL")
    }

    static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM address_changes WHERE expires_at <= \(now.adding(days: -30))")
    }

    static func removeAll(_ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM address_changes")
    }
}
