import Database
import HTTP
import Records
import Therapies
import Web
import Wire
import Wording

/// The page about who else may open a file (PR-21).
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
            /// Where taking the way in back goes.
            let path: String
            let name: String
            let facts: String
        }
        let id: ID<Therapy>
        let codename: String
        let rows: [Row]
        let fields: [FieldView]
        /// Not when the therapy has ended.
        let isOpen: Bool
        package let errors: ErrorSummary?

        package static let example = Show(
            id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", codename: "C020480",
            rows: [
                Row(
                    path: "/patients/x/members/y/removal", name: "Mag. Ben Steiner",
                    facts: "Supervision, liest · seit 20.11.2026")
            ], fields: [FieldView(name: "email", label: "E-Mail-Adresse", type: "email")], isOpen: true,
            errors: nil)
    }

    @Sendable static func show(_ c: Context<Caseload>) throws -> Reply {
        .page(try page(FormState(c.texts), c))
    }

    @Sendable static func create(_ c: Context<Caseload>) throws -> Reply {
        let form = try c.form()
        do {
            _ = try MemberActions.add(InputReader(form: form), c)
            return .seeOther("/patients/\(c.proof.patient.id)/members", flash: Message("sharing.added"))
        } catch Problem.invalid(let errors) {
            return .page(try page(FormState(form, errors, c.texts), c), status: 422)
        }
    }

    @Sendable static func destroy(_ c: Context<Caseload>) throws -> Reply {
        try MemberActions.remove(try c.id("member"), c)
        return .seeOther("/patients/\(c.proof.patient.id)/members", flash: Message("sharing.removed"))
    }

    private static func role(_ role: MemberRecord.Role, _ texts: Texts) -> String {
        role == .therapist ? texts["sharing.role_therapist"] : texts["sharing.role_supervisor"]
    }

    private static func page(_ filled: FormState, _ c: Context<Caseload>) throws -> Show {
        let texts = c.texts
        let therapy = c.proof.patient
        var email = filled.field("email", label: "covers.colleague")
        (email.type, email.isRequired, email.hint) = ("email", true, texts["covers.colleague_hint"])
        var role = filled.field("role", label: "sharing.role", first: "therapist")
        role.isSelect = true
        role.choices = MemberRecord.Role.allCases.map {
            .init(value: $0.rawValue, label: self.role($0, texts), isChosen: role.value == $0.rawValue)
        }
        var shares = filled.field("shares_words", label: "sharing.shares_words")
        (shares.isCheck, shares.hint) = (true, texts["sharing.shares_words_hint"])
        let rows = try c.read { connection in
            try SharingStore.members(of: therapy.id, connection).map { member in
                let facts = [
                    self.role(member.role, texts),
                    member.sharesWords ? texts["sharing.with_words"] : nil,
                    texts["sharing.since", ["day": c.dates.day(member.addedAt)]],
                ]
                return Show.Row(
                    path: "/patients/\(therapy.id)/members/\(member.id)/removal",
                    name: try Colleagues.name(member.accountID, c, connection),
                    facts: facts.compactMap(\.self).joined(separator: " · "))
            }
        }
        return Show(
            id: therapy.id, codename: therapy.codename, rows: rows, fields: [email, role, shares],
            isOpen: therapy.endedAt == nil, errors: filled.summary)
    }
}
