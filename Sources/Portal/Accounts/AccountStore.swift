import Database
import Secrets
import Wire

/// Every statement about accounts and the ways to sign in.
enum AccountStore {
    // MARK: Finding

    static func find(_ id: String, _ connection: borrowing Connection) throws -> AccountRecord? {
        let roles = try roles(of: id, connection)
        return try connection.first("SELECT * FROM accounts WHERE id = \(id)") { row in
            try AccountRecord(row: row, roles: roles)
        }
    }

    static func find(lookup: [UInt8], _ connection: borrowing Connection) throws -> AccountRecord? {
        let id: String? = try connection.value("SELECT id FROM accounts WHERE email_lookup = \(lookup)")
        return try id.flatMap { try find($0, connection) }
    }

    private static func roles(of id: String, _ connection: borrowing Connection) throws -> Set<Role> {
        Set(
            try connection.all("SELECT role FROM account_roles WHERE account_id = \(id)") { row in try row[0]
            })
    }

    /// The person behind a token's hash; nil when it is unknown, expired or, for staff, lay idle.
    static func signedIn(
        by hash: [UInt8], kinds: [Credential.Kind], now: Instant, _ connection: borrowing Connection
    ) throws -> SignedIn? {
        let found = try connection.first(
            """
            SELECT id, account_id, kind, last_used_at, expires_at FROM credentials
            WHERE hash = \(hash) AND kind IN \(list: kinds) AND expires_at > \(now)
            """
        ) { row in
            let credential = Credential(
                id: try row["id"], account: try row["account_id"], kind: try row["kind"],
                lastUsedAt: try row["last_used_at"],
                expiresAt: try row["expires_at"])
            return credential
        }
        guard let credential = found, let account = try find(credential.account, connection) else {
            return nil
        }
        if account.disabledAt != nil { return nil }
        let isIdle = credential.lastUsedAt.adding(seconds: Credential.idleSeconds) <= now
        if account.kind == .staff && isIdle { return nil }
        return SignedIn(account: account, credential: credential)
    }

    /// Whose session it was, a day after its end too: so that what was typed in it is given back to nobody else.
    static func owner(ofSession hash: [UInt8], _ connection: borrowing Connection) throws -> String? {
        try connection.value(
            "SELECT account_id FROM credentials WHERE hash = \(hash) AND kind = 'session'")
    }

    static func count(_ connection: borrowing Connection) throws -> Int {
        try connection.count("SELECT count(*) FROM accounts")
    }

    static func hasAny(_ connection: borrowing Connection) throws -> Bool {
        try connection.exists("SELECT 1 FROM accounts LIMIT 1")
    }

    // MARK: Accounts

    static func insert(_ account: NewAccount, _ connection: borrowing Connection) throws {
        let (id, now) = (account.id, account.createdAt)
        do {
            try connection.run(
                """
                INSERT INTO accounts (id, kind, wrapped_key, email, email_lookup, name, password_hash, language,
                    timezone, research_consent, privacy_accepted_at, created_at, verified_at)
                VALUES (\(id), \(account.kind), \(account.wrappedKey), \(account.email), \(account.lookup),
                    \(account.name), \(account.passwordHash), \(account.language), \(account.timezone),
                    \(account.researchConsent), \(account.privacyAcceptedAt), \(now), \(account.verifiedAt))
                """)
        } catch let error as DatabaseError where error.violates("accounts.email_lookup") {
            throw Problem.invalid("email", "errors.email_taken")
        }
        for role in account.roles.sorted(by: { $0.rawValue < $1.rawValue }) {
            try connection.run("INSERT INTO account_roles (account_id, role) VALUES (\(id), \(role))")
        }
        if account.kind == .patient {
            try PrivacyStore.acceptStatement(of: id, connection)
            try PrivacyStore.choose(account.researchConsent, of: id, at: now, connection)
        }
    }

    /// Mends the address of an account that is not confirmed yet.
    /// - Throws: `Problem.conflict` once it is: a confirmed account must not get an address nobody proved.
    static func setEmail(
        _ sealed: [UInt8], lookup: [UInt8], of id: String, _ connection: borrowing Connection
    ) throws {
        try requireUnverified(id, connection)
        do {
            try connection.run(
                "UPDATE accounts SET email = \(sealed), email_lookup = \(lookup) WHERE id = \(id)")
        } catch let error as DatabaseError where error.violates("accounts.email_lookup") {
            throw Problem.invalid("email", "errors.email_taken")
        }
    }

    /// - Throws: `Problem.conflict` for a confirmed account.
    static func requireUnverified(_ id: String, _ connection: borrowing Connection) throws {
        guard try connection.exists("SELECT 1 FROM accounts WHERE id = \(id) AND verified_at IS NULL") else {
            throw Problem.conflict(Message("registration.already_verified"))
        }
    }

    static func markVerified(_ id: String, at now: Instant, _ connection: borrowing Connection) throws {
        try connection.run(
            "UPDATE accounts SET verified_at = \(now) WHERE id = \(id) AND verified_at IS NULL")
    }

    static func setLanguage(_ language: Language, of id: String, _ connection: borrowing Connection) throws {
        try connection.run("UPDATE accounts SET language = \(language) WHERE id = \(id)")
    }

    static func setTimezone(_ timezone: String, of id: String, _ connection: borrowing Connection) throws {
        try connection.run("UPDATE accounts SET timezone = \(timezone) WHERE id = \(id)")
    }

    static func setName(_ sealed: [UInt8]?, of id: String, _ connection: borrowing Connection) throws {
        try connection.run("UPDATE accounts SET name = \(sealed) WHERE id = \(id)")
    }

    static func setSex(_ sex: Int?, of id: String, _ connection: borrowing Connection) throws {
        try connection.run("UPDATE accounts SET sex = \(sex) WHERE id = \(id)")
    }

    static func setNotifications(
        _ choice: AccountRecord.Notifications, of id: String, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE accounts SET notify_questionnaires = \(choice.questionnaires),
                notify_interventions = \(choice.interventions), notify_appointments = \(choice.appointments)
            WHERE id = \(id)
            """)
    }

    static func setSensors(
        gps: Bool, microphone: Bool, of id: String, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "UPDATE accounts SET gps_on = \(gps), microphone_on = \(microphone) WHERE id = \(id)")
    }

    static func setPasswordHash(_ hash: String, of id: String, _ connection: borrowing Connection) throws {
        try connection.run("UPDATE accounts SET password_hash = \(hash) WHERE id = \(id)")
    }

    // MARK: Credentials

    static func insert(_ credential: NewCredential, _ connection: borrowing Connection) throws {
        let (id, now) = (credential.id, credential.createdAt)
        try connection.run(
            """
            INSERT INTO credentials (id, account_id, kind, hash, created_at, expires_at, last_used_at,
                device_name, platform, os_version, app_version)
            VALUES (\(id), \(credential.account), \(credential.kind), \(credential.token.hash), \(now),
                \(credential.expiresAt), \(now), \(credential.deviceName), \(credential.platform),
                \(credential.osVersion), \(credential.appVersion))
            """)
        // More devices than that nobody has: the oldest give way.
        try connection.run(
            """
            DELETE FROM credentials WHERE account_id = \(credential.account) AND kind = \(credential.kind)
            AND id NOT IN (SELECT id FROM credentials WHERE account_id = \(credential.account)
                AND kind = \(credential.kind) ORDER BY created_at DESC, id LIMIT 50)
            """)
    }

    static func noteUse(of id: String, at now: Instant, _ connection: borrowing Connection) throws {
        try connection.run("UPDATE credentials SET last_used_at = \(now) WHERE id = \(id)")
    }

    /// - Returns: false when the account has no such way in.
    @discardableResult
    static func endCredential(
        _ id: String, of account: String, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.run("DELETE FROM credentials WHERE id = \(id) AND account_id = \(account)") > 0
    }

    /// Signs out all of an account's devices and browsers.
    /// - Parameter kept: the one that stays; nil for none.
    static func endCredentials(
        of account: String, but kept: String?, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "DELETE FROM credentials WHERE account_id = \(account) AND id <> coalesce(\(kept), '')")
    }

    /// A session or a token.
    struct DeviceRecord: Sendable {
        let id: String
        let kind: Credential.Kind
        let sealedName: [UInt8]?
        let platform: String?
        let createdAt: Instant
        let lastUsedAt: Instant

        /// Whether a session, or a token of staff, has not lain unused for too long.
        func isAlive(at now: Instant) -> Bool {
            lastUsedAt.adding(seconds: Credential.idleSeconds) > now
        }
    }

    /// What an account is signed in with and has not run out, the newest first.
    static func devices(
        of account: String, kinds: [Credential.Kind] = [.token], at now: Instant,
        _ connection: borrowing Connection
    ) throws -> [DeviceRecord] {
        try connection.all(
            """
            SELECT id, device_name, platform, created_at, last_used_at, kind FROM credentials
            WHERE account_id = \(account) AND kind IN \(list: kinds) AND expires_at > \(now)
            ORDER BY created_at DESC, id
            """
        ) { row in
            DeviceRecord(
                id: try row[0], kind: try row[5], sealedName: try row[1], platform: try row[2],
                createdAt: try row[3], lastUsedAt: try row[4])
        }
    }

    // MARK: Links in mails

    /// Stores a new link; older ones of the account are dead from now on.
    static func insertVerification(
        _ hash: [UInt8], of account: String, now: Instant, expires: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "UPDATE mail_tokens SET spent_at = \(now) WHERE account_id = \(account) AND spent_at IS NULL")
        try connection.run(
            """
            INSERT INTO mail_tokens (hash, account_id, purpose, created_at, expires_at)
            VALUES (\(hash), \(account), 'verify', \(now), \(expires))
            """)
    }

    static func ownerOfLink(_ hash: [UInt8], _ connection: borrowing Connection) throws -> String? {
        try connection.value("SELECT account_id FROM mail_tokens WHERE hash = \(hash)")
    }

    /// Spends a link and answers whose it was.
    /// - Throws: `Problem.notFound` for an unknown one, `.gone` for a used or expired one.
    static func spendVerification(
        _ hash: [UInt8], now: Instant, _ connection: borrowing Connection
    ) throws -> String {
        let found = try connection.first("SELECT * FROM mail_tokens WHERE hash = \(hash)") { row in
            (
                account: try row["account_id"] as String, expires: try row["expires_at"] as Instant,
                spent: try row["spent_at"] as Instant?
            )
        }
        guard let found else { throw Problem.notFound }
        guard found.spent == nil, found.expires > now else {
            throw Problem.gone(Message("registration.link_dead"))
        }
        try connection.run("UPDATE mail_tokens SET spent_at = \(now) WHERE hash = \(hash)")
        return found.account
    }

    // MARK: Keeping house

    /// Removes what has run out, a day later: credentials, links, and accounts that nobody confirmed within 14 days.
    static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        let yesterday = now.adding(days: -1)
        let idle = yesterday.adding(seconds: -Credential.idleSeconds)
        try connection.run(
            """
            DELETE FROM credentials WHERE expires_at <= \(yesterday)
            OR (kind = 'session' AND last_used_at <= \(idle))
            """)
        try connection.run("DELETE FROM mail_tokens WHERE expires_at <= \(now.adding(days: -30))")
        try connection.run(
            """
            DELETE FROM accounts WHERE kind = 'patient' AND verified_at IS NULL
            AND created_at <= \(now.adding(days: -14))
            """)
    }
}
