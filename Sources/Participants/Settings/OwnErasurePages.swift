import Accounts
import HTTP
import Identity
import Web
import Wording

/// Deleting the own account for good (IO-17), after a page that names what is lost, and the password again.
package enum OwnErasurePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, path, .patient, ask)
        routes.page(.post, path, .patient, erase)
        routes.page(.get, "/account-deleted", .anyone, farewell)
    }

    private static let path = "/my/settings/deletion"

    /// The page after the account was deleted.
    package struct Farewell: Page {
        package static let template = "my/farewell"
    }

    @Sendable static func ask(_ c: Context<Member>) throws -> Reply { .page(try page(FormState(c.texts), c)) }

    @Sendable static func erase(_ c: Context<Member>) throws -> Reply {
        let form = try c.form()
        do {
            try Password.confirm(form["password"] ?? "", of: c.proof.account, field: "password", c)
            try Erasure.erase(c)
            return try LoginPages.ownOut(to: "/account-deleted", c)
        } catch Problem.invalid(let errors) where !c.wantsNoPage {
            return .page(try page(FormState(form, errors, c.texts), c), status: 422)
        }
    }

    @Sendable static func farewell(_ c: Context<Anyone>) throws -> Reply { .page(Farewell()) }

    private static func page(_ filled: FormState, _ c: Context<Member>) throws -> OwnForm {
        let texts = filled.texts
        let isKept = try Erasure.leavesFile(c.proof.account.id, c)
        return OwnForm(
            title: texts["own_settings.delete_title"], lead: texts["own_settings.delete_lead"],
            points: (1...4).map { texts["own_settings.delete_point_\($0)"] }
                + [Erasure.aboutBackups(c.services.settings, texts)]
                + (isKept ? [texts["own_settings.delete_file"]] : []),
            parent: OwnSettingsPages.parent(texts), action: path,
            fields: [filled.field("password", .password, label: "own_settings.current_password")],
            submit: texts["own_settings.delete_submit"], isGrave: true, asks: true, errors: filled.summary)
    }
}
