import Database
import Records
import Wire

/// Every statement about the noted sessions that patients see (FD-29): coming ones that overlap none of the patient's
/// appointments. An overlapping one is the same session as the appointment.
package enum NotedSessionStore {
    /// The earliest first.
    package static func shown(
        in therapy: ID<Therapy>, at now: Instant, _ connection: borrowing Connection
    ) throws -> [Session] {
        try coming(in: therapy, at: now, connection).filter(\.isShown)
    }

    /// The number of sessions noted before patients could see any, which wait for the therapist's approval.
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

    /// Approves all of a therapy.
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
