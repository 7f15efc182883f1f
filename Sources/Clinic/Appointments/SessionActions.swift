import Database
import Records
import Responses
import Therapies
import Web
import Wire
import Wording

/// The therapist's own record of sessions, for the page and the call alike.
enum SessionActions {
    /// Notes a session that the patient has no appointment for.
    /// - Returns: its id.
    static func note(_ draft: SessionDraft, _ c: Context<Caseload>) throws -> ID<Session> {
        let id: ID<Session> = c.newID()
        let therapy = c.proof.patient.id
        let change = try c.change(
            of: try c.proof.patient.key(c.keys),
            to: ["starts_at": draft.startsAt.text, "ends_at": draft.endsAt.text])
        try c.write(.sessionNoted, about: therapy, object: id, change: change) {
            [now = c.now, services = c.services] connection in
            try SessionStore.insert(draft, id: id, therapy: therapy, mark: nil, at: now, connection)
            try DeliveryPlanner.reconcile(therapy, services, now: now, connection)
        }
        return id
    }

    /// - Throws: `Problem.notFound` for a session of somebody else, `.invalid` for one that is held before it is over, or
    ///   planned when it is.
    static func mark(_ id: ID<Session>, as state: Session.State, _ c: Context<Caseload>) throws {
        let therapy = c.proof.patient.id
        let seen = try c.read { try session(id, for: state, in: therapy, at: c.now, $0) }
        let change = try c.change(
            of: try c.proof.patient.key(c.keys), from: ["state": seen.state(at: c.now).rawValue],
            to: ["state": state.rawValue])
        try c.write(.sessionMarked, about: therapy, object: id, change: change) {
            [now = c.now, services = c.services] connection in
            // An appointment may have been moved meanwhile.
            let session = try session(id, for: state, in: therapy, at: now, connection)
            try SessionStore.mark(
                session.markedRecord, as: state, therapy: therapy, at: now, connection)
            try DeliveryPlanner.reconcile(therapy, services, now: now, connection)
        }
    }

    /// The session, if it may be marked so.
    private static func session(
        _ id: ID<Session>, for state: Session.State, in therapy: ID<Therapy>, at now: Instant,
        _ connection: borrowing Connection
    ) throws -> Session {
        guard let session = try SessionStore.find(id, in: therapy, connection) else { throw Problem.notFound }
        switch state {
        case .held where session.endsAt > now, .missed where session.startsAt > now:
            throw Problem.invalid("state", "errors.session_not_over")
        case .planned where session.endsAt <= now:
            throw Problem.invalid("state", "errors.session_over")
        default: return session
        }
    }
}
