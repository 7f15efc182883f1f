import HTTP
import Identity
import JSON
import Records
import Web
import Wire
import Wording

/// Signing in to the portal: staff, patients and participants use the same form, and get their own pages.
package enum LoginPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/login", .anyone, new)
        routes.page(.post, "/login", .anyone, create)
        routes.page(.post, "/login/errand", .anyone, carry)
        routes.page(.post, "/logout", .anyone, destroy)
    }

    package struct Show: Page {
        package static let template = "accounts/login"
        package let email: FieldView
        package let password: FieldView
        /// Applies to patients and participants alone.
        package let stays: FieldView
        package let next: String
        /// The ticket of the errand that led here; nil without one that waits.
        let errand: String?
        package var carried: String? { errand }
        package let failure: String?
        /// The script that warns of unsent data on this device.
        let waiting: String

        init(
            _ filled: FormState, next: String, errand: Errand.Ticket?, failure: String?, _ services: Services
        ) {
            email = filled.field(
                "email", .address, label: "login.email", required: true, autocomplete: "username")
            password = FieldView(
                name: "password", label: filled.texts["login.password"], type: "password", isRequired: true,
                autocomplete: "current-password")
            stays = filled.box(
                "stay_signed_in", label: "login.stay_signed_in", hint: "login.stay_signed_in_hint",
                isOn: false)
            self.next = next
            self.errand = errand?.errand(services) == nil ? nil : errand?.text
            self.failure = failure
            waiting = services.assets.own("waiting.js")
        }
    }

    @Sendable package static func new(_ c: Context<Anyone>) throws -> Reply {
        let next = NextPath.safe(c.request.query["next"])
        if let person = c.actor.member {
            return .seeOther(NextPath.destination(next, person.account, among: c.services.routes))
        }
        let ticket = try Errand.Ticket.handed(c.request, c.services)
        return .page(Show(FormState(c.texts), next: next, errand: ticket, failure: nil, c.services))
    }

    @Sendable static func create(_ c: Context<Anyone>) throws -> Reply {
        let form = try c.form()
        let next = NextPath.safe(form["next"])
        let ticket = Errand.Ticket(form["errand"], c.request, c.services)
        do {
            let account = try Login.check(
                email: form["email"] ?? "", password: form["password"] ?? "", c)
            let stays = form.all("stay_signed_in").contains("true")
            return try enter(account, stays: stays, bringing: ticket, next: next, c)
        } catch let problem as Problem where problem.status == 401 || problem.status == 429 {
            let failure = c.texts[problem.message]
            // The page does not tell which of the two is wrong.
            let filled = FormState(form, FieldErrors(), c.texts)
            let page = Show(filled, next: next, errand: ticket, failure: failure, c.services)
            return .page(page, status: problem.status == 401 ? 422 : 429)
        }
    }

    /// From one of the two forms to the other, with the errand that it carries.
    @Sendable static func carry(_ c: Context<Anyone>) throws -> Reply {
        let form = try c.form()
        try Errand.Ticket(form["errand"], c.request, c.services)?.hand(c.request, c.services)
        let next = NextPath.safe(form["next"])
        let page = form["page"] == "login" ? "/login" : "/register"
        return .seeOther(page + (next == "/" ? "" : "?next=\(percentEncoded(next))"))
    }

    private static func enter(
        _ account: AccountRecord, stays: Bool, bringing ticket: Errand.Ticket?, next: String,
        _ c: Context<Anyone>
    ) throws -> Reply {
        let old = c.actor.anybody?.credential
        guard account.verifiedAt != nil else {
            let session = try SignIn.open(
                account, .registration, hasFactor: false, bringing: ticket, instead: old, c)
            return .seeOther("/register/confirmation", cookies: session.cookies)
        }
        guard try SecondFactor.step(for: account, c.services) != .none else {
            return try SignIn.finish(
                account, hasFactor: false, stays: stays, bringing: ticket, instead: old, next: next, c)
        }
        let session = try SignIn.open(account, .halfway, hasFactor: false, instead: old, c)
        let query = next == "/" ? "" : "?next=\(percentEncoded(next))"
        return .seeOther("/login/second-factor" + query, cookies: session.cookies)
    }

    @Sendable static func destroy(_ c: Context<Anyone>) throws -> Reply {
        if let person = c.actor.anybody {
            try c.write(.signedOut, about: person.account.id) { connection in
                try CredentialStore.endCredential(person.credential.id, of: person.account.id, connection)
            }
        }
        guard c.actor.anybody?.account.kind == .patient else { return try out(to: "/login", c) }
        return try ownOut(to: "/login", c)
    }

    /// Signs a browser out: it forgets its cookie, and the copies of pages.
    package static func out<P>(to path: String, _ c: Context<P>) throws -> Reply {
        try out(to: path, clearing: "\"cache\"", c)
    }

    /// The same for a patient or participant: everything their pages keep in the browser goes, too. When another
    /// person's unsent data lies there, the form says so; then a script removes only this person's.
    package static func ownOut<P>(to path: String, _ c: Context<P>) throws -> Reply {
        let othersStay = try c.form()["others_stay"] == "true"
        return try out(to: path, clearing: othersStay ? "\"cache\"" : "\"cache\", \"storage\"", c)
    }

    private struct Left: Encodable {
        let state = "taken"
        let path: String
    }

    private static func out<P>(to path: String, clearing data: String, _ c: Context<P>) throws -> Reply {
        var response =
            c.wantsNoPage
            ? Response(type: MediaType.json, try JSONWriter.bytes(of: Left(path: path))) : .seeOther(path)
        let gone = NewCookie(.session, nil)
        response.headers.append(
            "Set-Cookie", gone.header(at: c.now, isSecure: c.services.settings.isSecure))
        response.headers.append("Clear-Site-Data", data)
        return .response(response)
    }
}
