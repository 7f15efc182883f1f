import HTTP
import Web
import Wording

/// The way back to a forgotten password, in a browser. Opening the link changes nothing: mail scanners open links too.
package enum PasswordPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/password/forgot", .anyone, forgot)
        routes.page(.post, "/password/forgot", .anyone, ask)
        routes.page(.get, "/password/reset", .anyone, show)
        routes.page(.post, "/password/reset", .anyone, reset)
    }

    package struct Form: Page {
        package static let template = "accounts/password"
        package let title: String
        package let lead: String
        package let action: String
        /// Nil where there is no link to pass on.
        package let token: String?
        /// Empty once it is done.
        package let fields: [FieldView]
        package let submit: String
        package let isOpen: Bool
        package let errors: ErrorSummary?

        package static let example = Form(
            title: "Passwort vergessen", lead: "Wir schicken einen Link.", action: "/password/forgot",
            token: nil,
            fields: [FieldView(name: "email", label: "E-Mail", type: "email")], submit: "Link schicken",
            isOpen: true, errors: nil)
    }

    @Sendable static func forgot(_ c: Context<Anyone>) throws -> Reply {
        .page(asking(FormState(c.texts)))
    }

    @Sendable static func ask(_ c: Context<Anyone>) throws -> Reply {
        let form = try c.form()
        do {
            let fields = InputReader(form: form)
            let email = fields.email("email")
            try fields.finish()
            try Password.forgot(email ?? "", c)
            return .page(done("password.asked_title", "password.asked", c.texts))
        } catch Problem.invalid(let errors) {
            return .page(asking(FormState(form, errors, c.texts)), status: 422)
        }
    }

    /// - Throws: `Problem.gone` for a dead link, before anything is typed for nothing.
    @Sendable static func show(_ c: Context<Anyone>) throws -> Reply {
        let token = c.request.query["token"] ?? ""
        return .page(setting(token, try Password.invitation(token, c), FormState(c.texts)))
    }

    @Sendable static func reset(_ c: Context<Anyone>) throws -> Reply {
        let form = try c.form()
        do {
            try Password.reset(InputReader(form: form), c)
            return .page(done("password.done_title", "password.done", c.texts))
        } catch Problem.invalid(let errors) {
            let token = form["token"] ?? ""
            let invitation = try Password.invitation(token, c)
            return .page(setting(token, invitation, FormState(form, errors, c.texts)), status: 422)
        }
    }

    private static func asking(_ filled: FormState) -> Form {
        var email = filled.field("email", label: "login.email")
        email.inputMode = "email"
        email.isRequired = true
        email.autocomplete = "username"
        return Form(
            title: filled.texts["password.forgot_title"], lead: filled.texts["password.forgot_lead"],
            action: "/password/forgot", token: nil, fields: [email],
            submit: filled.texts["password.forgot_submit"], isOpen: true, errors: filled.summary)
    }

    private static func setting(_ token: String, _ invitation: Invitation?, _ filled: FormState) -> Form {
        // What was typed as a password is never shown again.
        let fields = ["password", "password_confirmation"].map { name in
            var view = filled.field(name, label: "password.\(name)")
            view.type = "password"
            view.value = ""
            view.isRequired = true
            view.autocomplete = "new-password"
            return view
        }
        let texts = filled.texts
        return Form(
            title: texts[invitation == nil ? "password.reset_title" : "password.first_title"],
            lead: invitation.map { "\($0.sentence(texts)) \(texts["password.first_lead"])" }
                ?? texts["password.reset_lead"],
            action: "/password/reset", token: token, fields: fields,
            submit: texts["password.reset_submit"], isOpen: true, errors: filled.summary)
    }

    private static func done(_ title: String, _ lead: String, _ texts: Texts) -> Form {
        Form(
            title: texts[title], lead: texts[lead], action: "/login", token: nil, fields: [], submit: "",
            isOpen: false, errors: nil)
    }
}
