import Clinic
import HTTP
import Identity
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Making, changing and deleting an appointment of one's own, without any script.
package enum OwnAppointmentForms {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/my/appointments/new", .paired, new)
        routes.page(.post, "/my/appointments/new", .paired, create)
        routes.page(.get, "/my/appointments/:appointment", .paired, edit)
        routes.page(.post, "/my/appointments/:appointment", .paired, update)
        routes.page(.get, "/my/appointments/:appointment/removal", .paired, ask)
        routes.page(.post, "/my/appointments/:appointment/removal", .paired, remove)
    }

    package struct Edit: Page {
        package static let template = "my/appointment"
        package static let section: NavigationItem? = .dates
        /// Where it is sent.
        package let action: String
        /// The id that the browser keeps for a new one: sent twice it is made once.
        package let newID: String?
        package let revision: String?
        package let fields: [FieldView]
        /// Of one that is there: its file and the way to delete it.
        package let file: String?
        package let removal: String?
        let isStale: Bool
        package let errors: ErrorSummary?

        package static let example = Edit(
            action: "/my/appointments/7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a15", newID: nil, revision: "4711",
            fields: [
                FieldView(name: "title", label: "Titel", value: "Therapie", isRequired: true),
                FieldView(
                    name: "starts_at", label: "Beginn", type: "datetime-local", value: "2026-11-24T09:00"),
            ], file: "/my/appointments/x/appointment.ics", removal: "/my/appointments/x/removal",
            isStale: false, errors: nil)
    }

    package struct Removal: Page {
        package static let template = "my/appointment-removal"
        package static let section: NavigationItem? = .dates
        package let title: String
        package let day: String
        package let times: String
        package let path: String
        package let revision: String
        let isStale: Bool

        package static let example = Removal(
            title: "Therapie", day: "Dienstag, 24. November", times: "09:00 bis 09:50",
            path: "/my/appointments/7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a15", revision: "4711", isStale: false)
    }

    // MARK: Making one

    @Sendable static func new(_ c: Context<PairedPatient>) throws -> Reply {
        .page(blank(FormState(c.texts), c))
    }

    @Sendable static func create(_ c: Context<PairedPatient>) throws -> Reply {
        let form = try c.form()
        do {
            guard let id = ID<Appointment>(uuid: form["id"]) else { throw Problem.invalid("id", "errors.id") }
            _ = try AppointmentActions.keep(try draft(form, c), id, c)
            return .seeOther("/my/appointments", flash: Message("own_appointments.made"))
        } catch Problem.invalid(let errors) {
            return .page(blank(FormState(form, errors, c.texts), c), status: 422)
        } catch Problem.preconditionFailed {
            // Gone back in the browser after saving, and typed something else: now it is a change.
            let id = form["id"] ?? ""
            return try stale(form, try present(ID<Appointment>(id), c), c)
        }
    }

    private static func draft(_ form: Form, _ c: Context<PairedPatient>) throws -> AppointmentDraft {
        try AppointmentDraft.read(
            InputReader(form: form), in: Zone(c.proof.account.timezone), now: c.now)
    }

    static func blank(_ filled: FormState, _ c: Context<PairedPatient>) -> Edit {
        let dates = c.dates(in: Zone(c.proof.account.timezone))
        let start = dates.zone.instant(dates.today.adding(days: 1), hour: 9, minute: 0)
        let first = [
            "title": c.texts["own_appointments.first_title"], "starts_at": dates.machineTime(start),
            "ends_at": dates.machineTime(start.adding(seconds: 3000)),
        ]
        let fresh: ID<Appointment> = c.newID()
        return Edit(
            action: "/my/appointments/new", newID: filled.form["id"] ?? fresh.text, revision: nil,
            fields: fields(filled, first, dates), file: nil, removal: nil, isStale: false,
            errors: filled.summary)
    }

    // MARK: Changing one

    @Sendable static func edit(_ c: Context<PairedPatient>) throws -> Reply {
        .page(try page(OwnAppointmentPages.own(c), FormState(c.texts), c))
    }

    @Sendable static func update(_ c: Context<PairedPatient>) throws -> Reply {
        let record = try OwnAppointmentPages.own(c)
        let form = try c.form()
        do {
            _ = try AppointmentActions.keep(try draft(form, c), record.id, c)
            return .seeOther("/my/appointments", flash: Message("own_appointments.changed"))
        } catch Problem.invalid(let errors) {
            return .page(try page(record, FormState(form, errors, c.texts), c), status: 422)
        } catch Problem.preconditionFailed {
            return try stale(form, try present(record.id, c), c)
        }
    }

    /// Somebody has changed it elsewhere: what was typed, and beside it what stands now.
    private static func stale(
        _ form: Form, _ record: AppointmentRecord, _ c: Context<PairedPatient>
    ) throws -> Reply {
        let filled = FormState(form, FieldErrors(), c.texts, isStale: true)
        return .page(try page(record, filled, c), status: 412)
    }

    private static func present(
        _ id: ID<Appointment>, _ c: Context<PairedPatient>
    ) throws -> AppointmentRecord {
        let account = c.proof.account.id
        guard let record = try c.read({ try AppointmentStore.find(id, of: account, $0) }) else {
            throw Problem.notFound
        }
        if record.deletedAt != nil { throw Problem.gone(Message("appointments.deleted")) }
        return record
    }

    private static func page(
        _ record: AppointmentRecord, _ filled: FormState, _ c: Context<PairedPatient>
    ) throws -> Edit {
        let words = try record.wire(try c.proof.account.key(c.keys))
        let dates = c.dates(in: Zone(c.proof.account.timezone))
        let first = [
            "title": words.title, "starts_at": dates.machineTime(record.startsAt),
            "ends_at": dates.machineTime(record.endsAt), "comment": words.comment ?? "",
        ]
        let path = "/my/appointments/\(record.id)"
        return Edit(
            action: path, newID: nil, revision: filled.revision(record.revision),
            fields: fields(filled, first, dates), file: "\(path)/appointment.ics",
            removal: "\(path)/removal", isStale: filled.isStale, errors: filled.summary)
    }

    private static func fields(
        _ filled: FormState, _ first: [String: String], _ dates: DateFormat
    ) -> [FieldView] {
        let names = ["title", "starts_at", "ends_at", "comment"]
        var fields = names.map { name in
            filled.field(
                name, label: "own_appointments.\(name == "title" ? "title_field" : name)",
                first: first[name] ?? "")
        }
        for index in 0..<3 { fields[index].isRequired = true }
        for index in 1...2 { (fields[index].type, fields[index].step) = ("datetime-local", "300") }
        fields[1].hint = filled.texts["own_appointments.zone", ["zone": dates.zone.identifier]]
        fields[3].hint = filled.texts["own_appointments.comment_hint"]
        fields[3].isArea = true
        return fields
    }

    // MARK: Deleting one

    @Sendable static func ask(_ c: Context<PairedPatient>) throws -> Reply {
        .page(try removal(OwnAppointmentPages.own(c), isStale: false, c))
    }

    @Sendable static func remove(_ c: Context<PairedPatient>) throws -> Reply {
        do {
            try AppointmentActions.delete(try c.id("appointment"), c)
            return .seeOther("/my/appointments", flash: Message("own_appointments.removed"))
        } catch Problem.preconditionFailed {
            return .page(try removal(OwnAppointmentPages.own(c), isStale: true, c), status: 412)
        }
    }

    private static func removal(
        _ record: AppointmentRecord, isStale: Bool, _ c: Context<PairedPatient>
    ) throws -> Removal {
        let dates = c.dates(in: Zone(c.proof.account.timezone))
        return Removal(
            title: try record.wire(try c.proof.account.key(c.keys)).title,
            day: dates.longDay(record.startsAt),
            times: OwnAppointmentPages.times(record.startsAt, record.endsAt, dates, c.texts),
            path: "/my/appointments/\(record.id)", revision: String(record.revision), isStale: isStale)
    }
}
