import Appointments
import HTTP
import Identity
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Making, changing and deleting an own appointment, without any script.
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
        /// The form's action.
        package let action: String
        /// The id that the form has for a new one, so that sending it twice makes one.
        package let newID: String?
        package let revision: String?
        package let fields: [FieldView]
        /// For an existing one: its file and the way to delete it.
        package let file: String?
        package let removal: String?
        let isStale: Bool
        package let errors: ErrorSummary?
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
    }

    // MARK: Making one

    @Sendable static func new(_ c: Context<PairedPatient>) throws -> Reply {
        .page(blank(FormState(c.texts), c))
    }

    @Sendable static func create(_ c: Context<PairedPatient>) throws -> Reply {
        // Gone back in the browser after saving, and typed something else: now it is a change.
        let change = { (filled: FormState) in
            try page(try present(ID<Appointment>(filled.form["id"] ?? ""), c), filled, c)
        }
        return try c.submit(orShow: { blank($0, c) }, stale: change) { fields in
            let form = fields.form
            guard let id = ID<Appointment>(uuid: form["id"]) else { throw Problem.invalid("id", "errors.id") }
            _ = try AppointmentActions.keep(try draft(form, c), id, c)
            return .seeOther("/my/appointments", flash: Message("own_appointments.made"))
        }
    }

    private static func draft(_ form: Form, _ c: Context<PairedPatient>) throws -> AppointmentDraft {
        try AppointmentDraft.read(
            InputReader(form: form), in: Zone(c.proof.account.timezone), now: c.now)
    }

    static func blank(_ filled: FormState, _ c: Context<PairedPatient>) -> Edit {
        let dates = c.dates(in: Zone(c.proof.account.timezone))
        let start = dates.zone.instant(dates.today.adding(days: 1), hour: 9, minute: 0)
        let first = Appointment(
            title: c.texts["own_appointments.first_title"], startsAt: start,
            endsAt: start.adding(seconds: 3000), comment: nil)
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
        return try c.submit(
            orShow: { try page(record, $0, c) }, stale: { try page(try present(record.id, c), $0, c) }
        ) { fields in
            _ = try AppointmentActions.keep(try draft(fields.form, c), record.id, c)
            return .seeOther("/my/appointments", flash: Message("own_appointments.changed"))
        }
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
        let path = "/my/appointments/\(record.id)"
        return Edit(
            action: path, newID: nil, revision: filled.revision(record.revision),
            fields: fields(filled, words, dates), file: "\(path)/appointment.ics",
            removal: "\(path)/removal", isStale: filled.isStale, errors: filled.summary)
    }

    private static func fields(
        _ filled: FormState, _ first: Appointment, _ dates: DateFormat
    ) -> [FieldView] {
        let title = filled.field(
            "title", label: "own_appointments.title_field", first: first.title, required: true)
        let moment = { (name: String, at: Instant, hint: Message?) in
            var view = filled.moment(
                name, label: "own_appointments.\(name)", first: at, dates, hint: hint, required: true)
            view.step = "300"
            return view
        }
        let zone = Message("own_appointments.zone", ["zone": dates.zone.identifier])
        return [
            title, moment("starts_at", first.startsAt, zone), moment("ends_at", first.endsAt, nil),
            filled.field(
                "comment", .area, label: "own_appointments.comment", first: first.comment ?? "",
                hint: "own_appointments.comment_hint"),
        ]
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
