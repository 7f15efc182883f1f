import HTTP
import Identity
import Templates
import Web
import Wording

/// The second step of signing in, and setting it up the first time.
package enum SecondFactorPages {
    package static func routes(_ routes: inout Routes) {
        routes.page(.get, "/login/second-factor", .halfway, show)
        routes.page(.post, "/login/second-factor", .halfway, create)
        routes.page(.get, "/profile/recovery-codes", .staff, codes)
    }

    package struct Show: Page {
        package static let template = "accounts/second-factor"
        package let code: FieldView
        package let next: String
        /// Filled while it is being set up.
        let setUp: SetUp?
        package let errors: ErrorSummary?
    }

    /// The secret, to be scanned or typed.
    package struct SetUp: Encodable, Sendable {
        let picture: HTML?
        let secret: String

        init(_ account: AccountRecord, _ credential: Credential, _ services: Services, _ texts: Texts) throws
        {
            let pending = PendingFactor(credential, services.keys)
            let uri = try pending.uri(account, services.keys)
            picture = QRCode.svg(uri, title: texts["factor.picture"])
            secret = pending.letters
        }
    }

    /// Shown for a while after they were made, and never again.
    package struct Codes: Page {
        package static let template = "accounts/recovery-codes"
        package let codes: [String]
        package let next: String
        package static let example = Codes(codes: ["ABCD-EFGH-IJKL-MNOP"], next: "/")
    }

    @Sendable static func codes(_ c: Context<Member>) throws -> Reply {
        let next = NextPath.destination(
            NextPath.safe(c.request.query["next"]), c.proof.account, among: c.services.routes)
        guard let codes = try c.services.slips.read(c.proof.credential.id, now: c.now) else {
            return .seeOther("/profile/second-factor")
        }
        return .page(Codes(codes: codes, next: next))
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        .page(try page(FormState(c.texts), next: NextPath.safe(c.request.query["next"]), c))
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        let form = try c.form()
        let account = c.proof.account
        let next = NextPath.safe(form["next"])
        let code = form["code"] ?? ""
        if try SecondFactor.step(for: account, c.services) == .setUp {
            let codes = try SecondFactor.confirm(
                code, for: account, c.proof.credential, c)
            guard let codes else { return try wrong(form, next, c) }
            let session = try SignIn.open(account, hasFactor: true, instead: c.proof.credential, c)
            try c.services.slips.put(codes.codes, for: session.id, now: c.now)
            let query =
                "?next=\(percentEncoded(NextPath.destination(next, account, among: c.services.routes)))"
            return .seeOther("/profile/recovery-codes" + query, cookies: session.cookies)
        }
        do {
            guard try SecondFactor.isRight(code, for: account, c) else {
                return try wrong(form, next, c)
            }
        } catch Problem.secondFactor(let message) {
            let errors = FieldErrors("code", message)
            return .page(try page(FormState(form, errors, c.texts), next: next, c), status: 422)
        }
        return try SignIn.finish(account, hasFactor: true, instead: c.proof.credential, next: next, c)
    }

    private static func wrong(_ form: Form, _ next: String, _ c: Context<Member>) throws -> Reply {
        let errors = FieldErrors("code", "factor.wrong")
        return .page(try page(FormState(form, errors, c.texts), next: next, c), status: 422)
    }

    private static func page(_ filled: FormState, next: String, _ c: Context<Member>) throws -> Show {
        let isNew = try SecondFactor.step(for: c.proof.account, c.services) == .setUp
        var code = filled.field("code", label: isNew ? "factor.code" : "factor.code_or_recovery")
        code.value = ""
        code.isRequired = true
        code.autocomplete = "one-time-code"
        if isNew { code.inputMode = "numeric" }
        let setUp = isNew ? try SetUp(c.proof.account, c.proof.credential, c.services, c.texts) : nil
        return Show(code: code, next: next, setUp: setUp, errors: filled.summary)
    }
}
