import Secrets
import Testing
import Wire
import Wording

@testable import Database
@testable import Identity
@testable import Records

/// Accounts before they are stored, and as a row has them.
@Suite struct AccountTests {
    private let now = Instant(milliseconds: 1_800_000_000_000)
    private let id: ID<Account> = "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11"
    private let keys: Keyring

    init() throws { keys = try Keyring(master: .random()) }

    private func staff(_ roles: Set<Role> = [.admin, .therapist]) -> NewAccount {
        NewAccount(
            staff: "Ada Lindner", email: "Ada@Example.org", roles: roles, passwordHash: "hash",
            language: .german,
            timezone: "Europe/Vienna", id: id, keys: keys, now: now)
    }

    /// The account as it would be read, with what is left out as the table fills it in.
    private func stored(_ new: NewAccount, as id: ID<Account>? = nil) throws -> AccountRecord {
        let sql: SQL =
            """
            SELECT \(id ?? new.id) AS id, \(new.kind) AS kind, \(new.language) AS language,
                \(new.timezone) AS timezone, NULL AS sex, \(new.researchConsent) AS research_consent,
                \(new.verifiedAt) AS verified_at, NULL AS disabled_at, 0 AS access_epoch, 1 AS gps_on,
                0 AS microphone_on, 1 AS notify_questionnaires, 0 AS notify_interventions,
                1 AS notify_appointments, 0 AS names_hidden, 0 AS keys_off, 'hash' AS password_hash,
                \(new.wrappedKey) AS wrapped_key, \(new.email) AS email, \(new.name) AS name
            """
        let found = try Connection.inMemory { connection in
            try connection.first(sql) { row in try AccountRecord(row: row, roles: new.roles) }
        }
        return try #require(found)
    }

    @Test func `name and address lie sealed and open with the installation's keys, in their own row`() throws
    {
        let account = try stored(staff())
        #expect(try account.email(keys) == "Ada@Example.org" && account.name(keys) == "Ada Lindner")
        #expect(staff().lookup == keys.lookup(email: "ada@example.org"))
        let moved = try stored(staff(), as: "another")
        #expect(throws: SealBroken.self) { try moved.email(keys) }
        #expect(throws: SealBroken.self) { try account.email(Keyring(master: .random())) }
    }

    @Test func `the roles are named in one order, and a patient is a patient`() throws {
        #expect(
            try stored(staff([.clinicLead, .lead, .therapist])).roleNames == [
                "therapist", "lead", "clinic_lead",
            ])
        let pia = NewAccount(
            patient: "pia@example.org", researchConsent: true, passwordHash: "hash", language: .german,
            timezone: "UTC", id: id, keys: keys, now: now)
        #expect(try stored(pia).roleNames == ["patient"])
        #expect(pia.verifiedAt == nil && pia.privacyAcceptedAt == now && pia.researchConsent)
    }

    @Test func `sensors are on where they were switched on, and no others are there`() throws {
        let account = try stored(staff())
        #expect(account.hasSwitchedOn("gps") && !account.hasSwitchedOn("microphone"))
        #expect(!account.hasSwitchedOn("camera"))
    }

    @Test func `staff made by command have proved their address, invited ones have not`() {
        let invited = NewAccount(
            invited: "Ben", email: "ben@example.org", roles: [.lead], passwordHash: "hash", language: .german,
            timezone: "UTC", id: id, keys: keys, now: now)
        #expect(staff().verifiedAt == now && invited.verifiedAt == nil)
        #expect(staff().privacyAcceptedAt == nil && invited.kind == .staff)
    }

    @Test func `somebody on paper has an address that nobody knows and a password that nothing matches`()
        throws
    {
        let paper = {
            NewAccount(paper: self.id, language: .german, timezone: "UTC", keys: self.keys, now: self.now)
        }
        #expect(paper().isPaper && !PasswordHash.verify("-", against: paper().passwordHash))
        #expect(paper().lookup != paper().lookup)
        #expect(try stored(paper()).name(keys) == nil && !paper().researchConsent)
    }

    @Test func `a token of staff lives no longer than their session, and staff never stay`() throws {
        let ada = try stored(staff())
        #expect(NewCredential(.token, of: ada, id: "c", now: now).expiresAt == now.adding(seconds: 12 * 3600))
        var session = NewCredential(.session, of: ada, id: "c", now: now)
        session.stay()
        #expect(session.staysUntil == nil)
    }

    @Test func `a patient's session stays for 90 days at a time and a year at most; a token does not`() throws
    {
        let patient = try stored(
            NewAccount(
                verifiedPatient: "pia@example.org", passwordHash: "hash", language: .german, timezone: "UTC",
                id: id,
                keys: keys, now: now))
        var session = NewCredential(.session, of: patient, id: "c", now: now)
        session.stay()
        #expect(session.staysUntil == now.adding(days: 365) && session.expiresAt == now.adding(days: 90))
        var token = NewCredential(.token, of: patient, id: "c", now: now)
        token.stay()
        #expect(token.staysUntil == nil && token.expiresAt == now.adding(days: 90))
    }
}
