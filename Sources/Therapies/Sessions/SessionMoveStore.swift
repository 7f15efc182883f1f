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

    /// Every coming one that a therapist has noted, record by record.
    package static func noted(
        after now: Instant, _ connection: borrowing Connection
    ) throws -> [(therapy: ID<Therapy>, session: Session)] {
        try connection.all(
            "SELECT * FROM therapy_sessions WHERE appointment_id IS NULL AND starts_at > \(now) ORDER BY therapy_id, starts_at, id"
        ) { row in (therapy: try row["therapy_id"], session: try Session(row: row)) }
    }

    /// The same session, at the moment that its local time has by newer zone data.
    package static func shift(
        _ id: ID<Session>, from start: Instant, until end: Instant, in therapy: ID<Therapy>, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        _ = try counting(in: therapy, at: now, connection) { connection in
            try connection.run(
                """
                UPDATE therapy_sessions SET starts_at = \(start), ends_at = \(end), changed_at = \(now)
                WHERE id = \(id)
                """)
        }
    }
}

extension AuditAction {
    package static let sessionMoved = AuditAction(name: "session.moved")
}
