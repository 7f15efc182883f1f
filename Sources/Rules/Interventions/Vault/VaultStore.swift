import Database
import Records
import Web
import Wire

/// A patient's ciphertext with its revision.
package struct VaultRecord: Sendable, FromRow {
    package let revision: Int
    private let accountID: ID<Account>
    private let sealed: [UInt8]?

    package init(row: borrowing Row) throws {
        accountID = try row["account_id"]
        revision = try row["revision"]
        sealed = try row["ciphertext"]
    }

    package func ciphertext(_ key: PersonKey) throws -> [UInt8]? {
        try sealed.map { try key.openBytes($0, from: InterventionPlace.vault(accountID)) }
    }
}

/// Every statement about vaults.
package enum VaultStore {
    /// 0 for an empty one.
    static let revision: RevisionOf = { _, account, connection in
        try find(account, connection)?.revision ?? 0
    }

    package static func find(_ account: ID<Account>, _ connection: borrowing Connection) throws
        -> VaultRecord?
    {
        try connection.first("SELECT * FROM vaults WHERE account_id = \(account)")
    }

    /// - Parameter sealed: nil empties it.
    static func save(
        _ sealed: [UInt8]?, revision: Int, of account: ID<Account>, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO vaults (account_id, ciphertext, revision, changed_at)
            VALUES (\(account), \(sealed), \(revision), \(now))
            ON CONFLICT (account_id) DO UPDATE SET ciphertext = excluded.ciphertext, revision = excluded.revision,
                changed_at = excluded.changed_at
            """)
    }
}
