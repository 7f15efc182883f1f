import HTTP
import Wire

/// The second factor of somebody who is signed in: set up, new recovery codes, another app.
enum OwnFactorPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/profile/second-factor", .staff, show)
        routes.page(.post, "/profile/second-factor", .staff, create)
        routes.page(.post, "/profile/second-factor/recovery-codes", .staff, renewCodes)
        routes.page(.post, "/profile/second-factor/removal", .staff, destroy)
    }

    struct Show: Page {
        static let template = "accounts/own-factor"
        static let section: Section? = .profile
        /// Filled until a code was given.
        let setUp: SecondFactorPages.SetUp?
        let code: FieldView
        let codesLeft: String?
        /// The password is asked for again before anything is changed: one field for each of the two forms.
        let renewPassword: FieldView
        let removePassword: FieldView
        let isRequired: Bool
        let errors: ErrorSummary?
        static let example = Show(
            setUp: nil, code: FieldView(name: "code", label: "Code"), codesLeft: "Noch 10",
            renewPassword: FieldView(name: "renew_password", sends: "password", label: "Passwort"),
            removePassword: FieldView(name: "password", label: "Passwort"), isRequired: true, errors: nil)
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply { .page(try page(Filled(c.texts), c)) }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        let form = try c.form()
        let codes = try SecondFactor.confirm(form["code"] ?? "", for: c.proof.account, c.services, now: c.now)
        guard let codes else {
            let errors = FieldErrors("code", "factor.wrong")
            return .page(try page(Filled(form, errors, c.texts), c), status: 422)
        }
        return .page(SecondFactorPages.Codes(codes: codes.codes, next: "/profile/second-factor"))
    }

    @Sendable static func renewCodes(_ c: Context<Member>) throws -> Reply {
        let form = try c.form()
        guard try isSetUp(c) else { throw Problem.notFound }
        return try afterPassword(form, c) {
            let codes = try SecondFactor.renewCodes(of: c.proof.account, c.services, now: c.now)
            return .page(SecondFactorPages.Codes(codes: codes.codes, next: "/profile/second-factor"))
        }
    }

    /// For another telephone. Where it is required the next login asks to set it up anew, so all that is signed in ends.
    @Sendable static func destroy(_ c: Context<Member>) throws -> Reply {
        let form = try c.form()
        return try afterPassword(form, c) {
            try FactorRemoval.remove(of: c.proof.account, c)
            return .seeOther("/login")
        }
    }

    private static func afterPassword(
        _ form: Form, _ c: Context<Member>, _ body: () throws -> Reply
    ) throws -> Reply {
        do {
            try Password.confirm(form["password"] ?? "", field: "password", c)
            return try body()
        } catch Problem.invalid(let errors) {
            return .page(try page(Filled(form, errors, c.texts), c), status: 422)
        }
    }

    private static func isSetUp(_ c: Context<Member>) throws -> Bool {
        try c.read { try SecondFactorStore.find(c.proof.account.id, $0) }?.confirmedAt != nil
    }

    private static func page(_ filled: Filled, _ c: Context<Member>) throws -> Show {
        let account = c.proof.account
        let isSetUp = try isSetUp(c)
        let left = try c.read { try SecondFactorStore.codesLeft(of: account.id, $0) }
        var code = filled.field("code", label: "factor.code")
        (code.value, code.isRequired, code.autocomplete, code.inputMode) = (
            "", true, "one-time-code", "numeric"
        )
        var password = filled.field("password", label: "login.password")
        (password.type, password.value, password.isRequired) = ("password", "", true)
        password.autocomplete = "current-password"
        var renew = password
        (renew.name, renew.sends, renew.error) = ("renew_password", "password", nil)
        return Show(
            setUp: isSetUp ? nil : try SecondFactorPages.SetUp(account, c.services, c.texts, now: c.now),
            code: code, codesLeft: isSetUp ? c.texts["factor.codes_left", ["count": String(left)]] : nil,
            renewPassword: renew, removePassword: password,
            isRequired: c.services.settings.secondFactor == .required, errors: filled.summary)
    }
}

/// Taking a second factor away: by its owner, or by an administrator for somebody who has lost telephone and codes.
enum FactorRemoval {
    /// Everything that is signed in ends, and the owner gets a mail.
    static func remove<P>(of account: AccountRecord, _ c: Context<P>) throws {
        let texts = c.services.texts(account.language)
        let mail = Mail(
            recipient: try account.email(c.keys), subject: texts["factor.removed_subject"],
            body: texts["factor.removed_body"])
        let envelope = try c.services.envelope(mail, to: try account.key(c.keys), at: c.now)
        try c.write(.secondFactorRemoved, about: account.id) { connection in
            try SecondFactorStore.remove(account.id, connection)
            try AccountStore.endCredentials(of: account.id, but: nil, connection)
            try MailStore.insert(envelope, connection)
        }
        c.services.deliver(at: c.now)
    }
}
