import Database
import Records
import Wire

/// Every statement about what patients see of the sessions that were noted for them (FD-29): those to come that no
/// appointment of theirs overlaps. What overlaps is one session with it, and theirs.
package enum NotedSessionStore {
    /// The earliest first.
    package static func shown(
        in therapy: ID<Therapy>, at now: Instant, _ connection: borrowing Connection
    ) throws -> [Session] {
        try coming(in: therapy, at: now, connection).filter(\.isShown)
    }

    /// How many were noted before patients saw any, and wait for the therapist's word.
    package static func countUnshown(
        in therapy: ID<Therapy>, at now: Instant, _ connection: borrowing Connection
    ) throws -> Int {
        try coming(in: therapy, at: now, connection).count { !$0.isShown }
    }

    private static func coming(
        in therapy: ID<Therapy>, at now: Instant, _ connection: borrowing Connection
    ) throws -> [Session] {
        try SessionStore.coming(of: therapy, after: now, connection).filter {
            $0.appointmentID == nil && $0.isComing(at: now)
        }
    }

    /// The therapist's word for all of a therapy.
    package static func show(in therapy: ID<Therapy>, _ connection: borrowing Connection) throws {
        try connection.run(
            """
            UPDATE therapy_sessions SET is_shown = 1
            WHERE therapy_id = \(therapy) AND appointment_id IS NULL AND is_shown = 0
            """)
    }
}

extension AuditAction {
    package static let sessionsShown = AuditAction(name: "sessions.shown")
}
