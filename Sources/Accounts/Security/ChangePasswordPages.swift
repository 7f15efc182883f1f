import HTTP
import Web
import Wording

/// Another password for somebody who is signed in to the portal.
package enum ChangePasswordPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/profile/password", .staff, edit)
        routes.page(.post, "/profile/password", .staff, update)
    }

    package struct Edit: Page {
        package static let template = "accounts/change-password"
        package static let section: NavigationItem? = .profile
        package let fields: [FieldView]
        package let errors: ErrorSummary?

        package static let example = Edit(
            fields: [FieldView(name: "current_password", label: "Aktuelles Passwort", type: "password")],
            errors: nil)
    }

    @Sendable static func edit(_ c: Context<Member>) throws -> Reply { .page(page(FormState(c.texts))) }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let form = try c.form()
        do {
            try Password.change(InputReader(form: form), c)
            return .seeOther("/profile", flash: Message("password.changed"))
        } catch Problem.invalid(let errors) {
            return .page(page(FormState(form, errors, c.texts)), status: 422)
        }
    }

    private static func page(_ filled: FormState) -> Edit {
        let names = ["current_password", "password", "password_confirmation"]
        let fields = names.map { name in
            var view = filled.field(name, label: "password.\(name)")
            // What was typed as a password is never shown again.
            view.type = "password"
            view.value = ""
            view.isRequired = true
            view.autocomplete = name == "current_password" ? "current-password" : "new-password"
            return view
        }
        return Edit(fields: fields, errors: filled.summary)
    }
}
