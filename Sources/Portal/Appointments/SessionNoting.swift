import HTTP
import Wire

/// The therapist's own record of sessions, for the page and the call alike.
enum SessionNoting {
    /// Notes a session that the patient has no appointment for.
    /// - Returns: its id.
    static func note(_ draft: SessionDraft, _ c: Context<Caseload>) throws -> String {
        let (id, therapy) = (c.newID(), c.proof.patient.id)
        let change = try c.change(
            of: try c.proof.patient.key(c.keys),
            to: ["starts_at": draft.startsAt.text, "ends_at": draft.endsAt.text])
        try c.write(.sessionNoted, about: therapy, object: id, change: change) {
            [now = c.now, services = c.services] connection in
            try SessionStore.insert(draft, id: id, therapy: therapy, mark: nil, at: now, connection)
            try Following.follow(therapy, services, now: now, connection)
        }
        return id
    }

    /// - Throws: `Problem.notFound` for a session of somebody else, `.invalid` for one that is held before it is over.
    static func mark(_ id: String, as state: Session.State, _ c: Context<Caseload>) throws {
        let therapy = c.proof.patient.id
        let sessions = try c.read { try SessionStore.all(of: therapy, $0) }
        guard let session = sessions.first(where: { $0.id == id }) else { throw Problem.notFound }
        let isTooEarly =
            state == .held ? session.endsAt > c.now : state == .missed && session.startsAt > c.now
        if isTooEarly {
            throw Problem.invalid("state", "errors.session_not_over")
        }
        let change = try c.change(
            of: try c.proof.patient.key(c.keys), from: ["state": session.state(at: c.now).rawValue],
            to: ["state": state.rawValue])
        try c.write(.sessionMarked, about: therapy, object: id, change: change) {
            [now = c.now, services = c.services] connection in
            try SessionStore.mark(id, as: state, therapy: therapy, at: now, connection)
            try Following.follow(therapy, services, now: now, connection)
        }
    }
}
