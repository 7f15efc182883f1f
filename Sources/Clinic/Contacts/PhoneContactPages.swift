import HTTP
import Records
import Scheduling
import Therapies
import Web
import Wording

/// Entering that a patient was reached by phone, and the entries so far.
package enum PhoneContactPages {
    static func routes(_ routes: inout Routes) {
        let path = "/patients/:patient/phone-contacts"
        routes.page(.get, path, .caseloadReader, index)
        routes.page(.post, path, .caseload, create)
        routes.page(.post, path + "/:contact/removal", .caseload, undo: .phoneContact, destroy)
    }

    package struct Index: Page {
        package static let template = "contacts/index"
        package static let section: NavigationItem? = .patients
        package struct Row: Encodable, Sendable {
            package let when: String
            package let note: String?
            package let removal: String
        }
        package let id: ID<Therapy>
        package let codename: String
        package let fields: [FieldView]
        package let rows: [Row]
        /// Whether the reader may do more than read.
        let canAct: Bool
        package let errors: ErrorSummary?
    }

    @Sendable package static func index(_ c: Context<Caseload>) throws -> Reply {
        .page(try page(FormState(c.texts), c))
    }

    @Sendable static func create(_ c: Context<Caseload>) throws -> Reply {
        try c.submit(orShow: { try page($0, c) }) { fields in
            let draft = try PhoneContactDraft.read(fields, c.dates.zone, now: c.now)
            _ = try PhoneContactActions.make(draft, c)
            return .seeOther("\(c.proof.patient.path)/timeline", flash: Message("phone.noted"))
        }
    }

    @Sendable static func destroy(_ c: Context<Caseload>) throws -> Reply {
        try PhoneContactActions.remove(c)
        return .seeOther("\(c.proof.patient.path)/phone-contacts", flash: Message("phone.removed"))
    }

    private static func page(_ filled: FormState, _ c: Context<Caseload>) throws -> Index {
        let therapy = c.proof.patient
        let key = try therapy.key(c.keys)
        let isHidden = !therapy.mayNameTo(c.proof.therapist)
        let path = "\(therapy.path)/phone-contacts"
        let at = filled.moment(
            "at", label: "phone.at", first: c.now, c.dates,
            hint: Message("sessions.zone_hint", ["zone": c.dates.zone.identifier]), required: true)
        let note = filled.field("note", label: "phone.note", hint: "phone.note_hint")
        let rows = try c.read { try PhoneContactStore.all(in: therapy.id, $0) }.map { contact in
            Index.Row(
                when: "\(c.dates.longDay(contact.at)), \(c.dates.time(contact.at))",
                note: isHidden ? nil : try contact.note(key), removal: "\(path)/\(contact.id)/removal")
        }
        return Index(
            id: therapy.id, codename: therapy.codename, fields: [at, note], rows: rows,
            canAct: c.proof.standing.mayAct, errors: filled.summary)
    }
}
