import HTTP
import Secrets
import Wire

/// Signing in to the portal, staff only.
enum LoginPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/login", .anyone, new)
        routes.page(.post, "/login", .anyone, create)
        routes.page(.post, "/logout", .anyone, destroy)
    }

    struct Show: Page {
        static let template = "accounts/login"
        let email: FieldView
        let password: FieldView
        let next: String
        let failure: String?

        init(_ filled: Filled, next: String, failure: String?) {
            var email = filled.field("email", label: "login.email")
            (email.type, email.autocomplete, email.isRequired) = ("email", "username", true)
            var password = FieldView(name: "password", label: filled.texts["login.password"])
            (password.type, password.autocomplete, password.isRequired) = (
                "password", "current-password", true
            )
            (self.email, self.password, self.next, self.failure) = (email, password, next, failure)
        }

        private init() {
            email = FieldView(name: "email", label: "E-Mail", type: "email")
            password = FieldView(name: "password", label: "Passwort", type: "password")
            (next, failure) = ("/", nil)
        }

        static let example = Show()
    }

    @Sendable static func new(_ c: Context<Anyone>) throws -> Reply {
        if c.actor.signedIn != nil { return .seeOther("/") }
        return .page(Show(Filled(c.texts), next: NextPath.safe(c.request.query["next"]), failure: nil))
    }

    @Sendable static func create(_ c: Context<Anyone>) throws -> Reply {
        let form = try c.form()
        let next = NextPath.safe(form["next"])
        do {
            let account = try Login.check(
                email: form["email"] ?? "", password: form["password"] ?? "", c)
            // Patients use the app; the portal is for staff.
            guard account.kind == .staff else { throw Problem.wrongCredentials }
            return .response(try open(account, next: next, c))
        } catch let problem as Problem where problem.status == 401 || problem.status == 429 {
            let failure = c.texts[problem.message]
            // Which of the two is wrong is not told.
            let page = Show(Filled(form, FieldErrors(), c.texts), next: next, failure: failure)
            return .page(page, status: problem.status == 401 ? 422 : 429)
        }
    }

    /// A new session under a new cookie; one that was there before is dead.
    private static func open(_ account: AccountRecord, next: String, _ c: Context<Anyone>) throws -> Response
    {
        let credential = NewCredential(.session, of: account.id, id: c.newID(), now: c.now)
        let old = c.actor.signedIn
        try c.services.records.write(.signedIn, by: account.id, about: account.id, at: c.now) { connection in
            if let old { try AccountStore.endCredential(old.credential.id, of: old.account.id, connection) }
            try AccountStore.insert(credential, connection)
        }
        let isPage = Target(next).map { (try? Routes.all.match(.get, $0.path)) != nil } ?? false
        var response = Response.seeOther(isPage && next != "/" ? next : home(of: account))
        response.headers.append("Set-Cookie", cookie(credential.token.text, c).header)
        return response
    }

    private static func home(of account: AccountRecord) -> String {
        if account.roles.contains(.therapist) { return "/" }
        return account.roles.contains(.lead) ? "/questionnaires" : "/profile"
    }

    @Sendable static func destroy(_ c: Context<Anyone>) throws -> Reply {
        if let person = c.actor.signedIn {
            try c.write(.signedOut, about: person.account.id) { connection in
                try AccountStore.endCredential(person.credential.id, of: person.account.id, connection)
            }
        }
        var response = Response.seeOther("/login")
        response.headers.append("Set-Cookie", cookie("", c, seconds: 0).header)
        response.headers.append("Clear-Site-Data", "\"cache\", \"storage\"")
        return .response(response)
    }

    private static func cookie(_ value: String, _ c: Context<Anyone>, seconds: Int? = nil) -> SetCookie {
        let name = Identification(services: c.services).cookieName
        return SetCookie(name, value, isSecure: c.services.settings.isSecure, seconds: seconds)
    }
}
