import HTTP
import Identity
import Records
import Web
import Wording

/// Another address to sign in with, for staff (RP-215): in force once the link sent to it is confirmed.
package enum ChangeEmailPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, path, .staff, edit)
        routes.page(.post, path, .staff, update)
    }

    private static let path = "/profile/email"

    package struct Edit: Page {
        package static let template = "accounts/change-email"
        package static let section: NavigationItem? = .profile
        let lead: String
        /// Names the address that waits for its confirmation; nil without one.
        let waiting: String?
        let points: [String]
        package let fields: [FieldView]
        package let errors: ErrorSummary?
    }

    @Sendable static func edit(_ c: Context<Member>) throws -> Reply {
        .page(try page(FormState(c.texts), c))
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        try c.submit(orShow: { try page($0, c) }) { fields in
            do {
                try EmailChangeActions.ask(fields, c)
            } catch Problem.secondFactor(let message) {
                throw Problem.invalid(FieldErrors("totp", message))
            }
            return .seeOther(path, flash: Message("email_change.sent"))
        }
    }

    private static func page(_ filled: FormState, _ c: Context<Member>) throws -> Edit {
        let texts = filled.texts
        let account = try c.read { try c.ownAccount($0) }
        let waiting = try EmailChangeActions.waiting(c)
        var fields = [
            filled.field(
                "email", .address, label: "email_change.email", required: true, autocomplete: "email"),
            filled.field("password", .password, label: "own_settings.current_password"),
        ]
        if try SecondFactor.step(for: account, c.services) == .code {
            var code = filled.field(
                "totp", label: "factor.code_or_recovery", required: true, autocomplete: "one-time-code")
            code.value = ""
            fields.append(code)
        }
        return Edit(
            lead: texts["email_change.lead", ["email": try account.email(c.keys)]],
            waiting: waiting.map { texts["email_change.waiting", ["email": $0]] },
            points: ["1", "2", "3", "return"].map { texts["email_change.point_\($0)"] }, fields: fields,
            errors: filled.summary)
    }
}
