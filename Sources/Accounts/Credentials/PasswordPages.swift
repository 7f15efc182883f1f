import HTTP
import Web
import Wording

/// Resetting a forgotten password in a browser. Opening the link changes nothing: mail scanners open links, too.
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
    }

    @Sendable static func forgot(_ c: Context<Anyone>) throws -> Reply {
        .page(asking(FormState(c.texts)))
    }

    @Sendable static func ask(_ c: Context<Anyone>) throws -> Reply {
        try c.submit(orShow: asking) { fields in
            let email = fields.email("email")
            try fields.finish()
            try Password.forgot(email ?? "", c)
            return .page(done("password.asked_title", "password.asked", c.texts))
        }
    }

    /// - Throws: `Problem.gone` for a used or expired link, before anything is typed in vain.
    @Sendable static func show(_ c: Context<Anyone>) throws -> Reply {
        let token = c.request.query["token"] ?? ""
        return .page(setting(token, try Password.invitation(token, c), FormState(c.texts)))
    }

    @Sendable static func reset(_ c: Context<Anyone>) throws -> Reply {
        try c.submit { filled in
            let token = filled.form["token"] ?? ""
            return setting(token, try Password.invitation(token, c), filled)
        } doing: { fields in
            try Password.reset(fields, c)
            return .page(done("password.done_title", "password.done", c.texts))
        }
    }

    private static func asking(_ filled: FormState) -> Form {
        let email = filled.field(
            "email", .address, label: "login.email", required: true, autocomplete: "username")
        return Form(
            title: filled.texts["password.forgot_title"], lead: filled.texts["password.forgot_lead"],
            action: "/password/forgot", token: nil, fields: [email],
            submit: filled.texts["password.forgot_submit"], isOpen: true, errors: filled.summary)
    }

    private static func setting(_ token: String, _ invitation: Invitation?, _ filled: FormState) -> Form {
        // Typed passwords are never drawn again.
        let fields = ["password", "password_confirmation"].map { name in
            filled.field(name, .newPassword, label: "password.\(name)")
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
