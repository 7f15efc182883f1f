import HTTP
import Identity
import Records
import Web
import Wording

/// The second factor of a signed-in account: setting it up, new recovery codes, another app.
package enum OwnFactorPages {
    package static func routes(_ routes: inout Routes) {
        routes.page(.get, "/profile/second-factor", .staff, show)
        routes.page(.post, "/profile/second-factor", .staff, create)
        routes.page(.post, "/profile/second-factor/recovery-codes", .staff, renewCodes)
        routes.page(.post, "/profile/second-factor/removal", .staff, destroy)
    }

    package struct Show: Page {
        package static let template = "accounts/own-factor"
        package static let section: NavigationItem? = .profile
        /// Filled until there is one.
        let setUp: SecondFactorPages.SetUp?
        let setUpFields: [FieldView]
        let codesLeft: String?
        let renewFields: [FieldView]
        let removeFields: [FieldView]
        package let isRequired: Bool
        package let errors: ErrorSummary?
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        .page(try page(nil, FieldErrors(), c))
    }

    /// Changing how the account signs in requires the password again: an unlocked screen is not enough.
    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        try changing(.setUp, c) { form in
            let account = c.proof.account
            let credential = c.proof.credential
            let code = form["code"] ?? ""
            guard let codes = try SecondFactor.confirm(code, for: account, credential, c)
            else { throw Problem.invalid("code", "factor.wrong") }
            return try shown(codes, c)
        }
    }

    @Sendable static func renewCodes(_ c: Context<Member>) throws -> Reply {
        guard try isSetUp(c) else { throw Problem.notFound }
        return try changing(.renew, c) { _ in
            let codes = try SecondFactor.renewCodes(of: c.proof.account, c)
            return try shown(codes, c)
        }
    }

    /// For another telephone, with a code of the old one or a recovery code. Where a second factor is required, the
    /// next login asks to set it up again, so all sessions end.
    @Sendable static func destroy(_ c: Context<Member>) throws -> Reply {
        guard try isSetUp(c) else { throw Problem.notFound }
        return try changing(.remove, c) { form in
            guard try SecondFactor.isRight(form["code"] ?? "", for: c.proof.account, c) else {
                throw Problem.invalid("code", "factor.wrong")
            }
            try FactorRemoval.remove(of: c.proof.account, c)
            return .seeOther("/login")
        }
    }

    private static func shown(_ codes: RecoveryCodes, _ c: Context<Member>) throws -> Reply {
        try c.services.slips.put(codes.codes, for: c.proof.credential.id, now: c.now)
        return .seeOther("/profile/recovery-codes?next=%2Fprofile%2Fsecond-factor")
    }

    /// The forms of the page; their fields have names of their own, so that an error is shown at the right place.
    private enum Part: String { case setUp = "set", renew, remove }

    private static func changing(
        _ part: Part, _ c: Context<Member>, _ body: (Form) throws -> Reply
    ) throws -> Reply {
        do {
            let form = try c.form()
            try Password.confirm(form["password"] ?? "", of: c.proof.account, field: "password", c)
            return try body(form)
        } catch Problem.invalid(let errors) {
            return .page(try page(part, errors, c), status: 422)
        } catch Problem.secondFactor(let message) {
            return .page(try page(part, FieldErrors("code", message), c), status: 422)
        }
    }

    private static func isSetUp(_ c: Context<Member>) throws -> Bool {
        try c.read { try SecondFactorStore.find(c.proof.account.id, $0) } != nil
    }

    private static func page(_ part: Part?, _ errors: FieldErrors, _ c: Context<Member>) throws -> Show {
        let account = c.proof.account
        let isSetUp = try isSetUp(c)
        let left = try c.read { try SecondFactorStore.codesLeft(of: account.id, $0) }
        let fields = { (own: Part, names: [String]) in
            names.map { field($0, own, own == part ? errors : FieldErrors(), c.texts) }
        }
        let lines = errors.list.map { wrong -> ErrorLine in
            let text = c.texts[wrong.message]
            guard let part else { return ErrorLine(field: wrong.field, text: text) }
            let view = field(wrong.field, part, errors, c.texts)
            return ErrorLine(field: view.name, text: "\(view.label): \(text)")
        }
        return Show(
            setUp: isSetUp
                ? nil : try SecondFactorPages.SetUp(account, c.proof.credential, c.services, c.texts),
            setUpFields: isSetUp ? [] : fields(.setUp, ["code", "password"]),
            codesLeft: isSetUp ? c.texts["factor.codes_left", ["count": String(left)]] : nil,
            renewFields: fields(.renew, ["password"]), removeFields: fields(.remove, ["code", "password"]),
            isRequired: c.services.settings.secondFactor == .required,
            errors: lines.isEmpty ? nil : ErrorSummary(lines: lines))
    }

    private static func field(
        _ name: String, _ part: Part, _ errors: FieldErrors, _ texts: Texts
    ) -> FieldView {
        let isCode = name == "code"
        let label = isCode ? (part == .setUp ? "factor.code" : "factor.code_or_recovery") : "login.password"
        return FieldView(
            name: "\(part.rawValue)_\(name)", sends: name, label: texts[label],
            type: isCode ? "text" : "password",
            error: errors.list.first { $0.field == name }.map { texts[$0.message] }, isRequired: true,
            autocomplete: isCode ? "one-time-code" : "current-password")
    }
}

/// Removing a second factor: by its owner, or by an administrator after telephone and codes were lost.
package enum FactorRemoval {
    /// All sessions end, and the owner gets a mail.
    package static func remove<P>(of account: AccountRecord, _ c: Context<P>) throws {
        let notice = try FactorNotice.factorRemoved.envelope(to: account, c.services, now: c.now)
        try c.write(.secondFactorRemoved, about: account.id) { connection in
            try SecondFactorStore.remove(account.id, connection)
            try CredentialStore.endCredentials(of: account.id, but: nil, connection)
            try MailStore.insert(notice, connection)
        }
        c.services.deliver(at: c.now)
    }
}
