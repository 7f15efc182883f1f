import Database
import Records
import Wire

/// Every statement about due fetches and quotas of providers.
enum PullStore {
    /// Due links, the longest waiting first; of several at once, as at the full hour, those that used least before:
    /// so that a quota that is too small for all starves no link.
    static func due(
        at now: Instant, limit: Int, _ connection: borrowing Connection
    ) throws -> [WearableLinkRecord] {
        try connection.all(
            """
            SELECT wearable_links.* FROM wearable_links JOIN accounts ON accounts.id = wearable_links.account_id
            WHERE state = 'live' AND next_pull_at <= \(now) AND (rest_until IS NULL OR rest_until <= \(now))
            AND disabled_at IS NULL
            ORDER BY next_pull_at, last_pull_at NULLS FIRST, account_id LIMIT \(limit)
            """)
    }

    /// - Returns: false when another program was faster.
    static func claim(
        _ link: WearableLinkRecord, until next: Instant, at now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.run(
            """
            UPDATE wearable_links SET next_pull_at = \(next), tried_at = \(now)
            WHERE account_id = \(link.account) AND provider = \(link.provider) AND id = \(link.id)
            AND next_pull_at = \(link.nextPullAt) AND state = 'live'
            """) > 0
    }

    /// Notes the outcome of a fetch. A hook that came meanwhile is kept.
    /// - Parameter claim: until when the fetch had claimed the link.
    static func note(
        _ outcome: PullOutcome, of link: WearableLinkRecord, claim: Instant, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE wearable_links SET next_pull_at = CASE WHEN next_pull_at < \(claim) AND next_pull_at < \(outcome.next)
                    THEN next_pull_at ELSE \(outcome.next) END, rest_until = \(outcome.restUntil),
                failures = \(outcome.failures), problem = \(outcome.problem),
                last_pull_at = coalesce(\(outcome.isWhole ? now : nil), last_pull_at)
            WHERE account_id = \(link.account) AND provider = \(link.provider) AND id = \(link.id)
            AND state = 'live'
            """)
    }

    /// Whether a link is still the one that was fetched.
    static func isLive(_ link: WearableLinkRecord, _ connection: borrowing Connection) throws -> Bool {
        try connection.exists(
            """
            SELECT 1 FROM wearable_links WHERE account_id = \(link.account) AND provider = \(link.provider)
            AND id = \(link.id) AND state = 'live'
            """)
    }

    // MARK: Cursors

    static func cursors(
        of link: WearableLinkRecord, _ connection: borrowing Connection
    ) throws -> [String: PullCursor] {
        let rows: [(String, PullCursor)] = try connection.all(
            """
            SELECT stream, until, last_day, swept_on FROM wearable_cursors
            WHERE account_id = \(link.account) AND provider = \(link.provider)
            """
        ) { row in
            (try row[0], PullCursor(until: try row[1], lastDay: try row[2], sweptOn: try row[3]))
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    static func setCursor(
        _ stream: String, to cursor: PullCursor, of link: WearableLinkRecord,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO wearable_cursors (account_id, provider, stream, until, last_day, swept_on)
            VALUES (\(link.account), \(link.provider), \(stream), \(cursor.until), \(cursor.lastDay), \(cursor.sweptOn))
            ON CONFLICT (account_id, provider, stream) DO UPDATE SET until = excluded.until,
                last_day = excluded.last_day, swept_on = excluded.swept_on
            """)
    }

    /// The cursors of a link to another account at the provider are not valid for this one.
    static func removeCursors(
        of provider: String, _ account: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "DELETE FROM wearable_cursors WHERE account_id = \(account) AND provider = \(provider)")
    }

    // MARK: Quotas

    /// Reserves calls for a fetch, as many as both buckets hold.
    /// - Returns: how many.
    static func reserve(
        _ wanted: Int, of account: ID<Account>, _ provider: WearableProvider, hour: Int64,
        _ connection: borrowing Connection
    ) throws -> Int {
        let free = { (holder: String, most: Int, connection: borrowing Connection) -> Int in
            let used: Int? = try connection.value(
                """
                SELECT used FROM wearable_quotas WHERE provider = \(provider.name) AND holder = \(holder)
                AND hour = \(hour)
                """)
            return max(0, most - (used ?? 0))
        }
        let user = try free(account.text, provider.quota.user, connection)
        let project = try free("", provider.quota.project, connection)
        let count = min(wanted, user, project)
        if count > 0 { try add(count, of: account, provider, hour: hour, connection) }
        return count
    }

    /// Returns unused reserved calls; for a past hour that is useless.
    static func release(
        _ count: Int, of account: ID<Account>, _ provider: WearableProvider, hour: Int64,
        _ connection: borrowing Connection
    ) throws {
        guard count > 0 else { return }
        // A removed row, as after erasing the account, must not come back.
        for holder in [account.text, ""] {
            try connection.run(
                """
                UPDATE wearable_quotas SET used = CASE WHEN used > \(count) THEN used - \(count) ELSE 0 END
                WHERE provider = \(provider.name) AND holder = \(holder) AND hour = \(hour)
                """)
        }
    }

    // MARK: Rests

    /// Until when no requests may be made for this person; nil when they may.
    static func rest(
        of account: ID<Account>, _ provider: String, at now: Instant, _ connection: borrowing Connection
    ) throws -> Instant? {
        try connection.value(
            """
            SELECT until FROM wearable_rests WHERE provider = \(provider) AND holder IN (\(account), '')
            AND until > \(now) ORDER BY until DESC LIMIT 1
            """)
    }

    static func setRest(
        until end: Instant, of account: ID<Account>, _ provider: WearableProvider,
        _ connection: borrowing Connection
    ) throws {
        let holder = provider.quota.isShared ? "" : account.text
        try connection.run(
            """
            INSERT INTO wearable_rests (provider, holder, until) VALUES (\(provider.name), \(holder), \(end))
            ON CONFLICT (provider, holder) DO UPDATE SET until = excluded.until
            """)
    }

    private static func add(
        _ count: Int, of account: ID<Account>, _ provider: WearableProvider, hour: Int64,
        _ connection: borrowing Connection
    ) throws {
        for holder in [account.text, ""] {
            try connection.run(
                """
                INSERT INTO wearable_quotas (provider, holder, hour, used)
                VALUES (\(provider.name), \(holder), \(hour), \(count))
                ON CONFLICT (provider, holder, hour) DO UPDATE SET used = wearable_quotas.used + \(count)
                """)
        }
    }

    static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM wearable_quotas WHERE hour < \(now.seconds / 3_600 - 1)")
        try connection.run("DELETE FROM wearable_rests WHERE until <= \(now)")
    }

    static func forget(_ account: ID<Account>, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM wearable_quotas WHERE holder = \(account)")
        try connection.run("DELETE FROM wearable_rests WHERE holder = \(account)")
    }
}

/// The outcome of a fetch, and the time of the next one.
struct PullOutcome: Sendable, Equatable {
    var next: Instant
    /// The provider asked for a rest until then.
    var restUntil: Instant?
    var failures = 0
    var problem: String?
    /// Whether everything was requested.
    var isWhole = true

    /// In seconds: data arrives minutes late, and a day is drawn by the hour.
    static let pause: Int64 = 3_600
    private static let pauses: [Int64] = [300, 900, 3_600, 4 * 3_600]

    /// - Parameter fault: nil when all went well.
    init(_ fault: LinkFault?, of link: WearableLinkRecord, at now: Instant) {
        switch fault {
        case nil: next = now.adding(seconds: Self.pause)
        case .gone?:
            next = now.adding(seconds: 60)
            problem = link.problem
            failures = link.failures
            isWhole = false
        case .quotaUsed?:
            next = LinkFault.nextHour(now)
            problem = link.problem
            isWhole = false
        case .busy(let until)?:
            next = until
            restUntil = until
            problem = fault?.word
            isWhole = false
        case let fault?:
            failures = link.failures + 1
            next = now.adding(seconds: Self.pauses[min(failures, Self.pauses.count) - 1])
            problem = fault.word
            isWhole = false
        }
    }
}
