import Database
import Records
import Wire

// Sessions noted by the therapist, at another time.
extension SessionStore {
    /// - Returns: whether there was such a session, still at its old time. Those of appointments are the patient's.
    package static func move(
        _ session: Session, to draft: SessionDraft, in therapy: ID<Therapy>, at now: Instant,
        _ connection: borrowing Connection
    ) throws -> Bool {
        try counting(in: therapy, at: now, connection) { connection in
            try connection.run(
                """
                UPDATE therapy_sessions SET starts_at = \(draft.startsAt), ends_at = \(draft.endsAt),
                    changed_at = \(now)
                WHERE id = \(session.id) AND therapy_id = \(therapy) AND appointment_id IS NULL
                AND starts_at = \(session.startsAt)
                """) > 0
        }
    }
}

extension AuditAction {
    package static let sessionMoved = AuditAction(name: "session.moved")
}
