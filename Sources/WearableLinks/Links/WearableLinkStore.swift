import Database
import Records
import Wire

struct NewWearableLink: Sendable {
    let id: ID<WearableLinkRecord>
    let account: ID<Account>
    let provider: String
    let tokens: [UInt8]
    let scopes: [String]
    let accessUntil: Instant
    let consentUntil: Instant?
}

/// Every statement about links.
package enum WearableLinkStore {
    package static func all(of account: ID<Account>, _ connection: borrowing Connection) throws
        -> [WearableLinkRecord]
    {
        try connection.all("SELECT * FROM wearable_links WHERE account_id = \(account) ORDER BY provider")
    }

    package static func find(
        _ provider: String, of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> WearableLinkRecord? {
        try connection.first(
            "SELECT * FROM wearable_links WHERE account_id = \(account) AND provider = \(provider)")
    }

    /// Replaces an earlier one, whose cursors stay: the fetched data still exists.
    static func save(_ link: NewWearableLink, at now: Instant, _ connection: borrowing Connection) throws {
        let scopes = link.scopes.joined(separator: " ")
        try connection.run(
            """
            INSERT INTO wearable_links (account_id, provider, id, state, tokens, scopes, access_until, consent_until,
                version, linked_at, next_pull_at)
            VALUES (\(link.account), \(link.provider), \(link.id), 'live', \(link.tokens), \(scopes),
                \(link.accessUntil), \(link.consentUntil), 1, \(now), \(now))
            ON CONFLICT (account_id, provider) DO UPDATE SET
                id = excluded.id, state = 'live', tokens = excluded.tokens, scopes = excluded.scopes,
                access_until = excluded.access_until, consent_until = excluded.consent_until,
                version = wearable_links.version + 1, renewing_until = NULL, user_lookup = NULL,
                linked_at = excluded.linked_at, next_pull_at = excluded.next_pull_at, failures = 0, problem = NULL
            """)
    }

    static func remove(
        _ provider: String, of account: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "DELETE FROM wearable_links WHERE account_id = \(account) AND provider = \(provider)")
    }

    // MARK: Tokens

    /// - Returns: false when another caller renews them, or has since.
    static func beginRenewal(
        of link: WearableLinkRecord, until end: Instant, at now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.run(
            """
            UPDATE wearable_links SET renewing_until = \(end)
            WHERE account_id = \(link.account) AND provider = \(link.provider) AND id = \(link.id)
            AND version = \(link.version) AND state = 'live'
            AND (renewing_until IS NULL OR renewing_until <= \(now))
            """) > 0
    }

    /// - Returns: false when the link has ended or was made again since.
    static func setTokens(
        _ tokens: [UInt8], accessUntil: Instant, consentUntil: Instant?, of link: WearableLinkRecord,
        _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.run(
            """
            UPDATE wearable_links SET tokens = \(tokens), access_until = \(accessUntil),
                consent_until = coalesce(\(consentUntil), consent_until), version = version + 1,
                renewing_until = NULL
            WHERE account_id = \(link.account) AND provider = \(link.provider) AND id = \(link.id)
            AND version = \(link.version) AND state = 'live'
            """) > 0
    }

    static func endRenewal(of link: WearableLinkRecord, _ connection: borrowing Connection) throws {
        try connection.run(
            """
            UPDATE wearable_links SET renewing_until = NULL
            WHERE account_id = \(link.account) AND provider = \(link.provider) AND id = \(link.id)
            AND version = \(link.version)
            """)
    }

    /// Deletes the tokens.
    /// - Returns: false when they have changed since: they may be valid.
    static func requireConsent(
        _ link: WearableLinkRecord, because problem: String, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.run(
            """
            UPDATE wearable_links SET state = 'needs_consent', tokens = NULL, renewing_until = NULL,
                version = version + 1, problem = \(problem)
            WHERE account_id = \(link.account) AND provider = \(link.provider) AND id = \(link.id)
            AND version = \(link.version) AND state = 'live'
            """) > 0
    }

    /// An old copy of the database must not revive any: they may have been ended since, and tokens have changed.
    static func requireConsentOfAll(_ connection: borrowing Connection) throws {
        try connection.run(
            """
            UPDATE wearable_links SET state = 'needs_consent', tokens = NULL, renewing_until = NULL,
                version = version + 1, problem = 'restored' WHERE state = 'live'
            """)
    }

    // MARK: Hooks

    static func setUser(
        _ lookup: [UInt8], of link: WearableLinkRecord, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE wearable_links SET user_lookup = \(lookup)
            WHERE account_id = \(link.account) AND provider = \(link.provider) AND id = \(link.id)
            """)
    }

    /// Fetches again soon; never twice within the pause, and not after failed attempts, which pause longer.
    /// - Parameter pause: in seconds.
    static func hint(
        _ provider: String, user lookup: [UInt8], at soon: Instant, pause: Int64,
        _ connection: borrowing Connection
    ) throws {
        let milliseconds = pause * 1_000
        try connection.run(
            """
            UPDATE wearable_links SET next_pull_at = CASE WHEN tried_at + \(milliseconds) > \(soon)
                THEN tried_at + \(milliseconds) ELSE \(soon) END
            WHERE provider = \(provider) AND user_lookup = \(lookup) AND state = 'live' AND next_pull_at > \(soon)
            AND failures = 0 AND (tried_at IS NULL OR next_pull_at > tried_at + \(milliseconds))
            """)
    }
}
