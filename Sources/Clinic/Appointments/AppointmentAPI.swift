import HTTP
import Identity
import Records
import Responses
import Therapies
import Web
import Wire
import Wording

/// The patient's own appointments; staff only read them (IO-14). Each is a session, and what is to be filled in before
/// a session follows.
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
            .get, "/patients/:patient/appointments", .caseload,
            .many("A patient's appointments, read-only", Appointment.self), index)
    }

    /// Appointments to come that one therapy may have: years of them, and no more than a page can hold.
    private static let limit = 200

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
        let account = c.proof.account
        let key = try account.key(c.keys)
        let draft = try AppointmentDraft.read(try c.body(), now: c.now)
        let before = try c.read { try AppointmentStore.find(id, of: account.id, $0) }
        if let before, try draft.says(theSameAs: before, key) { return try tagged(before, key, c) }
        let isNew: Bool
        do {
            isNew = try keep(draft, id, instead: before, key, c)
        } catch let same as SaysTheSame {
            return try tagged(same.record, key, c)
        }
        guard let record = try c.read({ try AppointmentStore.find(id, of: account.id, $0) }) else {
            throw Problem.notFound
        }
        return try tagged(record, key, c, status: isNew ? 201 : 200)
    }

    /// - Returns: whether it is new.
    /// - Throws: `SaysTheSame` when it was stored by another request meanwhile; `Problem`.
    private static func keep(
        _ draft: AppointmentDraft, _ id: ID<Appointment>, instead before: AppointmentRecord?,
        _ key: PersonKey,
        _ c: Context<PairedPatient>
    ) throws -> Bool {
        let account = c.proof.account
        let therapy = c.proof.therapy.id
        let session: ID<Session> = c.newID()
        let change = try c.change(
            of: try c.proof.therapy.key(c.keys), from: times(before?.startsAt, before?.endsAt),
            to: times(draft.startsAt, draft.endsAt))
        return try c.write(.appointmentKept, about: therapy, object: id, change: change) {
            [now = c.now, request = c.request, services = c.services] connection in
            let existing = try AppointmentStore.find(id, of: account.id, connection)
            if existing?.deletedAt != nil { throw Problem.gone(Message("appointments.deleted")) }
            // Sent twice at once: the second changes nothing, whatever it had seen.
            if let existing, try draft.says(theSameAs: existing, key) { throw SaysTheSame(record: existing) }
            // It belongs to a therapist who has nothing to do with this person any more.
            if let existing, existing.therapyID != therapy {
                throw Problem.conflict(Message("appointments.other_therapy"))
            }
            try Conditional.requireRevision(request, current: existing?.revision)
            let isNewAhead = draft.startsAt > now && existing.map { $0.startsAt <= now } ?? true
            if isNewAhead, try AppointmentStore.count(inTherapy: therapy, after: now, connection) >= limit {
                throw Problem.invalid("starts_at", "appointments.many", ["limit": String(limit)])
            }
            try AppointmentStore.save(draft, id, of: account.id, therapy: therapy, key, at: now, connection)
            try SessionStore.reconcile(
                appointment: id, from: draft.startsAt, until: draft.endsAt, newID: session, in: therapy,
                at: now,
                connection)
            try DeliveryPlanner.reconcile(therapy, services, now: now, connection)
            return existing == nil
        }
    }

    /// Thrown out of a write that would change nothing: then it is no sentence in the audit log either.
    private struct SaysTheSame: Error {
        let record: AppointmentRecord
    }

    private static func tagged(
        _ record: AppointmentRecord, _ key: PersonKey, _ c: Context<PairedPatient>, status: Int = 200
    ) throws -> Reply {
        Conditional.tagged(
            try .data(One(id: record.id, try record.wire(key)), status: status), revision: record.revision,
            c.language)
    }

    /// What the audit log keeps of it: the times, not the words.
    private static func times(_ start: Instant?, _ end: Instant?) -> [String: String?] {
        ["starts_at": start?.text, "ends_at": end?.text]
    }

    /// Deleting what is deleted is harmless. A past appointment leaves its session behind.
    @Sendable static func destroy(_ c: Context<PairedPatient>) throws -> Reply {
        let id: ID<Appointment> = try c.id("appointment")
        let account = c.proof.account
        guard let record = try c.read({ try AppointmentStore.find(id, of: account.id, $0) }) else {
            throw Problem.notFound
        }
        if record.deletedAt != nil { return .response(.noContent) }
        let change =
            try record.therapyID == c.proof.therapy.id
            ? c.change(of: c.proof.therapy.key(c.keys), from: times(record.startsAt, record.endsAt)) : nil
        try c.write(.appointmentDeleted, about: record.therapyID, object: id, change: change) {
            [now = c.now, services = c.services, request = c.request] connection in
            let present = try AppointmentStore.find(id, of: account.id, connection)
            if let present, present.deletedAt == nil {
                try Conditional.requireRevision(request, current: present.revision, isRequired: false)
            }
            try AppointmentStore.delete(id, of: account.id, at: now, connection)
            try SessionStore.forget(appointment: id, in: record.therapyID, at: now, connection)
            try DeliveryPlanner.reconcile(record.therapyID, services, now: now, connection)
        }
        return .response(.noContent)
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
