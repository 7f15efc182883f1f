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
            .one(
                "Register. meta says timezone: the clinic's, taken because the one sent is unknown",
                Wire.Account.self, status: 201, takes: registration), register)
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
        Schema.optional("timezone", .string), Schema.optional("privacy_version", .integer.orNull),
    ])

    @Sendable static func availability(_ c: Context<Anyone>) throws -> Reply {
        try RegistrationActions.countTry("email available", c)
        let fields = InputReader(form: c.request.query)
        guard let email = fields.email("email") else { throw Problem.invalid(fields.errors) }
        let lookup = c.keys.lookup(email: email)
        let taken = try c.read { connection in try AccountStore.find(lookup: lookup, connection) != nil }
        return try .data(One(EmailAvailability(available: !taken)))
    }

    @Sendable static func register(_ c: Context<Anyone>) throws -> Reply {
        let draft = try RegistrationDraft.read(
            try c.body(), among: c.services.languages, language: c.language, timezone: c.services.timezone)
        let made = try showingChange(c) { try RegistrationActions.create(draft, c) }
        let wire = Wire.Account(
            email: draft.email, emailVerified: false, researchConsent: draft.researchConsent,
            language: draft.language.rawValue, timezone: draft.zone.name)
        var meta = ["registration_token": made.token.text]
        if draft.isEmailCleaned { meta["cleaned"] = "email" }
        if draft.zone.word != nil { meta["timezone"] = draft.zone.name }
        return try .data(One(id: made.account, wire, meta: meta), status: 201)
    }

    /// Answers an agreement to an older privacy statement with the present one.
    private static func showingChange<R>(_ c: Context<Anyone>, _ work: () throws -> R) throws -> R {
        do {
            return try work()
        } catch let problem as Problem where PrivacyStore.isChange(problem) {
            let page = InformationPage.privacy
            throw try TextChanged(problem, present: One(id: page.key, InformationAPI.wire(page, c)))
        }
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let account = try c.read { try c.ownAccount($0) }
        return try .data(One(id: account.id, try wire(account, c.keys)))
    }

    @Sendable static func resend(_ c: Context<Member>) throws -> Reply {
        try RegistrationActions.resend(c)
        return .response(Response(status: 202))
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let fields = try c.body()
        let email = fields.email("email")
        try fields.finish()
        guard let email else { throw Problem.invalid(fields.errors) }
        let changed = try RegistrationActions.change(to: email, c)
        return try .data(One(id: changed.id, try wire(changed, c.keys)))
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

}

/// Uses up a link, for page and call alike.
enum Verification {
    /// What a link has confirmed before; nil for any other one.
    static func earlier(_ text: String, _ c: Context<Anyone>) throws -> Earlier? {
        guard let token = Token(text) else { return nil }
        return try c.read { connection -> Earlier? in
            if try EmailChangeStore.hasConfirmed(token.hash, connection) { return .change }
            return try MailLinkStore.hasConfirmed(token.hash, connection) ? .registration : nil
        }
    }

    enum Earlier { case registration, change }

    static func confirm(_ text: String, _ c: Context<Anyone>) throws -> AccountRecord {
        guard let token = Token(text) else { throw Problem.notFound }
        if try c.read({ try EmailChangeStore.isKnown(token.hash, $0) }) {
            return try EmailChangeActions.confirm(token, c)
        }
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
