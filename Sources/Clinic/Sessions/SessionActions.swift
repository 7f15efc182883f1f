import Database
import Delivery
import Records
import Therapies
import Web
import Wire
import Wording

/// The therapist's own record of sessions, for page and call alike.
enum SessionActions {
    /// Notes sessions that the patient has no appointments for: one, or a series.
    /// - Returns: the id of the first.
    static func note(_ drafts: [SessionDraft], _ c: Context<Caseload>) throws -> ID<Session> {
        let sessions = drafts.map { (id: c.newID() as ID<Session>, draft: $0) }
        guard let first = sessions.first else { throw Problem.invalid("repeat.except", "sessions.none_left") }
        let therapy = c.proof.patient.id
        c.making(first.id, at: "session")
        let change = try c.change(
            of: try c.proof.patient.key(c.keys),
            to: [
                "starts_at": first.draft.startsAt.text, "ends_at": first.draft.endsAt.text,
                "count": sessions.count > 1 ? String(sessions.count) : nil,
            ])
        try c.write(.sessionNoted, about: therapy, object: first.id, change: change) {
            [now = c.now, services = c.services] connection in
            for (id, draft) in sessions {
                try SessionStore.insert(
                    draft, id: id, therapy: therapy, mark: nil, series: sessions.count > 1 ? first.id : nil,
                    at: now, connection)
            }
            try DeliveryPlanner.reconcile(therapy, services, now: now, connection)
        }
        return first.id
    }

    /// - Throws: `Problem.notFound` for a session of another patient, `.invalid` for marking one as held before it is
    ///   over, or as planned when it is.
    static func mark(_ id: ID<Session>, as state: Session.State, _ c: Context<Caseload>) throws {
        let therapy = c.proof.patient.id
        try c.write(
            .sessionMarked, about: therapy, object: id, change: try change(to: state, of: id, c)
        ) { [now = c.now, services = c.services] connection in
            try set(state, of: id, in: therapy, services, at: now, connection)
        }
    }

    /// The change of a state for the audit log.
    /// - Throws: as `mark` does.
    static func change(to state: Session.State, of id: ID<Session>, _ c: Context<Caseload>) throws
        -> AuditChange?
    {
        let seen = try c.read { try session(id, for: state, in: c.proof.patient.id, at: c.now, $0) }
        return try c.change(
            of: try c.proof.patient.key(c.keys), from: ["state": seen.state(at: c.now).rawValue],
            to: ["state": state.rawValue])
    }

    /// Belongs inside a write: an appointment may have been moved meanwhile.
    static func set(
        _ state: Session.State, of id: ID<Session>, in therapy: ID<Therapy>, _ services: Services,
        at now: Instant, _ connection: borrowing Connection
    ) throws {
        let session = try session(id, for: state, in: therapy, at: now, connection)
        try SessionStore.mark(session.markedRecord, as: state, therapy: therapy, at: now, connection)
        try DeliveryPlanner.reconcile(therapy, services, now: now, connection)
    }

    /// The session, if this mark is allowed.
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
