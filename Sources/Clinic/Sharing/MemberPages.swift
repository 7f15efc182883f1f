import Accounts
import Database
import HTTP
import Records
import Therapies
import Web
import Wording

/// The page about further access to a file (PR-21).
package enum MemberPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/members", .caseloadOwner, show)
        routes.page(.post, "/patients/:patient/members", .caseloadOwner, create)
        routes.page(.post, "/patients/:patient/members/:member/removal", .caseloadOwner, destroy)
    }

    package struct Show: Page {
        package static let template = "sharing/members"
        package static let section: NavigationItem? = .patients
        struct Row: Encodable, Sendable {
            /// The address for removing the access.
            let path: String
            let name: String
            let facts: String
        }
        let id: ID<Therapy>
        let codename: String
        let rows: [Row]
        let fields: [FieldView]
        /// False when the therapy has ended.
        let isOpen: Bool
        let standings: StandingsTable
        package let errors: ErrorSummary?
    }

    @Sendable static func show(_ c: Context<Caseload>) throws -> Reply {
        .page(try page(FormState(c.texts), c))
    }

    @Sendable static func create(_ c: Context<Caseload>) throws -> Reply {
        try c.submit(orShow: { try page($0, c) }) { fields in
            _ = try MemberActions.add(fields, c)
            return .seeOther("\(c.proof.patient.path)/members", flash: Message("sharing.added"))
        }
    }

    @Sendable static func destroy(_ c: Context<Caseload>) throws -> Reply {
        try MemberActions.remove(try c.id("member"), c)
        return .seeOther("\(c.proof.patient.path)/members", flash: Message("sharing.removed"))
    }

    private static func role(_ role: MemberRecord.Role, _ texts: Texts) -> String {
        role == .therapist ? texts["sharing.role_therapist"] : texts["sharing.role_supervisor"]
    }

    private static func page(_ filled: FormState, _ c: Context<Caseload>) throws -> Show {
        let texts = c.texts
        let therapy = c.proof.patient
        let email = try Colleagues.field("email", in: filled, but: therapy.therapistID, c)
        let role = filled.list(
            "role", label: "sharing.role", first: "therapist",
            MemberRecord.Role.allCases.map { ($0.rawValue, self.role($0, texts)) })
        let shares = filled.box(
            "shares_words", label: "sharing.shares_words", hint: "sharing.shares_words_hint")
        let rows = try c.read { connection in
            try SharingStore.members(of: therapy.id, connection).map { member in
                let facts = [
                    self.role(member.role, texts),
                    member.sharesWords ? texts["sharing.with_words"] : nil,
                    texts["sharing.since", ["day": c.dates.day(member.addedAt)]],
                ]
                return Show.Row(
                    path: "\(therapy.path)/members/\(member.id)/removal",
                    name: try TherapistStore.name(of: member.accountID, c.keys, connection),
                    facts: facts.compactMap(\.self).joined(separator: " · "))
            }
        }
        return Show(
            id: therapy.id, codename: therapy.codename, rows: rows, fields: [email, role, shares],
            isOpen: therapy.endedAt == nil, standings: StandingsTable(texts), errors: filled.summary)
    }
}
