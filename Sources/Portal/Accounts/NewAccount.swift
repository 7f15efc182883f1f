import Secrets
import Wire

/// An account about to be stored, its fields sealed under a fresh key of its own.
struct NewAccount: Sendable {
    let id: String
    let kind: AccountRecord.Kind
    let roles: Set<Role>
    let wrappedKey: [UInt8]
    let email: [UInt8]
    let lookup: [UInt8]
    let name: [UInt8]?
    let passwordHash: String
    let language: Language
    let timezone: String
    let researchConsent: Bool
    let privacyAcceptedAt: Instant?
    let createdAt: Instant
    let verifiedAt: Instant?
    /// Somebody on paper alone.
    private(set) var isPaper = false

    /// A patient who registers. The address is yet to be confirmed.
    init(patient draft: RegistrationDraft, passwordHash: String, id: String, keys: Keyring, now: Instant) {
        self.init(
            id: id, kind: .patient, roles: [], email: draft.email, name: nil, passwordHash: passwordHash,
            language: draft.language, timezone: draft.timezone, researchConsent: draft.researchConsent,
            privacyAcceptedAt: now, createdAt: now, verifiedAt: nil, keys: keys)
    }

    /// A member of staff, made by command: the address counts as confirmed.
    init(
        staff name: String, email: String, roles: Set<Role>, passwordHash: String, language: Language,
        timezone: String, id: String, keys: Keyring, now: Instant
    ) {
        self.init(
            id: id, kind: .staff, roles: roles, email: email, name: name, passwordHash: passwordHash,
            language: language, timezone: timezone, researchConsent: false, privacyAcceptedAt: nil,
            createdAt: now, verifiedAt: now, keys: keys)
    }

    /// A member of staff who was invited: the link in the mail proves the address and sets the first password.
    init(
        invited name: String, email: String, roles: Set<Role>, passwordHash: String, language: Language,
        timezone: String, id: String, keys: Keyring, now: Instant
    ) {
        self.init(
            id: id, kind: .staff, roles: roles, email: email, name: name, passwordHash: passwordHash,
            language: language, timezone: timezone, researchConsent: false, privacyAcceptedAt: nil,
            createdAt: now, verifiedAt: nil, keys: keys)
    }

    /// A patient of the demonstration clinic, whose address needs no mail.
    init(
        verifiedPatient email: String, passwordHash: String, language: Language, timezone: String, id: String,
        keys: Keyring, now: Instant
    ) {
        self.init(
            id: id, kind: .patient, roles: [], email: email, name: nil, passwordHash: passwordHash,
            language: language, timezone: timezone, researchConsent: true, privacyAcceptedAt: now,
            createdAt: now,
            verifiedAt: now, keys: keys)
    }

    /// The holder of the key of somebody who takes part in a study on paper: nobody knows its address or password, and it
    /// is closed, so that nobody ever signs in with it.
    init(paper id: String, language: Language, timezone: String, keys: Keyring, now: Instant) {
        self.init(
            id: id, kind: .patient, roles: [], email: Token().text, name: nil, passwordHash: "-",
            language: language, timezone: timezone, researchConsent: false, privacyAcceptedAt: nil,
            createdAt: now, verifiedAt: now, keys: keys)
        isPaper = true
    }

    private init(
        id: String, kind: AccountRecord.Kind, roles: Set<Role>, email: String, name: String?,
        passwordHash: String, language: Language, timezone: String, researchConsent: Bool,
        privacyAcceptedAt: Instant?, createdAt: Instant, verifiedAt: Instant?, keys: Keyring
    ) {
        let key = PersonKey(owner: id)
        (self.id, self.kind, self.roles) = (id, kind, roles)
        wrappedKey = keys.wrap(key)
        self.email = key.seal(email, for: AccountPlace.email(id))
        lookup = keys.lookup(email: email)
        self.name = name.map { key.seal($0, for: AccountPlace.name(id)) }
        (self.passwordHash, self.language, self.timezone) = (passwordHash, language, timezone)
        (self.researchConsent, self.privacyAcceptedAt) = (researchConsent, privacyAcceptedAt)
        (self.createdAt, self.verifiedAt) = (createdAt, verifiedAt)
    }
}

/// A credential about to be stored, with the token that only its owner gets to see.
struct NewCredential: Sendable {
    let id: String
    let account: String
    let kind: Credential.Kind
    let token = Token()
    let createdAt: Instant
    /// The account as it was when its password was verified; nil where the account is made in the same transaction.
    private(set) var verified: AccountRecord?
    private var lifetime: Int64
    var deviceName: [UInt8]?
    var platform: String?
    var osVersion: String?
    var appVersion: String?
    /// Whether a code was given, and not the password alone.
    var isBySecondFactor = false

    init(_ kind: Credential.Kind, of account: String, id: String, now: Instant) {
        (self.kind, self.account, self.id, createdAt) = (kind, account, id, now)
        lifetime = Credential.lifetime(kind)
    }

    /// A token of staff lives no longer than their session in the portal.
    init(_ kind: Credential.Kind, of account: AccountRecord, id: String, now: Instant) {
        self.init(kind, of: account.id, id: id, now: now)
        verified = account
        if account.kind == .staff { lifetime = min(lifetime, Credential.lifetime(.session)) }
    }

    var expiresAt: Instant { createdAt.adding(seconds: lifetime) }
}
