import Database
import HTTP
import Identity
import Records
import Secrets
import Web
import Wire
import Wording

/// From an address to a confirmed account (IO-1).
package enum RegistrationAPI {
    package static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/auth/email-available", .anyone,
            .one("Whether an address is free", EmailAvailability.self, query: ["email"]), availability)
        routes.call(
            .post, "/auth/register", .anyone,
            .one("Register", Wire.Account.self, status: 201, takes: registration), register)
        routes.call(
            .get, "/auth/registration", .registrant,
            .one("How far the registration is", Wire.Account.self).revised(AccountRevisionStore.registration),
            show)
        routes.call(
            .post, "/auth/registration/resend", .registrant,
            .nothing("Send the confirming mail again", status: 202), resend)
        routes.call(
            .patch, "/auth/registration", .registrant,
            .one(
                "Mend a mistyped address", Wire.Account.self,
                takes: .object([Schema.property("email", .formatted("email"))])
            ).revised(AccountRevisionStore.registration),
            update)
        routes.call(
            .post, "/auth/email/verify", .anyone,
            .one(
                "Confirm the address", Wire.Account.self, takes: .object([Schema.property("token", .string)])),
            verify)
    }

    private static let registration = Schema.object([
        Schema.property("email", .formatted("email")), Schema.property("password", .string),
        Schema.property("password_confirmation", .string), Schema.property("privacy_accepted", .boolean),
        Schema.optional("research_consent", .boolean), Schema.optional("language", .language),
        Schema.optional("timezone", .string),
    ])

    @Sendable static func availability(_ c: Context<Anyone>) throws -> Reply {
        try countTry("email available", c)
        let fields = InputReader(form: c.request.query)
        guard let email = fields.email("email") else { throw Problem.invalid(fields.errors) }
        let lookup = c.keys.lookup(email: email)
        let taken = try c.read { connection in try AccountStore.find(lookup: lookup, connection) != nil }
        return try .data(One(EmailAvailability(available: !taken)))
    }

    @Sendable static func register(_ c: Context<Anyone>) throws -> Reply {
        try countTry("register", c)
        let draft = try RegistrationDraft.read(
            try c.body(), among: c.services.languages, language: c.language, timezone: c.services.timezone)
        let hash = try c.services.gate.hash(draft.password)
        let account = NewAccount(
            patient: draft.email, researchConsent: draft.researchConsent, passwordHash: hash,
            language: draft.language, timezone: draft.timezone, id: c.newID(), keys: c.keys, now: c.now)
        let credential = NewCredential(.registration, of: account.id, id: c.newID(), now: c.now)
        let link = Token()
        let key = try c.keys.unwrap(account.wrappedKey, owner: account.id)
        let envelope = try letter(with: link, to: draft.email, key, draft.language, c)
        try c.write(.accountRegistered, about: account.id) { connection in
            try PrivacyStore.insert(account, connection)
            try CredentialStore.insert(credential, connection)
            try store(link, envelope, connection)
        }
        c.services.deliver(at: c.now)
        let wire = Wire.Account(
            email: draft.email, emailVerified: false, researchConsent: draft.researchConsent,
            language: draft.language.rawValue, timezone: draft.timezone)
        let meta = ["registration_token": credential.token.text]
        return try .data(One(id: account.id, wire, meta: meta), status: 201)
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let account = try c.read { try c.ownAccount($0) }
        return try .data(One(id: account.id, try wire(account, c.keys)))
    }

    @Sendable static func resend(_ c: Context<Member>) throws -> Reply {
        try countMail(c)
        let account = c.proof.account
        let link = Token()
        let key = try account.key(c.keys)
        let email = try account.email(c.keys)
        let envelope = try letter(with: link, to: email, key, account.language, c)
        try c.write(.verificationSent, about: account.id) { connection in
            try AccountStore.requireUnverified(account.id, connection)
            try store(link, envelope, connection)
        }
        c.services.deliver(at: c.now)
        return .response(Response(status: 202))
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let fields = try c.body()
        let email = fields.email("email")
        try fields.finish()
        guard let email else { throw Problem.invalid(fields.errors) }
        try countMail(c)
        let account = c.proof.account
        let link = Token()
        let key = try account.key(c.keys)
        let sealed = key.seal(email, for: AccountPlace.email(account.id))
        let envelope = try letter(with: link, to: email, key, account.language, c)
        let lookup = c.keys.lookup(email: email)
        let changed = try c.write(.emailChanged, about: account.id) { connection in
            try AccountStore.setEmail(sealed, lookup: lookup, of: account.id, connection)
            try store(link, envelope, connection)
            return try AccountStore.find(account.id, connection)
        }
        guard let changed else { throw Problem.notFound }
        c.services.deliver(at: c.now)
        return try .data(One(id: account.id, try wire(changed, c.keys)))
    }

    @Sendable static func verify(_ c: Context<Anyone>) throws -> Reply {
        let fields = try c.body()
        let token = fields.secret("token")
        try fields.finish()
        let account = try Verification.confirm(token ?? "", c)
        return try .data(One(id: account.id, try wire(account, c.keys)))
    }

    // MARK: Parts

    static func wire(_ account: AccountRecord, _ keys: Keyring) throws -> Wire.Account {
        Wire.Account(
            email: try account.email(keys), emailVerified: account.verifiedAt != nil,
            researchConsent: account.researchConsent, language: account.language.rawValue,
            timezone: account.timezone)
    }

    /// The link, and the mail that brings it.
    private static func store(
        _ link: Token, _ mail: QueuedMail, _ connection: borrowing Connection
    ) throws {
        let expires = mail.madeAt.adding(days: VerificationMail.lifetimeDays)
        try MailLinkStore.insertVerification(
            link.hash, of: mail.account, now: mail.madeAt, expires: expires, connection)
        try MailStore.insert(mail, connection)
    }

    private static func letter<P>(
        with link: Token, to email: String, _ key: PersonKey, _ language: Language, _ c: Context<P>
    ) throws -> QueuedMail {
        let texts = c.services.texts(language)
        let mail = VerificationMail.make(to: email, token: link, origin: c.services.origin, texts: texts)
        return try c.services.envelope(mail, to: key, at: c.now)
    }

    /// These calls tell whether an address is known, by design; so ten a minute and client address.
    private static func countTry(_ name: String, _ c: Context<Anyone>) throws {
        guard c.services.settings.requestsPerMinute > 0 else { return }
        let peer = ClientAddress.of(c.request, c.services.settings)
        try c.services.limiter.count("\(name) \(peer)", limit: 10, seconds: 60, now: c.now)
    }

    /// Nobody's mailbox is to be flooded.
    private static func countMail(_ c: Context<Member>) throws {
        try c.services.limiter.count("mail \(c.proof.account.id)", limit: 10, seconds: 3600, now: c.now)
    }
}

/// Spends a link, for the page and for the call.
enum Verification {
    static func confirm(_ text: String, _ c: Context<Anyone>) throws -> AccountRecord {
        guard let token = Token(text) else { throw Problem.notFound }
        let now = c.now
        // Read first, so that the audit line can name the account.
        let id = try c.read { connection in try MailLinkStore.ownerOfLink(token.hash, connection) }
        let account = try c.write(.emailVerified, about: id) { connection in
            let id = try MailLinkStore.spendVerification(token.hash, now: now, connection)
            try AccountStore.markVerified(id, at: now, connection)
            return try AccountStore.find(id, connection)
        }
        guard let account else { throw Problem.notFound }
        return account
    }
}
