import Delivery
import Identity
import Records
import Therapies
import Web
import Wire
import Wording

/// Making, changing and deleting own appointments, for page and call alike (IO-14).
package enum AppointmentActions {
    /// The limit of a therapy's coming appointments: enough for years, and still fits a page.
    private static let limit = 200

    /// An appointment after it was sent.
    package struct Kept: Sendable {
        package let record: AppointmentRecord
        package let isNew: Bool
    }

    /// Sending the same again changes nothing, whatever state it was based on.
    /// - Parameter noted: the practice's noted session that this one adopts.
    /// - Throws: `Problem`: deleted, of another therapy, too many, changed by another request meanwhile.
    package static func keep(
        _ draft: AppointmentDraft, _ id: ID<Appointment>, takingOver noted: ID<Session>? = nil,
        _ c: Context<PairedPatient>
    ) throws -> Kept {
        let account = c.proof.account
        let key = try account.key(c.keys)
        let before = try c.read { try AppointmentStore.find(id, of: account.id, $0) }
        if let before, try draft.says(theSameAs: before, key) { return Kept(record: before, isNew: false) }
        let isNew: Bool
        do {
            isNew = try write(draft, id, after: before, takingOver: noted, key, c)
        } catch let same as SaysTheSame {
            return Kept(record: same.record, isNew: false)
        }
        guard let record = try c.read({ try AppointmentStore.find(id, of: account.id, $0) }) else {
            throw Problem.notFound
        }
        return Kept(record: record, isNew: isNew)
    }

    /// - Returns: whether it is new.
    /// - Throws: `SaysTheSame` when it was stored by another request meanwhile; `Problem`.
    private static func write(
        _ draft: AppointmentDraft, _ id: ID<Appointment>, after before: AppointmentRecord?,
        takingOver noted: ID<Session>?, _ key: PersonKey, _ c: Context<PairedPatient>
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
            // Sent twice at once: the second changes nothing, whatever state it was based on.
            if let existing, try draft.says(theSameAs: existing, key) { throw SaysTheSame(record: existing) }
            // It belongs to a therapist who no longer treats this patient.
            if let existing, existing.therapyID != therapy {
                throw Problem.conflict(Message("appointments.other_therapy"))
            }
            try Conditional.requireRevision(request, current: existing?.revision)
            if let noted {
                let seen = try NotedSessionStore.shown(in: therapy, at: now, connection)
                guard seen.contains(where: { $0.id == noted && draft.isAtTime(of: $0) }) else {
                    throw Problem.conflict(Message("appointments.noted_changed"))
                }
            }
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

    /// Thrown out of a write that would change nothing, so that it gets no line in the audit log.
    private struct SaysTheSame: Error {
        let record: AppointmentRecord
    }

    /// Its values in the audit log: the times, not the words.
    private static func times(_ start: Instant?, _ end: Instant?) -> [String: String?] {
        ["starts_at": start?.text, "ends_at": end?.text]
    }

    /// Deleting twice is harmless. A past appointment leaves its session behind.
    /// - Throws: `Problem.notFound`, and `.preconditionFailed` for a change based on another state.
    package static func delete(_ id: ID<Appointment>, _ c: Context<PairedPatient>) throws {
        let account = c.proof.account
        guard let record = try c.read({ try AppointmentStore.find(id, of: account.id, $0) }) else {
            throw Problem.notFound
        }
        if record.deletedAt != nil { return }
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
    }
}
