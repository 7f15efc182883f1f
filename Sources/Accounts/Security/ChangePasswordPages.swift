import HTTP
import Web
import Wording

/// Changing the password while signed in.
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
    }

    @Sendable static func edit(_ c: Context<Member>) throws -> Reply { .page(page(FormState(c.texts))) }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        try c.submit(orShow: page) { fields in
            try Password.change(fields, c)
            return .seeOther("/profile", flash: Message("password.changed"))
        }
    }

    private static func page(_ filled: FormState) -> Edit {
        let names = ["current_password", "password", "password_confirmation"]
        let fields = names.map { name in
            let kind: FieldKind = name == "current_password" ? .password : .newPassword
            return filled.field(name, kind, label: "password.\(name)")
        }
        return Edit(fields: fields, errors: filled.summary)
    }
}
