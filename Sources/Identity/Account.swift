import Database
import Records
import Wire
import Wording

/// A role of staff; one account may have several, all in force together.
package enum Role: String, Sendable, CaseIterable, SQLConvertible {
    case therapist, lead, admin
    /// Sees figures of the whole clinic, no answers and no names (PR-22).
    case clinicLead = "clinic_lead"
}

package struct AccountRecord: Sendable {
    package enum Kind: String, Sendable, SQLConvertible { case patient, staff }

    package let id: ID<Account>
    package let kind: Kind
    package let roles: Set<Role>
    package let language: Language
    package let timezone: String
    package let sex: Int?
    package let researchConsent: Bool
    /// Sensors that may be read while answering; off until the patient switches them on.
    package let isGPSOn: Bool
    package let isMicrophoneOn: Bool
    /// The kinds of notifications on the devices; all of them until the patient switches some off.
    package let notifications: Notifications
    /// Hides a therapist's own words about patients on the screen, which others may see, too (PR-6).
    package let hidesNames: Bool
    /// Switches off single-key shortcuts on pages of staff (WCAG 2.1.4).
    package let isWithoutKeys: Bool
    package let verifiedAt: Instant?
    /// Closed by an administrator: signing in is no longer possible.
    package let disabledAt: Instant?
    /// Counts the ends of all access: changes of the password, closings of the account. A sign-in that began before
    /// one does not become a session after it.
    package let accessEpoch: Int
    package let passwordHash: String
    private let wrappedKey: [UInt8]
    let sealedEmail: [UInt8]
    private let sealedName: [UInt8]?

    package struct Notifications: Sendable, Equatable {
        package let questionnaires: Bool
        package let interventions: Bool
        package let appointments: Bool

        package init(questionnaires: Bool, interventions: Bool, appointments: Bool) {
            self.questionnaires = questionnaires
            self.interventions = interventions
            self.appointments = appointments
        }
    }

    package init(row: borrowing Row, roles: Set<Role>) throws {
        id = try row["id"]
        kind = try row["kind"]
        self.roles = roles
        language = try row["language"]
        timezone = try row["timezone"]
        sex = try row["sex"]
        researchConsent = try row["research_consent"]
        verifiedAt = try row["verified_at"]
        disabledAt = try row["disabled_at"]
        accessEpoch = try row["access_epoch"]
        isGPSOn = try row["gps_on"]
        isMicrophoneOn = try row["microphone_on"]
        notifications = Notifications(
            questionnaires: try row["notify_questionnaires"], interventions: try row["notify_interventions"],
            appointments: try row["notify_appointments"])
        hidesNames = try row["names_hidden"]
        isWithoutKeys = try row["keys_off"]
        passwordHash = try row["password_hash"]
        wrappedKey = try row["wrapped_key"]
        sealedEmail = try row["email"]
        sealedName = try row["name"]
    }

    package func hasSwitchedOn(_ sensor: String) -> Bool {
        switch sensor {
        case "gps": isGPSOn
        case "microphone": isMicrophoneOn
        default: false
        }
    }

    /// The roles as the API names them.
    package var roleNames: [String] {
        kind == .patient ? ["patient"] : Role.allCases.filter(roles.contains).map(\.rawValue)
    }

    /// - Throws: `SealBroken` when the row was tampered with.
    package func key(_ keys: Keyring) throws -> PersonKey { try keys.unwrap(wrappedKey, owner: id) }

    package func email(_ keys: Keyring) throws -> String {
        try key(keys).open(sealedEmail, from: AccountPlace.email(id))
    }

    package func name(_ keys: Keyring) throws -> String? {
        guard let sealedName else { return nil }
        return try key(keys).open(sealedName, from: AccountPlace.name(id))
    }
}

/// The places of an account's sealed fields.
package enum AccountPlace {
    package static func email(_ id: ID<Account>) -> SealContext { SealContext("accounts", id, "email") }
    package static func name(_ id: ID<Account>) -> SealContext { SealContext("accounts", id, "name") }
    package static func device(_ credential: ID<Credential>) -> SealContext {
        SealContext("credentials", credential, "device_name")
    }
    package static func profile(_ id: ID<Account>) -> SealContext {
        SealContext("therapist_profiles", id, "profile")
    }
}

/// Access opened by a password: a portal session or an API token. Only its hash is stored.
package struct Credential: Sendable, FromRow {
    package enum Kind: String, Sendable, SQLConvertible {
        case session, token
        /// For the three calls between registering and the confirmed address.
        case registration
        /// After the right password, before the second factor.
        case halfway
    }

    package let id: ID<Credential>
    package let account: ID<Account>
    package let kind: Kind
    package let lastUsedAt: Instant
    package let expiresAt: Instant
    /// The end of a session regardless of use, on an own device that stays signed in (PW-5); nil for others.
    package let staysUntil: Instant?
    /// Whether it began with a page opened from the home screen.
    package let isInstalled: Bool
    /// What the app says of its device; nil for sessions of browsers.
    private let platform: String?
    /// The last local day that was noted as one on which the app was used; nil before the first one, and for staff.
    let usedOn: LocalDate?

    package init(row: borrowing Row) throws {
        platform = try row["platform"]
        usedOn = try row["used_on"]
        isInstalled = try row["installed"]
        id = try row["id"]
        account = try row["account_id"]
        kind = try row["kind"]
        lastUsedAt = try row["last_used_at"]
        expiresAt = try row["expires_at"]
        staysUntil = try row["stays_until"]
    }

    /// What a day on which it was used is noted for.
    var usePlatform: String { kind == .session ? "browser" : platform ?? "other" }

    /// The longest life of a credential, and how long it may be unused.
    static func lifetime(_ kind: Kind) -> Int64 {
        switch kind {
        case .session: 12 * 3600
        case .token: 90 * 86_400
        case .registration: 24 * 3600
        case .halfway: 600
        }
    }
    package static let idleSeconds: Int64 = 30 * 60
    /// Days an own device stays signed in after its last use, and at most (PW-5).
    package static let stayDays: Int64 = 90
    package static let longestStayDays: Int64 = 365

    /// Whether it was unused for too long: applies to staff, and to sessions of patients that do not stay.
    package func isIdle(at now: Instant, of account: AccountRecord.Kind) -> Bool {
        guard account == .staff || (kind == .session && staysUntil == nil) else { return false }
        return lastUsedAt.adding(seconds: Self.idleSeconds) <= now
    }

    /// How old the last use may become before the next one is noted: reading pages should not write. A patient's token
    /// ends 90 days after its last use, where a day more or less does not matter; half an hour is counted in minutes.
    package func noteSeconds(of account: AccountRecord.Kind) -> Int64 {
        (kind == .token && account == .patient) || staysUntil != nil ? 86_400 : 60
    }

    /// Its end after a use: a patient's token and a session that stays are extended, all others keep their end.
    package func expiry(usedAt now: Instant, by account: AccountRecord.Kind) -> Instant {
        if let staysUntil { return min(now.adding(days: Self.stayDays), staysUntil) }
        guard kind == .token, account == .patient else { return expiresAt }
        return now.adding(seconds: Self.lifetime(kind))
    }
}

extension AuditAction {
    package static let accountCreated = AuditAction(name: "account.created")
    package static let accountRegistered = AuditAction(name: "account.registered")
    package static let emailChanged = AuditAction(name: "account.email_changed")
    package static let emailVerified = AuditAction(name: "account.email_verified")
    package static let verificationSent = AuditAction(name: "account.verification_sent")
    package static let profileChanged = AuditAction(name: "account.profile_changed")
    package static let signedIn = AuditAction(name: "account.signed_in")
    package static let unverifiedSignIn = AuditAction(name: "account.unverified_sign_in")
    package static let signInFailed = AuditAction(name: "account.sign_in_failed")
    package static let signedOut = AuditAction(name: "account.signed_out")
}
