import Database
import Secrets
import Wire

/// What staff may be; several at once, all in force together.
enum Role: String, Sendable, CaseIterable, SQLConvertible {
    case therapist, lead, admin
}

/// One person's login.
struct AccountRecord: Sendable {
    enum Kind: String, Sendable, SQLConvertible { case patient, staff }

    let id: String
    let kind: Kind
    let roles: Set<Role>
    let language: Language
    let timezone: String
    let sex: Int?
    let researchConsent: Bool
    /// Sensors that may be read while answering; off unless the patient switches them on.
    let isGPSOn: Bool
    let isMicrophoneOn: Bool
    /// Of what the devices notify; all of it unless the patient switches it off.
    let notifications: Notifications
    let verifiedAt: Instant?
    /// Closed by an administrator: nobody signs in with it any more.
    let disabledAt: Instant?
    /// Counts what ends every way in: a change of the password, closing the account. A sign-in that began before does not
    /// become a session after it.
    let accessEpoch: Int
    let passwordHash: String
    private let wrappedKey: [UInt8]
    private let sealedEmail: [UInt8]
    private let sealedName: [UInt8]?

    struct Notifications: Sendable, Equatable {
        let questionnaires: Bool
        let interventions: Bool
        let appointments: Bool
    }

    init(row: borrowing Row, roles: Set<Role>) throws {
        (id, kind) = (try row["id"], try row["kind"])
        self.roles = roles
        (language, timezone, sex) = (try row["language"], try row["timezone"], try row["sex"])
        (researchConsent, verifiedAt) = (try row["research_consent"], try row["verified_at"])
        disabledAt = try row["disabled_at"]
        accessEpoch = try row["access_epoch"]
        (isGPSOn, isMicrophoneOn) = (try row["gps_on"], try row["microphone_on"])
        notifications = Notifications(
            questionnaires: try row["notify_questionnaires"], interventions: try row["notify_interventions"],
            appointments: try row["notify_appointments"])
        (passwordHash, wrappedKey) = (try row["password_hash"], try row["wrapped_key"])
        (sealedEmail, sealedName) = (try row["email"], try row["name"])
    }

    func hasSwitchedOn(_ sensor: String) -> Bool {
        switch sensor {
        case "gps": isGPSOn
        case "microphone": isMicrophoneOn
        default: false
        }
    }

    /// The roles as the API names them.
    var roleNames: [String] {
        kind == .patient ? ["patient"] : Role.allCases.filter(roles.contains).map(\.rawValue)
    }

    /// - Throws: `SealBroken` when the row was tampered with.
    func key(_ keys: Keyring) throws -> PersonKey { try keys.unwrap(wrappedKey, owner: id) }

    func email(_ keys: Keyring) throws -> String {
        try key(keys).open(sealedEmail, from: AccountPlace.email(id))
    }

    func name(_ keys: Keyring) throws -> String? {
        guard let sealedName else { return nil }
        return try key(keys).open(sealedName, from: AccountPlace.name(id))
    }
}

/// Where the sealed fields of an account belong.
enum AccountPlace {
    static func email(_ id: String) -> Place { Place("accounts", id, "email") }
    static func name(_ id: String) -> Place { Place("accounts", id, "name") }
    static func device(_ credential: String) -> Place { Place("credentials", credential, "device_name") }
    static func profile(_ id: String) -> Place { Place("therapist_profiles", id, "profile") }
}

/// A way in that was opened by a password: a portal session or an API token. Only its hash is stored.
struct Credential: Sendable, FromRow {
    enum Kind: String, Sendable, SQLConvertible {
        case session, token
        /// For the three calls between registering and the confirmed address.
        case registration
        /// The password was right, the second factor is still asked for.
        case halfway
    }

    let id: String
    let account: String
    let kind: Kind
    let lastUsedAt: Instant
    let expiresAt: Instant

    init(row: borrowing Row) throws {
        id = try row["id"]
        account = try row["account_id"]
        kind = try row["kind"]
        lastUsedAt = try row["last_used_at"]
        expiresAt = try row["expires_at"]
    }

    /// How long a credential lives at most, and how long it may lie unused.
    static func lifetime(_ kind: Kind) -> Int64 {
        switch kind {
        case .session: 12 * 3600
        case .token: 90 * 86_400
        case .registration: 24 * 3600
        case .halfway: 600
        }
    }
    static let idleSeconds: Int64 = 30 * 60

    /// How old the last use may become before the next one is noted: reading pages should not write. A patient's token
    /// ends 90 days after its last use, which a day more or less does not matter to; staff's half hour is counted in minutes.
    static func noteSeconds(_ kind: Kind, of account: AccountRecord.Kind) -> Int64 {
        kind == .token && account == .patient ? 86_400 : 60
    }

    /// When it ends after a use: a patient's token moves on, everything else keeps its end.
    func expiry(usedAt now: Instant, by account: AccountRecord.Kind) -> Instant {
        guard kind == .token, account == .patient else { return expiresAt }
        return now.adding(seconds: Self.lifetime(kind))
    }
}

extension AuditAction {
    static let accountCreated = AuditAction(name: "account.created")
    static let accountRegistered = AuditAction(name: "account.registered")
    static let emailChanged = AuditAction(name: "account.email_changed")
    static let emailVerified = AuditAction(name: "account.email_verified")
    static let verificationSent = AuditAction(name: "account.verification_sent")
    static let profileChanged = AuditAction(name: "account.profile_changed")
    static let signedIn = AuditAction(name: "account.signed_in")
    static let unverifiedSignIn = AuditAction(name: "account.unverified_sign_in")
    static let signInFailed = AuditAction(name: "account.sign_in_failed")
    static let signedOut = AuditAction(name: "account.signed_out")
}
