import Secrets
import Testing
import Wire

@testable import Database
@testable import Identity
@testable import Records

/// How long a way in lives, and how long it may lie unused.
@Suite struct CredentialTests {
    private let now = Instant(milliseconds: 1_800_000_000_000)

    /// One as a row of the table has it.
    private func credential(
        _ kind: Credential.Kind, expires: Int64 = 12 * 3600, stays: Instant? = nil
    ) throws -> Credential {
        let sql: SQL =
            """
            SELECT 'c' AS id, 'a' AS account_id, \(kind) AS kind, \(now) AS last_used_at,
                \(now.adding(seconds: expires)) AS expires_at, \(stays) AS stays_until, 0 AS installed,
                NULL AS platform, NULL AS used_on
            """
        let found: Credential? = try Connection.inMemory { try $0.first(sql) }
        return try #require(found)
    }

    private func made(_ kind: Credential.Kind) -> NewCredential {
        NewCredential(kind, of: "a" as ID<Account>, id: "c", now: now)
    }

    @Test(
        arguments: [(.session, 12 * 3600), (.token, 90 * 86_400), (.registration, 86_400), (.halfway, 600)]
            as [(Credential.Kind, Int64)])
    func `each kind has its longest life`(_ kind: Credential.Kind, _ seconds: Int64) {
        #expect(made(kind).expiresAt == now.adding(seconds: seconds) && made(kind).staysUntil == nil)
    }

    @Test(
        arguments: [
            (.session, .staff, false, true), (.token, .staff, false, true), (.halfway, .staff, false, true),
            (.session, .patient, false, true), (.session, .patient, true, false),
            (.token, .patient, false, false),
            (.registration, .patient, false, false),
        ] as [(Credential.Kind, AccountRecord.Kind, Bool, Bool)])
    func `half an hour unused ends what staff have, and sessions of patients that do not stay`(
        _ kind: Credential.Kind, _ account: AccountRecord.Kind, _ stays: Bool, _ ends: Bool
    ) throws {
        let credential = try credential(kind, stays: stays ? now.adding(days: 365) : nil)
        #expect(!credential.isIdle(at: now.adding(seconds: 1799), of: account))
        #expect(credential.isIdle(at: now.adding(seconds: 1800), of: account) == ends)
    }

    @Test(
        arguments: [
            (.session, .staff, false, 60), (.token, .staff, false, 60), (.session, .patient, false, 60),
            (.token, .patient, false, 86_400), (.session, .patient, true, 86_400),
        ] as [(Credential.Kind, AccountRecord.Kind, Bool, Int64)])
    func `uses are noted by the minute where minutes count, else by the day`(
        _ kind: Credential.Kind, _ account: AccountRecord.Kind, _ stays: Bool, _ seconds: Int64
    ) throws {
        let credential = try credential(kind, stays: stays ? now.adding(days: 365) : nil)
        #expect(credential.noteSeconds(of: account) == seconds)
    }

    @Test func `a patient's token moves on with each use, one of staff ends when it was to end`() throws {
        let later = now.adding(days: 1)
        let token = try credential(.token)
        #expect(token.expiry(usedAt: later, by: .patient) == later.adding(days: 90))
        #expect(token.expiry(usedAt: later, by: .staff) == token.expiresAt)
        #expect(
            try credential(.session).expiry(usedAt: later, by: .patient) == now.adding(seconds: 12 * 3600))
    }

    @Test func `a session that stays moves on for 90 days, never beyond its year`() throws {
        let end = now.adding(days: 365)
        let session = try credential(.session, stays: end)
        #expect(session.expiry(usedAt: now, by: .patient) == now.adding(days: 90))
        #expect(session.expiry(usedAt: now.adding(days: 300), by: .patient) == end)
    }

    @Test func `nothing stays for an account that is only made`() {
        var session = made(.session)
        session.stay()
        #expect(session.staysUntil == nil && session.expiresAt == now.adding(seconds: 12 * 3600))
    }

    @Test func `of what arrives from another device sessions alone stay`() {
        let arrived = { (kind: Credential.Kind) in
            ArrivedCredential(
                id: "c", kind: kind, hash: [], deviceName: nil, platform: nil, osVersion: nil,
                appVersion: nil,
                traits: DeviceTraits(browser: nil, system: nil), stays: true)
        }
        #expect(arrived(.session).stays && !arrived(.token).stays)
    }
}
