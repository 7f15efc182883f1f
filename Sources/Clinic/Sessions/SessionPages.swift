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
            let fields = InputReader(form: form)
            let series = SessionSeries.read(form: fields)
            let first = try SessionDraft.read(form: fields, zone: c.dates.zone, now: c.now)
            let pauses = try c.read {
                PauseSpans(try PauseStore.all(for: c.proof.patient, $0), c.dates.zone)
            }
            let (drafts, paused) = series.drafts(from: first, c.dates.zone, pauses: pauses)
            guard let last = drafts.last else { throw Problem.invalid("repeat_except", "sessions.none_left") }
            if last.startsAt > c.now.adding(days: 730) {
                throw Problem.invalid("repeat_count", "errors.session_far")
            }
            _ = try SessionActions.note(drafts, c)
            let noted = Message(
                paused > 0
                    ? "sessions.noted_paused" : drafts.count > 1 ? "sessions.noted_many" : "sessions.noted",
                ["n": String(drafts.count), "m": String(paused)])
            let base = "/patients/\(c.proof.patient.id)"
            return .seeOther(base + (drafts.count > 1 ? "/appointments" : "/timeline"), flash: noted)
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
        var weeks = filled.field("repeat_weeks", label: "sessions.repeat_weeks", first: "0")
        weeks.isSelect = true
        weeks.choices = (0...4).map { count in
            let label =
                switch count {
                case 0: filled.texts["sessions.repeat_never"]
                case 1: filled.texts["sessions.repeat_week"]
                default: filled.texts["sessions.repeat_every", ["n": String(count)]]
                }
            return .init(value: String(count), label: label, isChosen: weeks.value == String(count))
        }
        var count = filled.field("repeat_count", label: "sessions.repeat_count", first: "10")
        (count.type, count.inputMode) = ("number", "numeric")
        var except = filled.field("repeat_except", label: "sessions.repeat_except")
        (except.isArea, except.hint) = (true, filled.texts["sessions.repeat_except_hint"])
        fields += [weeks, count, except]
        fields[0].hint = filled.texts["sessions.zone_hint", ["zone": c.dates.zone.identifier]]
        return New(
            id: c.proof.patient.id, codename: c.proof.patient.codename, fields: fields,
            errors: filled.summary)
    }
}
