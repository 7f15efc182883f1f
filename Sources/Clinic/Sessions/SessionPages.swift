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
        routes.page(.post, "/patients/:patient/sessions/new", .caseload, undo: .sessionEntry, create)
    }

    package struct New: Page {
        package static let template = "appointments/new-session"
        package static let section: NavigationItem? = .patients
        package let id: ID<Therapy>
        package let codename: String
        package let fields: [FieldView]
        /// Sessions of the day that are there already: the one that was held is opened, not entered once more.
        package let there: [There]
        package let errors: ErrorSummary?

        package struct There: Encodable, Sendable {
            package let path: String
            package let when: String
            package let state: String
        }

        package static let example = New(
            id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", codename: "C020480",
            fields: [
                FieldView(
                    name: "starts_at", label: "Beginn", type: "datetime-local", value: "2026-11-24T09:00")
            ], there: [There(path: "/patients", when: "Di 24.11. 09:00", state: "stattgefunden")],
            errors: nil)
    }

    @Sendable package static func new(_ c: Context<Caseload>) throws -> Reply {
        .page(try page(FormState(c.texts), on: c.dates.today, c))
    }

    @Sendable static func create(_ c: Context<Caseload>) throws -> Reply {
        let form = try c.form()
        do {
            let fields = InputReader(form: form)
            let series = SessionSeries.read(form: fields)
            let first = try SessionDraft.read(form: fields, zone: c.dates.zone, now: c.now)
            let day = LocalTime(first.startsAt, c.dates.zone).date
            if form["second"] != "true", try !there(on: day, c).isEmpty {
                let asked = FieldErrors("second", "sessions.there_already")
                return .page(try page(FormState(form, asked, c.texts), on: day, c), status: 422)
            }
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
            let filled = FormState(form, errors, c.texts)
            return .page(try page(filled, on: c.dates.today, c), status: 422)
        }
    }

    /// The patient's sessions with their numbers.
    package static func list(_ c: Context<Caseload>) throws -> SessionList {
        try c.read { try SessionStore.list(of: c.proof.patient, c.dates.zone, now: c.now, $0) }
    }

    /// Those of a day that took place, or will.
    private static func there(on day: LocalDate, _ c: Context<Caseload>) throws -> [New.There] {
        try list(c).all.filter { entry in
            !entry.isOff && LocalTime(entry.session.startsAt, c.dates.zone).date == day
        }.map { entry in
            New.There(
                path: "/patients/\(c.proof.patient.id)/sessions/\(entry.session.id)",
                when: c.dates.short(entry.session.startsAt),
                state: c.texts["sessions.state_\(entry.state.rawValue)"])
        }
    }

    /// The start is empty: sent as it opens the form enters nothing.
    private static func page(
        _ filled: FormState, on day: LocalDate, _ c: Context<Caseload>
    ) throws -> New {
        var fields = [
            filled.field("starts_at", label: "sessions.starts_at"),
            filled.field("ends_at", label: "sessions.ends_at"),
        ]
        fields[0].isRequired = true
        fields[1].hint = filled.texts["sessions.ends_hint"]
        for index in fields.indices {
            fields[index].type = "datetime-local"
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
        let there = try there(on: day, c)
        if filled.errors.list.contains(where: { $0.field == "second" }) {
            var second = filled.field("second", label: "sessions.second")
            second.isCheck = true
            fields.append(second)
        }
        return New(
            id: c.proof.patient.id, codename: c.proof.patient.codename, fields: fields,
            there: there, errors: filled.summary)
    }
}
