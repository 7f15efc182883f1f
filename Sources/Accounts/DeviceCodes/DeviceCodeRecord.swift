import Database
import Identity
import Records
import Secrets
import Wire
import Wording

/// Eight digits by which a signed-in device approves another of the same person, once, within ten minutes (PW-4).
package struct DeviceCodeRecord: Sendable, FromRow {
    let account: ID<Account>
    package let expiresAt: Instant
    /// The device that has entered the code and waits for approval; nil before.
    package let claim: Claim?
    private let sealed: [UInt8]

    static let digits = 8
    static let lifetimeSeconds: Int64 = 600

    /// A device that has entered the code.
    package struct Claim: Sendable {
        let id: ID<Credential>
        /// Nil for one that was waiting while the server was updated.
        let at: Instant?
        let hash: [UInt8]
        let kind: Credential.Kind
        let name: [UInt8]?
        let platform: String?
        let osVersion: String?
        let appVersion: String?
        let traits: DeviceTraits
        /// Whether its browser asks to stay signed in (PW-5).
        let stays: Bool
    }

    package init(row: borrowing Row) throws {
        account = try row["account_id"]
        expiresAt = try row["expires_at"]
        sealed = try row["code"]
        guard let id: ID<Credential> = try row["claim_id"] else {
            claim = nil
            return
        }
        let platform: String? = try row["claim_platform"]
        let system: DeviceTraits.System? = try row["claim_system"]
        claim = Claim(
            id: id, at: try row["claim_at"], hash: try row["claim_hash"], kind: try row["claim_kind"],
            name: try row["claim_name"],
            platform: platform, osVersion: try row["claim_os_version"],
            appVersion: try row["claim_app_version"],
            traits: DeviceTraits(
                browser: try row["claim_browser"], system: system ?? platform.flatMap { .init(rawValue: $0) }),
            stays: try row["claim_stays"])
    }

    func code(_ key: PersonKey) throws -> String { try key.open(sealed, from: Self.place(account)) }

    /// The waiting device's own name; nil when it gave none.
    package func claimName(_ key: PersonKey) throws -> String? {
        guard let claim else { return nil }
        return try claim.ownName(key) ?? claim.platform
    }

    static func place(_ account: ID<Account>) -> SealContext { SealContext("device_codes", account, "code") }
}

extension DeviceCodeRecord.Claim {
    func ownName(_ key: PersonKey) throws -> String? {
        try name.map { try key.open($0, from: AccountPlace.device(id)) }
    }
}

extension AuditAction {
    static let deviceCodeMade = AuditAction(name: "account.device_code_made")
    static let deviceCodeClaimed = AuditAction(name: "account.device_code_claimed")
    static let deviceCodeRefused = AuditAction(name: "account.device_code_refused")
}
