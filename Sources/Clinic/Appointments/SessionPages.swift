import HTTP
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Noting a session that the patient has no appointment for.
package enum SessionPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/sessions/new", .caseload, new)
        routes.page(.post, "/patients/:patient/sessions/new", .caseload, create)
    }

    package struct New: Page {
        package static let template = "appointments/new-session"
        package static let section: NavigationItem? = .patients
        package let id: ID<Therapy>
        package let codename: String
        package let fields: [FieldView]
        package let errors: ErrorSummary?

        package static let example = New(
            id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", codename: "C020480",
            fields: [
                FieldView(
                    name: "starts_at", label: "Beginn", type: "datetime-local", value: "2026-11-24T09:00")
            ], errors: nil)
    }

    @Sendable package static func new(_ c: Context<Caseload>) throws -> Reply {
        .page(page(FormState(c.texts), c))
    }

    @Sendable static func create(_ c: Context<Caseload>) throws -> Reply {
        let form = try c.form()
        do {
            let draft = try SessionDraft.read(form: InputReader(form: form), zone: c.dates.zone, now: c.now)
            _ = try SessionActions.note(draft, c)
            return .seeOther("/patients/\(c.proof.patient.id)/timeline", flash: Message("sessions.noted"))
        } catch Problem.invalid(let errors) {
            return .page(page(FormState(form, errors, c.texts), c), status: 422)
        }
    }

    /// The patient's sessions with their numbers.
    package static func list(_ c: Context<Caseload>) throws -> SessionList {
        try c.read { try SessionStore.list(of: c.proof.patient, c.dates.zone, now: c.now, $0) }
    }

    private static func page(_ filled: FormState, _ c: Context<Caseload>) -> New {
        let start = c.now.adding(seconds: -3600 - c.now.seconds % 3600)
        var fields = [
            filled.field("starts_at", label: "sessions.starts_at", first: c.dates.machineTime(start)),
            filled.field(
                "ends_at", label: "sessions.ends_at", first: c.dates.machineTime(start.adding(seconds: 3000))),
        ]
        for index in fields.indices {
            (fields[index].type, fields[index].isRequired) = ("datetime-local", true)
        }
        fields[0].hint = filled.texts["sessions.zone_hint", ["zone": c.dates.zone.identifier]]
        return New(
            id: c.proof.patient.id, codename: c.proof.patient.codename, fields: fields,
            errors: filled.summary)
    }
}
