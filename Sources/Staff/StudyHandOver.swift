import HTTP
import Identity
import Records
import Studies
import Web
import Wire
import Wording

/// Handing the studies of one lead to another, so that no study is left without a lead.
package enum StudyHandOver {
    static func routes(_ routes: inout Routes) {
        let path = "/admin/accounts/:account/studies"
        routes.page(.get, path, .admin, show)
        routes.page(.post, path, .admin, hand)
        routes.call(
            .post, "/accounts/:account/studies/hand-over", .admin,
            .nothing(
                "Hand the studies of a lead to another",
                takes: Schema.object([Schema.property("email", .string)])), call)
    }

    package struct Show: Page {
        package static let template = "admin/studies"
        package static let section: NavigationItem? = .admin
        let title: String
        let path: String
        let studies: [String]
        /// Nil without another lead.
        let lead: FieldView?
        let errors: ErrorSummary?
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        .page(try page(try StaffAPI.member(c), FormState(c.texts), c))
    }

    @Sendable static func hand(_ c: Context<Member>) throws -> Reply {
        let member = try StaffAPI.member(c)
        return try c.submit(orShow: { try page(member, $0, c) }) { fields in
            try hand(member.account.id, fields, c)
            return .seeOther(
                "/admin/accounts/\(member.account.id)", flash: Message("staff.studies_handed_over"))
        }
    }

    @Sendable static func call(_ c: Context<Member>) throws -> Reply {
        try hand(try StaffAPI.member(c).account.id, try c.body(), c)
        return .response(.noContent)
    }

    /// - Throws: `Problem.invalid` for an address of no study lead.
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
        let lead = filled.list(
            "email", label: "staff.next_lead",
            try others.map { other in
                let email = try other.account.email(c.keys)
                return (email, try other.account.name(c.keys) ?? email)
            })
        return Show(
            title: try member.account.name(c.keys) ?? "", path: "/admin/accounts/\(id)",
            studies: studies.map { $0.title.text(in: c.languages) ?? $0.name },
            lead: others.isEmpty || studies.isEmpty ? nil : lead, errors: filled.summary)
    }
}

extension AuditAction {
    static let studiesHandedOver = AuditAction(name: "staff.studies_handed_over")
}
