import HTTP
import Identity
import Records
import Web
import Wire
import Wording

/// Signing in to the portal, staff only.
package enum LoginPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/login", .anyone, new)
        routes.page(.post, "/login", .anyone, create)
        routes.page(.post, "/logout", .anyone, destroy)
    }

    package struct Show: Page {
        package static let template = "accounts/login"
        package let email: FieldView
        package let password: FieldView
        package let next: String
        package let failure: String?

        package init(_ filled: FormState, next: String, failure: String?) {
            var email = filled.field("email", label: "login.email")
            email.autocomplete = "username"
            email.inputMode = "email"
            email.isRequired = true
            var password = FieldView(name: "password", label: filled.texts["login.password"])
            password.type = "password"
            password.autocomplete = "current-password"
            password.isRequired = true
            self.email = email
            self.password = password
            self.next = next
            self.failure = failure
        }

        private init() {
            email = FieldView(name: "email", label: "E-Mail", type: "email")
            password = FieldView(name: "password", label: "Passwort", type: "password")
            next = "/"
            failure = nil
        }

        package static let example = Show()
    }

    /// Where patients go instead, with nothing opened.
    package struct Patient: Page {

        package init() {}
        package static let template = "accounts/patient"
        package static let example = Patient()
    }

    @Sendable package static func new(_ c: Context<Anyone>) throws -> Reply {
        if let person = c.actor.signedIn { return .seeOther(NextPath.home(of: person.account)) }
        return .page(Show(FormState(c.texts), next: NextPath.safe(c.request.query["next"]), failure: nil))
    }

    @Sendable static func create(_ c: Context<Anyone>) throws -> Reply {
        let form = try c.form()
        let next = NextPath.safe(form["next"])
        do {
            let account = try Login.check(
                email: form["email"] ?? "", password: form["password"] ?? "", c)
            // Patients use the app; the portal is for staff. Told only to somebody who knows the password.
            guard account.kind == .staff else { return .page(Patient(), status: 403) }
            return try enter(account, next: next, c)
        } catch let problem as Problem where problem.status == 401 || problem.status == 429 {
            let failure = c.texts[problem.message]
            // Which of the two is wrong is not told.
            let page = Show(FormState(form, FieldErrors(), c.texts), next: next, failure: failure)
            return .page(page, status: problem.status == 401 ? 422 : 429)
        }
    }

    private static func enter(_ account: AccountRecord, next: String, _ c: Context<Anyone>) throws -> Reply {
        let old = c.actor.anybody?.credential
        guard try SecondFactor.step(for: account, c.services) != .none else {
            return try SignIn.finish(account, hasFactor: false, instead: old, next: next, c)
        }
        let session = try SignIn.open(account, .halfway, hasFactor: false, instead: old, c).token
        let query = next == "/" ? "" : "?next=\(percentEncoded(next))"
        return .seeOther("/login/second-factor" + query, session: session)
    }

    @Sendable static func destroy(_ c: Context<Anyone>) throws -> Reply {
        if let person = c.actor.anybody {
            try c.write(.signedOut, about: person.account.id) { connection in
                try CredentialStore.endCredential(person.credential.id, of: person.account.id, connection)
            }
        }
        var response = Response.seeOther("/login")
        let name = Identification(services: c.services).cookieName
        let gone = SetCookie(name, "", isSecure: c.services.settings.isSecure, seconds: 0)
        response.headers.append("Set-Cookie", gone.header)
        response.headers.append("Clear-Site-Data", "\"cache\", \"storage\"")
        return .response(response)
    }
}
