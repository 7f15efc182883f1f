import Accounts
import HTTP
import Identity
import Web
import Wording

/// Another address to sign in with (PW-5, IO-2): in force once the link sent to it is confirmed.
package enum OwnEmailPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, path, .patient, edit)
        routes.page(.post, path, .patient, update)
    }

    private static let path = "/my/settings/email"

    @Sendable static func edit(_ c: Context<Member>) throws -> Reply {
        .page(try page(FormState(c.texts), c))
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        try c.submit(orShow: { try page($0, c) }) { fields in
            try EmailChangeActions.ask(fields, c)
            return .seeOther(path, flash: Message("email_change.sent"))
        }
    }

    private static func page(_ filled: FormState, _ c: Context<Member>) throws -> OwnForm {
        let texts = filled.texts
        let account = try c.read { try c.ownAccount($0) }
        let waiting = try EmailChangeActions.waiting(c)
        let email = filled.field(
            "email", .address, label: "email_change.email", required: true, autocomplete: "email")
        return OwnForm(
            title: texts["own_settings.to_email"],
            lead: texts["email_change.lead", ["email": try account.email(c.keys)]],
            note: waiting.map { texts["email_change.waiting", ["email": $0]] },
            points: (1...3).map { texts["email_change.point_\($0)"] },
            parent: OwnSettingsPages.parent(texts), action: path,
            fields: [email, filled.field("password", .password, label: "own_settings.current_password")],
            submit: texts["email_change.submit"], errors: filled.summary)
    }
}
