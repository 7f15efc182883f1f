import Database
import Records
import Therapies
import Wire

/// Every statement about what is open at the end of a therapy.
enum EndingStore {
    /// What would be withdrawn: unanswered assignments that are not over, unopened interventions, coming sessions.
    struct Open: Sendable {
        let assignments: [ID<Assignment>]
        let interventions: [ID<Intervention>]
        let sessions: [ID<Session>]
    }

    static func open(in therapy: ID<Therapy>, at now: Instant, _ connection: borrowing Connection) throws
        -> Open
    {
        let assignments: [ID<Assignment>] = try connection.all(
            """
            SELECT id FROM assignments WHERE therapy_id = \(therapy) AND withdrawn_at IS NULL
            AND due_at > \(now) AND NOT EXISTS (SELECT 1 FROM contributions WHERE assignment_id = assignments.id)
            """
        ) { row in try row[0] }
        let interventions: [ID<Intervention>] = try connection.all(
            """
            SELECT id FROM interventions WHERE therapy_id = \(therapy) AND withdrawn_at IS NULL
            AND opened_at IS NULL AND completed_at IS NULL
            """
        ) { row in try row[0] }
        let sessions: [ID<Session>] = try connection.all(
            """
            SELECT id FROM therapy_sessions WHERE therapy_id = \(therapy) AND starts_at > \(now)
            AND coalesce(mark, 'planned') = 'planned'
            """
        ) { row in try row[0] }
        return Open(assignments: assignments, interventions: interventions, sessions: sessions)
    }
}
