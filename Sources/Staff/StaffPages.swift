import Accounts
import Database
import HTTP
import Identity
import Web
import Wording

/// Accounts of staff in the portal, for administrators.
package enum StaffPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/admin/accounts", .admin, index)
        routes.page(.get, "/admin/accounts/new", .admin, new)
        routes.page(.post, "/admin/accounts/new", .admin, create)
        routes.page(.get, "/admin/accounts/:account", .admin, edit)
        routes.page(.post, "/admin/accounts/:account", .admin, update)
        routes.page(.post, "/admin/accounts/:account/invitation", .admin, inviteAgain)
        routes.page(.post, "/admin/accounts/:account/reopening", .admin, reopen)
        routes.page(.post, "/admin/accounts/:account/second-factor-removal", .admin, removeFactor)
    }

    package struct Index: Page {
        package static let template = "admin/accounts"
        package static let section: NavigationItem? = .admin
        let rows: [Row]

        struct Row: Encodable, Sendable {
            let path: String
            let name: String
            let email: String
            let roles: String
            let state: String
            let tone: String
            let factor: String
            let last: String
        }
    }

    struct Box: Encodable, Sendable {
        let value: String
        let label: String
        let isChosen: Bool
    }

    package struct Edit: Page {
        package static let template = "admin/account"
        package static let section: NavigationItem? = .admin
        let title: String
        let action: String
        let fields: [FieldView]
        let roles: [Box]
        let rolesError: String?
        /// The digest of the stored roles; nil where there are none yet.
        var shownRoles: String?
        /// The stored roles in words, where they were changed meanwhile.
        var storedRoles: String?
        let submit: String
        let errors: ErrorSummary?
        /// Nil for a new one.
        let standing: Standing?

        struct Standing: Encodable, Sendable {
            let path: String
            let email: String
            /// The error of an address that has no field any more.
            let emailError: String?
            let facts: String
            /// The therapies that would be, or are, left without a reader; nil without running ones.
            let therapies: String?
            /// Why the invitation did not arrive.
            let undelivered: String?
            let isInvited: Bool
            let isClosed: Bool
            let isLead: Bool
            let mayClose: Bool
            /// Required before a second factor is removed; nil without one.
            let password: FieldView?
        }
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let tones = [StaffMember.State.active: "good", .invited: "accent", .closed: "plain"]
        let rows = try c.read { try StaffStore.all($0) }.map { member in
            Index.Row(
                path: "/admin/accounts/\(member.account.id)", name: try member.account.name(c.keys) ?? "",
                email: try member.account.email(c.keys), roles: roles(member.account.roles, c.texts),
                state: c.texts[
                    member.isUnreached ? "staff.state_unreached" : "staff.state_\(member.state.rawValue)"],
                tone: member.isUnreached ? "danger" : tones[member.state] ?? "plain",
                factor: c.texts[member.hasSecondFactor ? "staff.factor_set" : "staff.factor_missing"],
                last: member.lastSignedInAt.map { c.dates.dayAndTime($0) } ?? c.texts["staff.never"])
        }
        return .page(Index(rows: rows))
    }

    private static func roles(_ roles: Set<Role>, _ texts: Texts) -> String {
        Role.allCases.filter(roles.contains).map { texts["profile.role_\($0.rawValue)"] }.joined(
            separator: ", ")
    }

    // MARK: New

    @Sendable static func new(_ c: Context<Member>) throws -> Reply {
        .page(invitation(FormState(c.texts), c))
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        try c.submit(orShow: { invitation($0, c) }) { fields in
            _ = try StaffActions.invite(
                try StaffDraft.read(fields, among: c.services.languages, roles: fields.form.all("roles")), c)
            return .seeOther("/admin/accounts", flash: Message("staff.invited"))
        }
    }

    private static func invitation(_ filled: FormState, _ c: Context<Member>) -> Edit {
        let name = filled.field("name", label: "profile.name", required: true)
        let email = filled.field("email", .email, label: "profile.email", required: true)
        let language = c.services.languageField(filled, label: "staff.language")
        filled.name("roles", filled.texts["profile.roles"])
        return Edit(
            title: filled.texts["staff.new"], action: "/admin/accounts/new",
            fields: [name, email, site(filled, ""), language],
            roles: boxes(Set(filled.form.all("roles")), filled.texts), rolesError: error("roles", filled),
            submit: filled.texts["staff.invite"], errors: filled.summary, standing: nil)
    }

    private static func site(_ filled: FormState, _ first: String) -> FieldView {
        filled.field("site", label: "staff.site", first: first, hint: "staff.site_hint")
    }

    private static func boxes(_ chosen: Set<String>, _ texts: Texts) -> [Box] {
        Role.allCases.map { role in
            Box(
                value: role.rawValue, label: texts["profile.role_\(role.rawValue)"],
                isChosen: chosen.contains(role.rawValue))
        }
    }

    private static func error(_ field: String, _ filled: FormState) -> String? {
        filled.errors.list.first { $0.field == field }.map { filled.texts[$0.message] }
    }

    // MARK: One

    @Sendable static func edit(_ c: Context<Member>) throws -> Reply {
        .page(try page(try StaffAPI.member(c), FormState(c.texts), c))
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let member = try StaffAPI.member(c)
        return try c.revise(orShow: { try page(member, $0, c) }) { fields in
            let name = fields.text("name", required: true, limit: 120)
            let roles = StaffRoles.read(fields.form.all("roles"), fields)
            var change = StaffActions.Change(name: name, roles: roles)
            // Sent while the invitation is open.
            if fields.has("email") { change.email = fields.email("email") }
            if fields.has("site") { change.site = .some(fields.text("site", limit: StaffDraft.longestSite)) }
            try fields.finish()
            do {
                try StaffActions.apply(change, to: member, c)
            } catch Problem.conflict(let message, let errors) {
                throw Problem.invalid(errors.isEmpty ? FieldErrors("roles", message) : errors)
            }
            // A former administrator is not shown an administrators' page.
            let isOut = member.account.id == c.proof.account.id && roles?.contains(.admin) == false
            return .seeOther(isOut ? "/profile" : "/admin/accounts", flash: Message("profile.saved"))
        }
    }

    private static func page(_ member: StaffMember, _ filled: FormState, _ c: Context<Member>) throws -> Edit
    {
        let account = member.account
        let texts = c.texts
        let name = filled.field(
            "name", label: "profile.name", first: try account.name(c.keys) ?? "", required: true)
        let roles = filled.group(
            "roles", label: texts["profile.roles"], first: account.roles.map(\.rawValue))
        let storedRoles = roles.stored.map { stored in
            Role.allCases.filter { stored.contains($0.rawValue) }.map {
                texts["profile.role_\($0.rawValue)"]
            }
        }
        let facts = [
            texts["staff.state_\(member.state.rawValue)"],
            texts["factor.own_title"] + ": "
                + texts[member.hasSecondFactor ? "staff.factor_set" : "staff.factor_missing"],
            texts["staff.since", ["day": c.dates.day(member.createdAt)]],
        ]
        let running = member.runningTherapies
        return Edit(
            title: name.value, action: "/admin/accounts/\(account.id)",
            fields: [name] + (try address(of: member, filled, c)) + [site(filled, member.site ?? "")],
            roles: boxes(roles.ticked, texts), rolesError: error("roles", filled), shownRoles: roles.shown,
            storedRoles: storedRoles.map { $0.isEmpty ? texts["forms.empty"] : $0.joined(separator: ", ") },
            submit: texts["profile.submit"], errors: filled.summary,
            standing: Edit.Standing(
                path: "/admin/accounts/\(account.id)", email: try account.email(c.keys),
                emailError: member.state == .invited ? nil : error("email", filled),
                facts: facts.joined(separator: " · "),
                therapies: running == 0
                    ? nil
                    : member.state == .closed
                        ? texts.count("staff.left", running) : texts.count("staff.therapies", running),
                undelivered: member.isUnreached
                    ? texts["staff.undelivered", ["reason": member.undelivered ?? ""]] : nil,
                isInvited: member.state == .invited, isClosed: member.state == .closed,
                isLead: account.roles.contains(.lead),
                mayClose: member.state != .closed && account.id != c.proof.account.id,
                password: member.hasSecondFactor ? ownPassword(filled) : nil))
    }

    /// Can be mended while the invitation is open.
    private static func address(
        of member: StaffMember, _ filled: FormState, _ c: Context<Member>
    ) throws -> [FieldView] {
        guard member.state == .invited else {
            filled.name("email", filled.texts["profile.email"], at: "address")
            return []
        }
        return [
            filled.field(
                "email", .email, label: "profile.email", first: try member.account.email(c.keys),
                hint: "staff.email_hint", required: true)
        ]
    }

    private static func ownPassword(_ filled: FormState) -> FieldView {
        filled.field("password", .password, label: "staff.own_password")
    }

    /// With the administrator's own password: an unlocked screen must not give access to another account.
    @Sendable static func removeFactor(_ c: Context<Member>) throws -> Reply {
        let member = try StaffAPI.member(c)
        // What was typed into the other form of the page was not sent.
        return try c.submit(orShow: { try page(member, FormState(Form(), $0.errors, c.texts), c) }) {
            fields in
            let password = fields.form["password"] ?? ""
            try Password.confirm(password, of: c.proof.account, field: "password", c)
            try FactorRemoval.remove(of: member.account, c)
            return .seeOther("/admin/accounts", flash: Message("staff.factor_removed"))
        }
    }
}
