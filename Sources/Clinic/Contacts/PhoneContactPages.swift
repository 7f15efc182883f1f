import HTTP
import Records
import Scheduling
import Therapies
import Web
import Wording

/// Entering that somebody was reached by phone, and what was entered.
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

        package static let example = Index(
            id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", codename: "C020480",
            fields: [
                FieldView(name: "at", label: "Wann", type: "datetime-local", value: "2026-11-20T09:00")
            ],
            rows: [
                Row(
                    when: "Freitag, 20. November 2026, 09:00", note: "Kommt am Dienstag wieder.",
                    removal: "/patients/7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11/phone-contacts")
            ], canAct: true, errors: nil)
    }

    @Sendable package static func index(_ c: Context<Caseload>) throws -> Reply {
        .page(try page(FormState(c.texts), c))
    }

    @Sendable static func create(_ c: Context<Caseload>) throws -> Reply {
        let form = try c.form()
        do {
            let draft = try PhoneContactDraft.read(InputReader(form: form), c.dates.zone, now: c.now)
            _ = try PhoneContactActions.make(draft, c)
            return .seeOther("/patients/\(c.proof.patient.id)/timeline", flash: Message("phone.noted"))
        } catch Problem.invalid(let errors) {
            return .page(try page(FormState(form, errors, c.texts), c), status: 422)
        }
    }

    @Sendable static func destroy(_ c: Context<Caseload>) throws -> Reply {
        try PhoneContactActions.remove(c)
        return .seeOther(
            "/patients/\(c.proof.patient.id)/phone-contacts", flash: Message("phone.removed"))
    }

    private static func page(_ filled: FormState, _ c: Context<Caseload>) throws -> Index {
        let therapy = c.proof.patient
        let key = try therapy.key(c.keys)
        let isHidden = !therapy.mayNameTo(c.proof.therapist)
        let path = "/patients/\(therapy.id)/phone-contacts"
        var at = filled.field("at", label: "phone.at", first: c.dates.machineTime(c.now))
        (at.type, at.isRequired) = ("datetime-local", true)
        at.hint = c.texts["sessions.zone_hint", ["zone": c.dates.zone.identifier]]
        var note = filled.field("note", label: "phone.note")
        note.hint = c.texts["phone.note_hint"]
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
