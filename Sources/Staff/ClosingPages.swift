import Foundation
import HTTP
import Identity
import Therapies
import Web
import Wording

/// Closing an account of staff: one step while nothing hangs on it, else a page of its own that offers to hand over what
/// would be left without a reader.
package enum ClosingPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/admin/accounts/:account/closure", .admin, show)
        routes.page(.post, "/admin/accounts/:account/closure", .admin, close)
    }

    package struct Show: Page {
        package static let template = "admin/closure"
        package static let section: NavigationItem? = .admin
        let name: String
        let path: String
        let lead: String
        let therapies: [Line]
        /// Nil when the account is closed already, or the reader's own.
        let confirmation: Confirmation?
        let errors: ErrorSummary?

        struct Line: Encodable, Sendable {
            let codename: String
            let state: String
        }
        struct Confirmation: Encodable, Sendable {
            let field: FieldView
        }
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        .page(try page(try StaffAPI.member(c), FormState(c.texts), c))
    }

    @Sendable static func close(_ c: Context<Member>) throws -> Reply {
        let member = try StaffAPI.member(c)
        let form = try c.form()
        let typed = form["confirmation"]?.trimmingCharacters(in: .whitespaces) ?? ""
        let isConfirmed = typed.lowercased() == (try member.account.email(c.keys)).lowercased()
        do {
            try StaffActions.apply(
                StaffActions.Change(isClosed: true, leavesTherapies: isConfirmed), to: member, c)
            return .seeOther("/admin/accounts", flash: Message("staff.closed"))
        } catch Problem.conflict(let message, let errors) where errors.list.first?.field == "confirmation" {
            let key = typed.isEmpty ? message : Message("staff.confirmation_wrong")
            let filled = FormState(form, FieldErrors("confirmation", key), c.texts)
            return .page(try page(member, filled, c), status: 422)
        } catch Problem.conflict(let message, _) {
            let filled = FormState(form, FieldErrors("confirmation", message), c.texts)
            return .page(try page(member, filled, c), status: 422)
        }
    }

    private static func page(_ member: StaffMember, _ filled: FormState, _ c: Context<Member>) throws -> Show
    {
        let account = member.account
        let texts = c.texts
        let therapies = try c.read { try HandOverStore.running(of: account.id, $0) }
        let email = try account.email(c.keys)
        let field = filled.field(
            "confirmation", label: "staff.confirmation",
            hint: Message("staff.confirmation_hint", ["email": email]), required: true, autocomplete: "off")
        let mayClose = member.state != .closed && account.id != c.proof.account.id
        let count = therapies.count
        let words =
            member.state == .closed
            ? texts.count("staff.left", count) : texts.count("staff.therapies", count)
        return Show(
            name: try account.name(c.keys) ?? email, path: "/admin/accounts/\(account.id)",
            lead: therapies.isEmpty ? texts["staff.no_therapies"] : words,
            therapies: therapies.map {
                Show.Line(
                    codename: $0.codename,
                    state: texts[$0.accountID == nil ? "staff.therapy_unpaired" : "staff.therapy_paired"])
            }, confirmation: mayClose ? Show.Confirmation(field: field) : nil, errors: filled.summary)
    }
}
