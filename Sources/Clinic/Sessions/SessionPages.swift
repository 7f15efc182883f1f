import HTTP
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Noting a session without an appointment of the patient.
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
        /// Existing sessions of the day: a held one is opened instead of entering it again.
        package let there: [There]
        package let errors: ErrorSummary?

        package struct There: Encodable, Sendable {
            package let path: String
            package let when: String
            package let state: String
        }
    }

    @Sendable package static func new(_ c: Context<Caseload>) throws -> Reply {
        .page(try page(FormState(c.texts), on: c.dates.today, c))
    }

    @Sendable static func create(_ c: Context<Caseload>) throws -> Reply {
        try c.submit(orShow: { try page($0, on: c.dates.today, c) }) { fields in
            let series = SessionSeries.read(form: fields)
            let first = try SessionDraft.read(fields, zone: c.dates.zone, now: c.now)
            let day = LocalTime(first.startsAt, c.dates.zone).date
            if fields.form["second"] != "true", try !there(on: day, c).isEmpty {
                let asked = FieldErrors("second", "sessions.there_already")
                return .page(try page(FormState(fields.form, asked, c.texts), on: day, c), status: 422)
            }
            let pauses = try c.read {
                PauseSpans(try PauseStore.all(for: c.proof.patient, $0), c.dates.zone)
            }
            let (drafts, paused) = series.drafts(from: first, c.dates.zone, pauses: pauses)
            guard let last = drafts.last else { throw Problem.invalid("repeat_except", "sessions.none_left") }
            if last.startsAt > c.now.adding(days: 730) {
                throw Problem.invalid("repeat_count", "errors.session_far")
            }
            // Sessions that are noted meanwhile are shown in the week.
            let clashes = try c.read {
                try SessionClash.among(drafts, of: c.proof.patient.therapistID, at: c.now, $0)
            }
            _ = try SessionActions.note(drafts, c)
            let noted = Message(
                paused > 0
                    ? "sessions.noted_paused" : drafts.count > 1 ? "sessions.noted_many" : "sessions.noted",
                ["n": String(drafts.count), "m": String(paused)])
            let base = c.proof.patient.path
            return .seeOther(
                base + (drafts.count > 1 ? "/appointments" : "/timeline"),
                flash: SessionClash.told(noted, clashes, c))
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
                path: "\(c.proof.patient.path)/sessions/\(entry.session.id)",
                when: c.dates.short(entry.session.startsAt),
                state: c.texts["sessions.state_\(entry.state.rawValue)"])
        }
    }

    /// The start is empty, so that sending the untouched form enters nothing.
    private static func page(
        _ filled: FormState, on day: LocalDate, _ c: Context<Caseload>
    ) throws -> New {
        var fields = [
            filled.moment(
                "starts_at", label: "sessions.starts_at", c.dates,
                hint: Message("sessions.zone_hint", ["zone": c.dates.zone.identifier]), required: true),
            filled.moment("ends_at", label: "sessions.ends_at", c.dates, hint: "sessions.ends_hint"),
            filled.list(
                "repeat_weeks", label: "sessions.repeat_weeks", first: "0",
                (0...4).map { count in
                    let words: Message =
                        switch count {
                        case 0: "sessions.repeat_never"
                        case 1: "sessions.repeat_week"
                        default: Message("sessions.repeat_every", ["n": String(count)])
                        }
                    return (String(count), filled.texts[words])
                }),
            filled.field("repeat_count", .whole, label: "sessions.repeat_count", first: "10"),
            filled.field(
                "repeat_except", .area, label: "sessions.repeat_except", hint: "sessions.repeat_except_hint"),
        ]
        let there = try there(on: day, c)
        if filled.errors.list.contains(where: { $0.field == "second" }) {
            fields.append(filled.box("second", label: "sessions.second"))
        }
        return New(
            id: c.proof.patient.id, codename: c.proof.patient.codename, fields: fields,
            there: there, errors: filled.summary)
    }
}
