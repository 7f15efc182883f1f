import Database
import Delivery
import HTTP
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Moves a noted session to another time (PR-40), for page and call alike.
enum SessionMoving {
    /// Belongs inside a write.
    /// - Throws: `Problem.conflict` for the session of an appointment, `.invalid` for one marked as held or missed
    ///   that would not be over.
    static func move(
        _ session: Session, to draft: SessionDraft, in therapy: ID<Therapy>, _ services: Services,
        at now: Instant, _ connection: borrowing Connection
    ) throws {
        if session.appointmentID != nil { throw Problem.conflict(Message("sessions.appointment_stays")) }
        if [.held, .missed].contains(session.mark), draft.endsAt > now {
            throw Problem.invalid("starts_at", "errors.session_not_over")
        }
        guard try SessionStore.move(session, to: draft, in: therapy, at: now, connection) else {
            throw Problem.notFound
        }
        try DeliveryPlanner.reconcile(therapy, services, now: now, connection)
    }

    /// From a form that knows the time which the session had.
    /// - Throws: as above, and `Problem.conflict` when it was moved meanwhile.
    static func move(
        _ id: ID<Session>, from start: Instant, to draft: SessionDraft, _ c: Context<Caseload>
    ) throws {
        let therapy = c.proof.patient
        try c.write(
            .sessionMoved, about: therapy.id, object: id, change: try change(of: start, to: draft, c)
        ) { [now = c.now, services = c.services] connection in
            guard let session = try SessionStore.find(id, in: therapy.id, connection) else {
                throw Problem.notFound
            }
            // Sent twice, or moved there by a colleague: it is where it should be.
            if session.startsAt == draft.startsAt, session.endsAt == draft.endsAt { return }
            guard session.startsAt == start else {
                throw Problem.conflict(Message("sessions.moved_meanwhile"))
            }
            try move(session, to: draft, in: therapy.id, services, at: now, connection)
        }
    }

    static func change(
        of start: Instant?, to draft: SessionDraft, _ c: Context<Caseload>
    ) throws -> AuditChange? {
        try c.change(
            of: try c.proof.patient.key(c.keys), from: ["starts_at": start?.text],
            to: ["starts_at": draft.startsAt.text, "ends_at": draft.endsAt.text])
    }

    /// Whether a page offers it: noted by hand, and neither held nor missed.
    static func isMovable(_ entry: SessionList.Numbered, of therapy: Therapy) -> Bool {
        therapy.endedAt == nil && entry.session.appointmentID == nil && entry.state == .planned
    }
}
