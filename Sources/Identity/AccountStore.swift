import Database
import Records
import Scheduling
import Wire
import Wording

/// Every statement about accounts and their credentials.
package enum AccountStore {
    // MARK: Finding

    package static func find(_ id: ID<Account>, _ connection: borrowing Connection) throws -> AccountRecord? {
        let roles = try roles(of: id, connection)
        return try connection.first("SELECT * FROM accounts WHERE id = \(id)") { row in
            try AccountRecord(row: row, roles: roles)
        }
    }

    /// The account of an address: proved, or of an invited member of staff.
    package static func find(lookup: [UInt8], _ connection: borrowing Connection) throws -> AccountRecord? {
        let id: ID<Account>? = try connection.value("SELECT id FROM accounts WHERE email_lookup = \(lookup)")
        return try id.flatMap { try find($0, connection) }
    }

    private static func roles(of id: ID<Account>, _ connection: borrowing Connection) throws -> Set<Role> {
        Set(
            try connection.all("SELECT role FROM account_roles WHERE account_id = \(id)") { row in try row[0]
            })
    }

    package static func count(_ connection: borrowing Connection) throws -> Int {
        try connection.count("SELECT count(*) FROM accounts")
    }

    package static func hasAny(_ connection: borrowing Connection) throws -> Bool {
        try connection.exists("SELECT 1 FROM accounts LIMIT 1")
    }

    // MARK: Accounts

    package static func insert(_ account: NewAccount, _ connection: borrowing Connection) throws {
        let id = account.id
        let now = account.createdAt
        try admit(account, connection)
        do {
            try connection.run(
                """
                INSERT INTO accounts (id, kind, wrapped_key, email, email_lookup, unproven_lookup, name, password_hash, language,
                    timezone, research_consent, privacy_accepted_at, created_at, verified_at,
                    is_paper, disabled_at)
                VALUES (\(id), \(account.kind), \(account.wrappedKey), \(account.email), \(account.lookup),
                    \(account.unprovenLookup), \(account.name), \(account.passwordHash), \(account.language), \(account.timezone),
                    \(account.researchConsent), \(account.privacyAcceptedAt), \(now), \(account.verifiedAt),
                    \(account.isPaper), \(account.isPaper ? now : nil))
                """)
        } catch let error as DatabaseError where error.violates("accounts.email_lookup") {
            throw Problem.invalid("email", "errors.email_taken")
        }
        try insert(account.roles, of: id, connection)
    }

    static func insert(_ roles: Set<Role>, of id: ID<Account>, _ connection: borrowing Connection) throws {
        for role in roles.sorted(by: { $0.rawValue < $1.rawValue }) {
            try connection.run("INSERT INTO account_roles (account_id, role) VALUES (\(id), \(role))")
        }
    }

    /// Whether there is an open account with a role; invited ones count.
    package static func isThereOpen(_ role: Role, _ connection: borrowing Connection) throws -> Bool {
        try connection.exists(
            """
            SELECT 1 FROM accounts JOIN account_roles ON account_id = id
            WHERE role = \(role) AND kind = 'staff' AND disabled_at IS NULL
            """)
    }

    /// The open staff accounts with a role.
    package static func open(_ role: Role, _ connection: borrowing Connection) throws -> [AccountRecord] {
        let ids: [ID<Account>] = try connection.all(
            """
            SELECT id FROM accounts JOIN account_roles ON account_id = id
            WHERE role = \(role) AND kind = 'staff' AND disabled_at IS NULL ORDER BY id
            """
        ) { row in try row[0] }
        return try ids.compactMap { try find($0, connection) }
    }

    package static func setLanguage(
        _ language: Language, of id: ID<Account>, _ connection: borrowing Connection
    )
        throws
    {
        try connection.run("UPDATE accounts SET language = \(language) WHERE id = \(id)")
    }

    package static func setNamesHidden(
        _ isHidden: Bool, of id: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try connection.run("UPDATE accounts SET names_hidden = \(isHidden) WHERE id = \(id)")
    }

    package static func setKeysOff(
        _ isOff: Bool, of id: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try connection.run("UPDATE accounts SET keys_off = \(isOff) WHERE id = \(id)")
    }

    /// Notes since when, for plans that were made before.
    package static func setTimezone(
        _ timezone: String, of id: ID<Account>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        let changed = try connection.run(
            "UPDATE accounts SET timezone = \(timezone) WHERE id = \(id) AND timezone <> \(timezone)")
        if changed == 0 { return }
        try connection.run(
            """
            INSERT INTO account_zones (account_id, changed_at, timezone) VALUES (\(id), \(now), \(timezone))
            ON CONFLICT (account_id, changed_at) DO UPDATE SET timezone = excluded.timezone
            """)
    }

    /// The zones that an account has changed to since a moment, the earliest first.
    package static func zones(
        of id: ID<Account>, since moment: Instant, _ connection: borrowing Connection
    ) throws -> [(at: Instant, zone: Zone)] {
        try connection.all(
            """
            SELECT changed_at, timezone FROM account_zones WHERE account_id = \(id) AND changed_at >= \(moment)
            ORDER BY changed_at
            """
        ) { row in (at: try row[0], zone: Zone(try row[1])) }
    }

    package static func setName(_ sealed: [UInt8]?, of id: ID<Account>, _ connection: borrowing Connection)
        throws
    {
        try connection.run("UPDATE accounts SET name = \(sealed) WHERE id = \(id)")
    }

    package static func setSex(_ sex: Int?, of id: ID<Account>, _ connection: borrowing Connection) throws {
        try connection.run("UPDATE accounts SET sex = \(sex) WHERE id = \(id)")
    }

    package static func setNotifications(
        _ choice: AccountRecord.Notifications, of id: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE accounts SET notify_questionnaires = \(choice.questionnaires),
                notify_interventions = \(choice.interventions), notify_appointments = \(choice.appointments)
            WHERE id = \(id)
            """)
    }

    package static func setSensors(
        gps: Bool, microphone: Bool, of id: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "UPDATE accounts SET gps_on = \(gps), microphone_on = \(microphone) WHERE id = \(id)")
    }

    /// Sets another password: sign-ins under way with the old one get no session any more, and no browser is known any
    /// more. `PasswordStore.change` also ends the links requested before.
    package static func setPasswordHash(
        _ hash: String, of id: ID<Account>, _ connection: borrowing Connection
    )
        throws
    {
        try connection.run("UPDATE accounts SET password_hash = \(hash) WHERE id = \(id)")
        try KnownOriginStore.endBrowsers(of: id, but: nil, connection)
        try endAccess(of: id, connection)
    }

    /// Hashes the same password with newer settings.
    package static func renewPasswordHash(
        _ hash: String, instead old: String, of id: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "UPDATE accounts SET password_hash = \(hash) WHERE id = \(id) AND password_hash = \(old)")
    }

    /// Invalidates sign-ins verified before this moment.
    package static func endAccess(of id: ID<Account>, _ connection: borrowing Connection) throws {
        try connection.run("UPDATE accounts SET access_epoch = access_epoch + 1 WHERE id = \(id)")
    }

    /// In the transaction that opens a session: the verified password is still in force, the account still open.
    /// - Throws: `Problem.wrongCredentials`.
    package static func requireUnchanged(_ seen: AccountRecord, _ connection: borrowing Connection) throws {
        let isUnchanged = try connection.exists(
            """
            SELECT 1 FROM accounts WHERE id = \(seen.id) AND access_epoch = \(seen.accessEpoch)
            AND disabled_at IS NULL AND verified_at IS NOT DISTINCT FROM \(seen.verifiedAt)
            """)
        if !isUnchanged { throw Problem.wrongCredentials }
    }

    // MARK: What patients agree to

    package static func setPrivacyVersion(
        _ version: Int, of id: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try connection.run("UPDATE accounts SET privacy_version = \(version) WHERE id = \(id)")
    }

    package static func setResearchConsent(
        _ consent: Bool, of id: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try connection.run("UPDATE accounts SET research_consent = \(consent) WHERE id = \(id)")
    }

    // MARK: Keys

    /// The wrapped keys of all people, by account.
    package static func wrappedKeys(
        _ connection: borrowing Connection
    ) throws -> [(id: ID<Account>, wrapped: [UInt8])] {
        try connection.all("SELECT id, wrapped_key FROM accounts") { row in (try row[0], try row[1]) }
    }

    package static func wrappedKey(of id: ID<Account>, _ connection: borrowing Connection) throws -> [UInt8]?
    {
        try connection.value("SELECT wrapped_key FROM accounts WHERE id = \(id)")
    }

    package static func setWrappedKey(_ key: [UInt8], of id: ID<Account>, _ connection: borrowing Connection)
        throws
    {
        try connection.run("UPDATE accounts SET wrapped_key = \(key) WHERE id = \(id)")
    }

    // MARK: Going

    /// Erases a patient's account, with the key that all their data is sealed under. Their therapies must be gone.
    package static func erase(_ id: ID<Account>, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM accounts WHERE id = \(id) AND kind = 'patient'")
    }

    /// Removes accounts that were not confirmed within 14 days.
    package static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        try connection.run(
            """
            DELETE FROM accounts WHERE kind = 'patient' AND verified_at IS NULL
            AND created_at <= \(now.adding(days: -14))
            """)
    }
}
