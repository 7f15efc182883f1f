import HTTP
import Identity
import Records
import Therapies
import Web
import Wire
import Wording

/// The patient's own appointments, read by staff (IO-14). Each makes a session, with questionnaires before it.
enum AppointmentAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/my/appointments", .paired,
            .many("The own appointments", Appointment.self, query: ["from", "to"]),
            mine)
        routes.call(
            .get, "/my/appointments/:appointment", .paired, .one("An own appointment", Appointment.self), show
        )
        routes.call(
            .put, "/my/appointments/:appointment", .paired,
            .one(
                "Make an appointment, or change it, saying with If-Match which state was seen",
                Appointment.self,
                status: 201, takes: Appointment.sent
            ).matching, put)
        routes.call(
            .delete, "/my/appointments/:appointment", .paired, .nothing("Delete an appointment"), destroy)
        routes.call(
            .get, "/my/noted-sessions", .paired,
            .many(
                "Sessions to come that the practice has noted; taken over by making an appointment that overlaps",
                NotedSession.self), noted)
        routes.call(
            .get, "/patients/:patient/appointments", .caseloadReader,
            .many("A patient's appointments, read-only", Appointment.self), index)
    }

    // MARK: The patient

    @Sendable static func mine(_ c: Context<PairedPatient>) throws -> Reply {
        let paging = try Paging(c.request)
        let fields = InputReader(form: c.request.query)
        let from = fields.time("from")
        let to = fields.time("to")
        try fields.finish()
        let account = c.proof.account
        let all = try c.read { connection in
            try AppointmentStore.all(
                of: account.id, from: from ?? Instant(milliseconds: .min),
                until: to ?? Instant(milliseconds: .max),
                connection)
        }
        return try list(all, try account.key(c.keys), paging)
    }

    @Sendable static func show(_ c: Context<PairedPatient>) throws -> Reply {
        let id: ID<Appointment> = try c.id("appointment")
        let account = c.proof.account
        guard let record = try c.read({ try AppointmentStore.find(id, of: account.id, $0) }) else {
            throw Problem.notFound
        }
        if record.deletedAt != nil { throw Problem.gone(Message("appointments.deleted")) }
        return try tagged(record, try account.key(c.keys), c)
    }

    @Sendable static func put(_ c: Context<PairedPatient>) throws -> Reply {
        guard let id = ID<Appointment>(uuid: c.places["appointment"]) else {
            throw Problem.invalid("id", "errors.id")
        }
        let draft = try AppointmentDraft.read(try c.body(), now: c.now)
        let kept = try AppointmentActions.keep(draft, id, c)
        return try tagged(
            kept.record, try c.proof.account.key(c.keys), c, status: kept.isNew ? 201 : 200)
    }

    private static func tagged(
        _ record: AppointmentRecord, _ key: PersonKey, _ c: Context<PairedPatient>, status: Int = 200
    ) throws -> Reply {
        Conditional.tagged(
            try .data(One(id: record.id, try record.wire(key)), status: status), revision: record.revision,
            c.language)
    }

    /// Deleting twice is harmless. A past appointment leaves its session behind.
    @Sendable static func destroy(_ c: Context<PairedPatient>) throws -> Reply {
        try AppointmentActions.delete(try c.id("appointment"), c)
        return .response(.noContent)
    }

    /// Separate from the appointments, because phones write those back (FD-29).
    @Sendable static func noted(_ c: Context<PairedPatient>) throws -> Reply {
        let paging = try Paging(c.request)
        let therapy = c.proof.therapy.id
        let all = try c.read { try NotedSessionStore.shown(in: therapy, at: c.now, $0) }
        let (part, next) = paging.part(of: all) { Position($0.startsAt, $0.id) }
        let items = part.map {
            Item(id: $0.id, NotedSession(startsAt: $0.startsAt, endsAt: $0.endsAt))
        }
        return try .data(Many(items, total: all.count, next: next))
    }

    // MARK: Staff

    @Sendable static func index(_ c: Context<Caseload>) throws -> Reply {
        let paging = try Paging(c.request)
        let therapy = c.proof.patient
        let (all, account) = try c.read { connection in
            (
                try AppointmentStore.all(inTherapy: therapy.id, connection),
                try therapy.accountID.flatMap { try AccountStore.find($0, connection) }
            )
        }
        guard let account else { return try .data(Many<Appointment>([], total: 0, next: nil)) }
        return try list(all, try account.key(c.keys), paging)
    }

    private static func list(_ all: [AppointmentRecord], _ key: PersonKey, _ paging: Paging) throws -> Reply {
        let (part, next) = paging.part(of: all) { Position($0.startsAt, $0.id) }
        return try .data(
            Many(try part.map { Item(id: $0.id, try $0.wire(key)) }, total: all.count, next: next))
    }
}
