import HTTP
import Identity
import Records
import Studies
import Web
import Wire
import Wording

/// Handing the studies of one lead to another, so that no study is left without anybody who can lead it.
enum StudyHandOver {
    static func routes(_ routes: inout Routes) {
        let path = "/admin/accounts/:account/studies"
        routes.page(.get, path, .admin, show)
        routes.page(.post, path, .admin, hand)
        routes.call(
            .post, "/accounts/:account/studies/hand-over", .admin,
            .nothing("Hand the studies of a lead to another", takes: StudyLeadAttributes.sent), call)
    }

    struct Show: Page {
        static let template = "admin/studies"
        static let section: NavigationItem? = .admin
        let title: String
        let path: String
        let studies: [String]
        /// Nil where there is nobody who could take them.
        let lead: FieldView?
        let errors: ErrorSummary?
        static let example = Show(
            title: "Lena Moser", path: "/admin/accounts/x", studies: ["Alltag und Belastung"],
            lead: FieldView(name: "email", label: "Neue Studienleitung", isSelect: true), errors: nil)
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        .page(try page(try StaffAPI.member(c), FormState(c.texts), c))
    }

    @Sendable static func hand(_ c: Context<Member>) throws -> Reply {
        let member = try StaffAPI.member(c)
        let form = try c.form()
        do {
            try hand(member.account.id, InputReader(form: form), c)
            return .seeOther(
                "/admin/accounts/\(member.account.id)", flash: Message("staff.studies_handed_over"))
        } catch Problem.invalid(let errors) {
            return .page(try page(member, FormState(form, errors, c.texts), c), status: 422)
        }
    }

    @Sendable static func call(_ c: Context<Member>) throws -> Reply {
        try hand(try StaffAPI.member(c).account.id, try c.body(), c)
        return .response(.noContent)
    }

    /// - Throws: `Problem.invalid` for an address of nobody who can lead studies.
    private static func hand(_ lead: ID<Account>, _ fields: InputReader, _ c: Context<Member>) throws {
        let email = fields.email("email")
        try fields.finish()
        let found = try c.read { try AccountStore.find(lookup: c.keys.lookup(email: email ?? ""), $0) }
        guard let found, found.id != lead else { throw Problem.invalid("email", "studies.no_lead") }
        try c.write(.studiesHandedOver, about: lead, object: found.id) { connection in
            guard try StudyStore.mayLead(found.id, connection) else {
                throw Problem.invalid("email", "studies.no_lead")
            }
            try StudyStore.move(from: lead, to: found.id, connection)
        }
    }

    private static func page(_ member: StaffMember, _ filled: FormState, _ c: Context<Member>) throws -> Show
    {
        let id = member.account.id
        let (studies, others) = try c.read { connection in
            (
                try StudyStore.all(ofLead: id, connection),
                try StaffStore.all(connection).filter {
                    try $0.account.id != id && StudyStore.mayLead($0.account.id, connection)
                }
            )
        }
        var lead = filled.field("email", label: "staff.next_lead")
        lead.isSelect = true
        lead.choices = try others.map { other in
            let email = try other.account.email(c.keys)
            return .init(
                value: email, label: try other.account.name(c.keys) ?? email, isChosen: email == lead.value)
        }
        return Show(
            title: try member.account.name(c.keys) ?? "", path: "/admin/accounts/\(id)",
            studies: studies.map { $0.title.text(in: c.languages) ?? $0.name },
            lead: others.isEmpty || studies.isEmpty ? nil : lead, errors: filled.summary)
    }
}

extension AuditAction {
    static let studiesHandedOver = AuditAction(name: "staff.studies_handed_over")
}
