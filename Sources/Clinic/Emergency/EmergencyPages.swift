import Database
import HTTP
import Identity
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// The emergency contact in the portal: the therapist's form, and its opening by a colleague who stands in (PR-29).
package enum EmergencyPages {
    static func routes(_ routes: inout Routes) {
        let path = "/patients/:patient/emergency-contact"
        routes.page(.get, path, .caseloadOwner, edit)
        routes.page(.post, path, .caseloadOwner, update)
        routes.page(.post, path + "/removal", .caseloadOwner, destroy)
        routes.page(.get, path + "/opening", .caseloadStandIn, opening)
        routes.page(.post, path + "/opening", .caseloadStandIn, open)
        routes.page(.post, path + "/openings/:opening/read", .caseloadOwner, read)
    }

    package struct Edit: Page {
        package static let template = "emergency/edit"
        package static let section: NavigationItem? = .patients
        let id: ID<Therapy>
        let codename: String
        let fields: [FieldView]
        let isThere: Bool
        let openings: [String]
        let errors: ErrorSummary?
    }

    package struct Opening: Page {
        package static let template = "emergency/opening"
        package static let section: NavigationItem? = .patients
        let id: ID<Therapy>
        let codename: String
        /// Nil before a reason was given, and ten minutes after.
        let contact: Contact?
        let isThere: Bool
        let opening: String
        let field: FieldView
        let errors: ErrorSummary?

        struct Contact: Encodable, Sendable {
            let name: String
            let relation: String?
            let phone: String
            let link: String
            let knows: String
            let until: String
        }

        static let example = Opening(
            id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", codename: "C020480",
            contact: Contact(
                name: "Maria Tal", relation: "–", phone: "+43 1 234 56 78", link: "tel:+4312345678",
                knows: "–",
                until: "–"),
            isThere: true, opening: "/", field: FieldView(name: "words", label: "–"), errors: nil)
    }

    @Sendable static func edit(_ c: Context<Caseload>) throws -> Reply {
        .page(try page(FormState(c.texts), c))
    }

    @Sendable static func update(_ c: Context<Caseload>) throws -> Reply {
        try c.revise(orShow: { try page($0, c) }) { fields in
            try EmergencyActions.save(try EmergencyActions.read(fields), c)
            return .seeOther(path(c), flash: Message("emergency.saved"))
        }
    }

    @Sendable static func destroy(_ c: Context<Caseload>) throws -> Reply {
        try EmergencyActions.remove(c)
        return .seeOther(path(c), flash: Message("emergency.removed"))
    }

    @Sendable static func opening(_ c: Context<Caseload>) throws -> Reply {
        .page(try opening(FormState(c.texts), c))
    }

    @Sendable static func open(_ c: Context<Caseload>) throws -> Reply {
        try c.submit(orShow: { try opening($0, c) }) { fields in
            _ = try EmergencyActions.open(try EmergencyActions.Asked.read(fields), c)
            return .seeOther(path(c) + "/opening")
        }
    }

    /// From Today back to Today.
    @Sendable static func read(_ c: Context<Caseload>) throws -> Reply {
        try EmergencyActions.markRead(c)
        return .seeOther("/", flash: Message("emergency.noted"))
    }

    private static func path(_ c: Context<Caseload>) -> String {
        "\(c.proof.patient.path)/emergency-contact"
    }

    private static func page(_ filled: FormState, _ c: Context<Caseload>) throws -> Edit {
        let therapy = c.proof.patient
        let contact = try EmergencyActions.find(c)
        let name = filled.field(
            "name", label: "emergency.name", first: contact?.name ?? "", required: true, autocomplete: "off")
        let relation = filled.field(
            "relation", label: "emergency.relation", first: contact?.relation ?? "",
            hint: "emergency.relation_hint", autocomplete: "off")
        let phone = filled.field(
            "phone", .phone, label: "emergency.phone", first: contact?.phone ?? "", required: true,
            autocomplete: "off")
        let knows = filled.box("knows", label: "emergency.knows", isOn: contact?.knows ?? false)
        let openings = try c.read { connection in
            try EmergencyContactStore.openings(in: therapy.id, connection).map {
                try EmergencyFormatter.line($0, of: therapy, c, connection)
            }
        }
        return Edit(
            id: therapy.id, codename: therapy.codename, fields: [name, relation, phone, knows],
            isThere: contact != nil, openings: openings, errors: filled.summary)
    }

    private static func opening(_ filled: FormState, _ c: Context<Caseload>) throws -> Opening {
        let therapy = c.proof.patient
        let contact = try EmergencyActions.find(c)
        let recent = try EmergencyActions.recent(c)
        let shown = recent.flatMap { recent in
            contact.map { contact in
                Opening.Contact(
                    name: contact.name, relation: contact.relation, phone: contact.phone,
                    link: TelephoneLink.path(contact.phone),
                    knows: c.texts[contact.knows ? "emergency.knows_yes" : "emergency.knows_no"],
                    until: c.texts[
                        "emergency.shown",
                        ["at": c.dates.time(recent.openedAt.adding(seconds: EmergencyOpening.seconds))]])
            }
        }
        let field = filled.field("words", .area, label: "emergency.words", hint: "emergency.words_hint")
        return Opening(
            id: therapy.id, codename: therapy.codename, contact: shown, isThere: contact != nil,
            opening: path(c) + "/opening", field: field, errors: filled.summary)
    }
}

/// Openings in words.
enum EmergencyFormatter {
    static func line<P>(
        _ opening: EmergencyOpening, of therapy: Therapy, _ c: Context<P>, _ connection: borrowing Connection
    ) throws -> String {
        let reason = c.texts["emergency.reason_\(opening.reason.rawValue)"]
        let words = try opening.words(try therapy.key(c.keys))
        return c.texts[
            "emergency.opened_line",
            [
                "who": try AccountStore.find(opening.accountID, connection)?.name(c.keys) ?? "–",
                "when": c.dates.dayAndTime(opening.openedAt),
                "reason": [reason, words].compactMap(\.self).joined(separator: ", "),
            ]]
    }
}
