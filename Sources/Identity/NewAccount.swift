import Records
import Secrets
import Wire
import Wording

/// An account to be stored, its fields sealed under a fresh key of its own.
package struct NewAccount: Sendable {
    package let id: ID<Account>
    package let kind: AccountRecord.Kind
    package let roles: Set<Role>
    package let wrappedKey: [UInt8]
    package let email: [UInt8]
    /// Of the address; of a registration that is not proved yet, its id.
    package let lookup: [UInt8]
    /// Of a registration's address until it is proved; nil for others.
    let unprovenLookup: [UInt8]?
    package let name: [UInt8]?
    package let passwordHash: String
    package let language: Language
    package let timezone: String
    package let researchConsent: Bool
    let privacyAcceptedAt: Instant?
    package let createdAt: Instant
    package let verifiedAt: Instant?
    /// Whether it stands for a participant on paper alone.
    package private(set) var isPaper = false

    /// A registering patient. The address is not confirmed yet.
    package init(
        patient email: String, researchConsent: Bool, passwordHash: String, language: Language,
        timezone: String, id: ID<Account>, keys: Keyring, now: Instant
    ) {
        self.init(
            id: id, kind: .patient, roles: [], email: email, name: nil, passwordHash: passwordHash,
            language: language, timezone: timezone, researchConsent: researchConsent,
            privacyAcceptedAt: now, createdAt: now, verifiedAt: nil, keys: keys)
    }

    /// A member of staff, made by command: the address counts as confirmed.
    package init(
        staff name: String, email: String, roles: Set<Role>, passwordHash: String, language: Language,
        timezone: String, id: ID<Account>, keys: Keyring, now: Instant
    ) {
        self.init(
            id: id, kind: .staff, roles: roles, email: email, name: name, passwordHash: passwordHash,
            language: language, timezone: timezone, researchConsent: false, privacyAcceptedAt: nil,
            createdAt: now, verifiedAt: now, keys: keys)
    }

    /// An invited member of staff: the link in the mail proves the address and sets the first password.
    package init(
        invited name: String, email: String, roles: Set<Role>, passwordHash: String, language: Language,
        timezone: String, id: ID<Account>, keys: Keyring, now: Instant
    ) {
        self.init(
            id: id, kind: .staff, roles: roles, email: email, name: name, passwordHash: passwordHash,
            language: language, timezone: timezone, researchConsent: false, privacyAcceptedAt: nil,
            createdAt: now, verifiedAt: nil, keys: keys)
    }

    /// A patient of the demonstration clinic, whose address needs no mail.
    package init(
        verifiedPatient email: String, passwordHash: String, language: Language, timezone: String,
        id: ID<Account>,
        keys: Keyring, now: Instant
    ) {
        self.init(
            id: id, kind: .patient, roles: [], email: email, name: nil, passwordHash: passwordHash,
            language: language, timezone: timezone, researchConsent: true, privacyAcceptedAt: now,
            createdAt: now,
            verifiedAt: now, keys: keys)
    }

    /// The key holder of a participant on paper: its address and password are random and unknown, and it is closed,
    /// so that signing in is impossible.
    package init(paper id: ID<Account>, language: Language, timezone: String, keys: Keyring, now: Instant) {
        self.init(
            id: id, kind: .patient, roles: [], email: Token().text, name: nil, passwordHash: "-",
            language: language, timezone: timezone, researchConsent: false, privacyAcceptedAt: nil,
            createdAt: now, verifiedAt: now, keys: keys)
        isPaper = true
    }

    private init(
        id: ID<Account>, kind: AccountRecord.Kind, roles: Set<Role>, email: String, name: String?,
        passwordHash: String, language: Language, timezone: String, researchConsent: Bool,
        privacyAcceptedAt: Instant?, createdAt: Instant, verifiedAt: Instant?, keys: Keyring
    ) {
        let key = PersonKey(owner: id)
        self.id = id
        self.kind = kind
        self.roles = roles
        wrappedKey = keys.wrap(key)
        self.email = key.seal(email, for: AccountPlace.email(id))
        let isRegistration = kind == .patient && verifiedAt == nil
        unprovenLookup = isRegistration ? keys.lookup(email: email) : nil
        lookup = isRegistration ? Array(id.text.utf8) : keys.lookup(email: email)
        self.name = name.map { key.seal($0, for: AccountPlace.name(id)) }
        self.passwordHash = passwordHash
        self.language = language
        self.timezone = timezone
        self.researchConsent = researchConsent
        self.privacyAcceptedAt = privacyAcceptedAt
        self.createdAt = createdAt
        self.verifiedAt = verifiedAt
    }
}

/// A credential to be stored, with the token that only its owner gets to see.
package struct NewCredential: Sendable {
    package let id: ID<Credential>
    package let account: ID<Account>
    package let kind: Credential.Kind
    package let token = Token()
    package let createdAt: Instant
    /// The account when its password was verified; nil where the account is created in the same transaction.
    private(set) var verified: AccountRecord?
    private var lifetime: Int64
    package var deviceName: [UInt8]?
    package var platform: String?
    package var osVersion: String?
    package var appVersion: String?
    package var traits = DeviceTraits(browser: nil, system: nil)
    /// Whether a code was given, not the password alone.
    package var isBySecondFactor = false
    /// Its end regardless of use; nil for credentials that do not stay.
    package private(set) var staysUntil: Instant?

    package init(_ kind: Credential.Kind, of account: ID<Account>, id: ID<Credential>, now: Instant) {
        self.kind = kind
        self.account = account
        self.id = id
        createdAt = now
        lifetime = Credential.lifetime(kind)
    }

    /// A token of staff lives no longer than a session of staff in the portal.
    package init(_ kind: Credential.Kind, of account: AccountRecord, id: ID<Credential>, now: Instant) {
        self.init(kind, of: account.id, id: id, now: now)
        verified = account
        if account.kind == .staff { lifetime = min(lifetime, Credential.lifetime(.session)) }
    }

    /// Keeps an own device signed in (PW-5); staff never stay.
    package mutating func stay() {
        guard kind == .session, verified?.kind == .patient else { return }
        staysUntil = createdAt.adding(days: Credential.longestStayDays)
        lifetime = Credential.stayDays * 86_400
    }

    package var expiresAt: Instant { createdAt.adding(seconds: lifetime) }
}

/// A credential whose device has its token already: another device of the same person has approved it (PW-4).
package struct ArrivedCredential: Sendable {
    let id: ID<Credential>
    let kind: Credential.Kind
    let hash: [UInt8]
    let deviceName: [UInt8]?
    let platform: String?
    let osVersion: String?
    let appVersion: String?
    let traits: DeviceTraits
    /// Whether the device stays signed in (PW-5).
    let stays: Bool

    package init(
        id: ID<Credential>, kind: Credential.Kind, hash: [UInt8], deviceName: [UInt8]?, platform: String?,
        osVersion: String?, appVersion: String?, traits: DeviceTraits, stays: Bool
    ) {
        self.id = id
        self.kind = kind
        self.hash = hash
        self.deviceName = deviceName
        self.platform = platform
        self.osVersion = osVersion
        self.appVersion = appVersion
        self.traits = traits
        self.stays = stays && kind == .session
    }
}
