import Database
import Identity
import Records
import Wire

/// A link request while the person is at the provider.
struct LinkRequestRecord: Sendable, FromRow {
    let state: [UInt8]
    let account: ID<Account>
    let credential: ID<Credential>
    let provider: String
    let isByBrowser: Bool
    let sealedVerifier: [UInt8]
    let sealedCode: [UInt8]?
    let expiresAt: Instant

    init(row: borrowing Row) throws {
        state = try row["state"]
        account = try row["account_id"]
        credential = try row["credential_id"]
        provider = try row["provider"]
        isByBrowser = try row["by_browser"]
        sealedVerifier = try row["verifier"]
        sealedCode = try row["code"]
        expiresAt = try row["expires_at"]
    }
}

/// Every statement about link requests.
enum LinkRequestStore {
    /// Replaces an earlier request of the same device.
    static func insert(
        state: [UInt8], verifier: [UInt8], of account: ID<Account>, by credential: ID<Credential>,
        isByBrowser: Bool, _ provider: String, at now: Instant, until end: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            DELETE FROM wearable_requests WHERE account_id = \(account) AND credential_id = \(credential)
            AND provider = \(provider)
            """)
        try connection.run(
            """
            INSERT INTO wearable_requests (state, account_id, credential_id, provider, by_browser, verifier, asked_at,
                expires_at)
            VALUES (\(state), \(account), \(credential), \(provider), \(isByBrowser), \(verifier), \(now), \(end))
            """)
    }

    /// A request that waits for the provider's answer.
    static func waiting(
        _ state: [UInt8], at now: Instant, _ connection: borrowing Connection
    ) throws -> LinkRequestRecord? {
        try connection.first(
            "SELECT * FROM wearable_requests WHERE state = \(state) AND code IS NULL AND expires_at > \(now)")
    }

    /// A request that was answered and waits for confirmation by its device.
    static func returned(
        _ provider: String, of account: ID<Account>, by credential: ID<Credential>, at now: Instant,
        _ connection: borrowing Connection
    ) throws -> LinkRequestRecord? {
        try connection.first(
            """
            SELECT * FROM wearable_requests WHERE account_id = \(account) AND credential_id = \(credential)
            AND provider = \(provider) AND code IS NOT NULL AND expires_at > \(now)
            """)
    }

    static func setCode(_ code: [UInt8], of state: [UInt8], _ connection: borrowing Connection) throws {
        try connection.run("UPDATE wearable_requests SET code = \(code) WHERE state = \(state)")
    }

    static func remove(_ state: [UInt8], _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM wearable_requests WHERE state = \(state)")
    }

    static func removeAll(_ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM wearable_requests")
    }

    static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM wearable_requests WHERE expires_at <= \(now)")
    }
}
