import Database
import Records
import Secrets
import Wire

/// Every statement about credentials: sessions, tokens, and sign-ins before their second factor.
package enum CredentialStore {
    /// The account of a token's hash; nil when it is unknown, expired or, for staff, was unused for too long.
    package static func signedIn(
        by hash: [UInt8], kinds: [Credential.Kind], now: Instant, _ connection: borrowing Connection
    ) throws -> SignedIn? {
        let found: Credential? = try connection.first(
            """
            SELECT id, account_id, kind, last_used_at, expires_at, stays_until, installed, platform, used_on
            FROM credentials
            WHERE hash = \(hash) AND kind IN \(list: kinds) AND expires_at > \(now)
            """)
        return try found.flatMap { try person(behind: $0, now: now, connection) }
    }

    /// The account of a credential found earlier; nil when it has ended since.
    package static func signedIn(
        with earlier: Credential, now: Instant, _ connection: borrowing Connection
    ) throws -> SignedIn? {
        let found: Credential? = try connection.first(
            """
            SELECT id, account_id, kind, last_used_at, expires_at, stays_until, installed, platform, used_on
            FROM credentials
            WHERE id = \(earlier.id) AND kind = \(earlier.kind) AND expires_at > \(now)
            """)
        return try found.flatMap { try person(behind: $0, now: now, connection) }
    }

    private static func person(
        behind credential: Credential, now: Instant, _ connection: borrowing Connection
    ) throws -> SignedIn? {
        guard let account = try AccountStore.find(credential.account, connection) else { return nil }
        if account.disabledAt != nil { return nil }
        if credential.isIdle(at: now, of: account.kind) { return nil }
        return SignedIn(account: account, credential: credential)
    }

    /// The account of a session, for a day after its end, too: a form typed in it is given back to that account alone.
    package static func owner(
        ofSession hash: [UInt8], _ connection: borrowing Connection
    ) throws -> ID<Account>? {
        try connection.value(
            "SELECT account_id FROM credentials WHERE hash = \(hash) AND kind = 'session'")
    }

    /// - Throws: `Problem.wrongCredentials` when the account has changed since its password was verified.
    package static func insert(_ credential: NewCredential, _ connection: borrowing Connection) throws {
        if let seen = credential.verified { try AccountStore.requireUnchanged(seen, connection) }
        let id = credential.id
        let now = credential.createdAt
        try connection.run(
            """
            INSERT INTO credentials (id, account_id, kind, hash, created_at, expires_at, last_used_at,
                device_name, platform, os_version, app_version, by_second_factor, stays_until, browser, system,
                installed)
            VALUES (\(id), \(credential.account), \(credential.kind), \(credential.token.hash), \(now),
                \(credential.expiresAt), \(now), \(credential.deviceName), \(credential.platform),
                \(credential.osVersion), \(credential.appVersion), \(credential.isBySecondFactor),
                \(credential.staysUntil), \(credential.traits.browser), \(credential.traits.system),
                \(credential.traits.isInstalled))
            """)
        // More devices than anyone uses: the oldest are dropped.
        try connection.run(
            """
            DELETE FROM credentials WHERE account_id = \(credential.account) AND kind = \(credential.kind)
            AND id NOT IN (SELECT id FROM credentials WHERE account_id = \(credential.account)
                AND kind = \(credential.kind) ORDER BY created_at DESC, id LIMIT 50)
            """)
    }

    /// Adds the credential of a device that another device of the same person has approved.
    package static func insert(
        claim: ArrivedCredential, of account: ID<Account>, now: Instant, _ connection: borrowing Connection
    ) throws {
        let life = claim.stays ? Credential.stayDays * 86_400 : Credential.lifetime(claim.kind)
        let end = claim.stays ? now.adding(days: Credential.longestStayDays) : nil
        try connection.run(
            """
            INSERT INTO credentials (id, account_id, kind, hash, created_at, expires_at, last_used_at,
                device_name, platform, os_version, app_version, by_second_factor, stays_until, browser, system)
            VALUES (\(claim.id), \(account), \(claim.kind), \(claim.hash), \(now),
                \(now.adding(seconds: life)), \(now), \(claim.deviceName),
                \(claim.platform), \(claim.osVersion), \(claim.appVersion), 0, \(end),
                \(claim.traits.browser), \(claim.traits.system))
            """)
    }

    /// - Parameter expiry: its new end.
    package static func noteUse(
        of id: ID<Credential>, at now: Instant, until expiry: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "UPDATE credentials SET last_used_at = \(now), expires_at = \(expiry) WHERE id = \(id)")
    }

    /// Notes the browser's traits, also for sessions older than this feature.
    package static func note(
        _ traits: DeviceTraits, of id: ID<Credential>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE credentials SET browser = coalesce(browser, \(traits.browser)),
                system = coalesce(system, \(traits.system))
            WHERE id = \(id)
            """)
        guard traits.isInstalled else { return }
        try connection.run("UPDATE credentials SET installed = 1 WHERE id = \(id)")
    }

    /// - Returns: false when the account has no such credential.
    @discardableResult
    package static func endCredential(
        _ id: ID<Credential>, of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.run("DELETE FROM credentials WHERE id = \(id) AND account_id = \(account)") > 0
    }

    /// Removes a device: it is signed out, and its browser is not known any more.
    /// - Returns: false when the account has no such device.
    @discardableResult
    package static func removeDevice(
        _ id: ID<Credential>, of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> Bool {
        try KnownOriginStore.endBrowser(of: id, account, connection)
        return try endCredential(id, of: account, connection)
    }

    /// An account's token, in force or run out by time; nil for one that was ended.
    package static func token(
        _ hash: [UInt8], of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> ID<Credential>? {
        try connection.value(
            "SELECT id FROM credentials WHERE hash = \(hash) AND account_id = \(account) AND kind = 'token'")
    }

    /// Signs out all of an account's devices and browsers; none of them is known any more.
    /// - Parameter kept: the credential that stays; nil for none.
    package static func endCredentials(
        of account: ID<Account>, but kept: ID<Credential>?, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "DELETE FROM credentials WHERE account_id = \(account) AND id <> coalesce(\(kept), '')")
        try KnownOriginStore.endBrowsers(of: account, but: kept, connection)
    }

    // MARK: Second factors

    /// Notes that a code was given for it.
    package static func noteFactor(in id: ID<Credential>, _ connection: borrowing Connection) throws {
        try connection.run("UPDATE credentials SET by_second_factor = 1 WHERE id = \(id)")
    }

    /// Signs out all staff accounts that signed in by the password alone.
    /// - Returns: how many sessions and tokens that were.
    package static func endWithoutFactor(_ connection: borrowing Connection) throws -> Int {
        try connection.run(
            """
            DELETE FROM credentials WHERE kind IN ('session', 'token') AND by_second_factor = 0
            AND account_id IN (SELECT id FROM accounts WHERE kind = 'staff')
            """)
    }

    // MARK: Devices

    /// A session or a token.
    package struct DeviceRecord: Sendable {
        package let id: ID<Credential>
        package let kind: Credential.Kind
        package let sealedName: [UInt8]?
        let platform: String?
        package let createdAt: Instant
        package let lastUsedAt: Instant
        let expiresAt: Instant
        let staysUntil: Instant?
        package let traits: DeviceTraits

        package func wire(_ key: PersonKey, current: Credential, push: String) throws -> Device {
            Device(
                deviceName: try sealedName.map { try key.open($0, from: AccountPlace.device(id)) },
                platform: platform, createdAt: createdAt, lastUsedAt: lastUsedAt, expiresAt: expiresAt,
                current: id == current.id, browser: traits.browser?.rawValue,
                system: traits.system?.rawValue, installed: traits.isInstalled, push: push)
        }

        /// Whether its last use is known to the day only: long-lived credentials are noted once a day at most.
        package func isNotedByDay(of account: AccountRecord.Kind) -> Bool {
            account == .patient && (kind == .token || staysUntil != nil)
        }

        /// Whether it was not unused for too long.
        package func isAlive(at now: Instant, of account: AccountRecord.Kind) -> Bool {
            if account == .patient, kind == .token || staysUntil != nil { return true }
            return lastUsedAt.adding(seconds: Credential.idleSeconds) > now
        }
    }

    /// An account's sessions and tokens that have not expired, the newest first.
    package static func devices(
        of account: ID<Account>, kinds: [Credential.Kind] = [.token], at now: Instant,
        _ connection: borrowing Connection
    ) throws -> [DeviceRecord] {
        try connection.all(
            """
            SELECT id, device_name, platform, created_at, last_used_at, kind, expires_at, stays_until,
                browser, system, installed
            FROM credentials
            WHERE account_id = \(account) AND kind IN \(list: kinds) AND expires_at > \(now)
            ORDER BY created_at DESC, id
            """
        ) { row in
            let platform: String? = try row[2]
            let system: DeviceTraits.System? = try row[9]
            return DeviceRecord(
                id: try row[0], kind: try row[5], sealedName: try row[1], platform: platform,
                createdAt: try row[3], lastUsedAt: try row[4], expiresAt: try row[6],
                staysUntil: try row[7],
                // Programs name their device themselves.
                traits: DeviceTraits(
                    browser: try row[8], system: system ?? platform.flatMap { .init(rawValue: $0) },
                    isInstalled: try row[10]))
        }
    }

    /// Signs everyone out.
    package static func removeAll(_ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM credentials")
    }

    /// Removes expired credentials a day later: until then a form typed in a session is given back to its owner. A token
    /// that ran out stands for its app as long as a browser is known (RP-205).
    package static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        let yesterday = now.adding(days: -1)
        let idle = yesterday.adding(seconds: -Credential.idleSeconds)
        let unknown = now.adding(days: -KnownOriginStore.days)
        try connection.run(
            """
            DELETE FROM credentials WHERE (expires_at <= \(yesterday) AND kind <> 'token')
            OR expires_at <= \(unknown)
            OR (kind = 'session' AND stays_until IS NULL AND last_used_at <= \(idle))
            """)
    }
}
