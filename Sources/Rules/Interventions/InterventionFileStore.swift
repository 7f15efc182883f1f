import Database
import Records
import Therapies
import Wire

/// The statement about interventions for files of studies. It reads no text.
enum InterventionFileStore {
    struct Given: Sendable {
        let id: ID<Intervention>
        let therapy: ID<Therapy>
        let library: ID<LibraryIntervention>?
        let kind: InterventionKind
        /// `plan`, `rule` or `hand`.
        let source: String
        let assignedAt: Instant
        let openedAt: Instant?
        let completedAt: Instant?
        let withdrawnAt: Instant?
    }

    /// Those that were given in a span of time, the earliest first.
    static func given(
        in therapies: [ID<Therapy>], from: Instant, to: Instant, _ connection: borrowing Connection
    ) throws -> [Given] {
        if therapies.isEmpty { return [] }
        return try connection.all(
            """
            SELECT id, therapy_id, library_id, kind,
                CASE WHEN EXISTS (SELECT 1 FROM planned_interventions WHERE intervention_id = interventions.id) THEN 'plan'
                    WHEN EXISTS (SELECT 1 FROM rule_firings WHERE intervention_id = interventions.id) THEN 'rule'
                    ELSE 'hand' END,
                assigned_at, opened_at, completed_at, withdrawn_at
            FROM interventions WHERE therapy_id IN \(list: therapies)
            AND assigned_at >= \(from) AND assigned_at <= \(to) ORDER BY assigned_at, id
            """
        ) { row in
            Given(
                id: try row[0], therapy: try row[1], library: try row[2], kind: try row[3],
                source: try row[4],
                assignedAt: try row[5], openedAt: try row[6], completedAt: try row[7],
                withdrawnAt: try row[8])
        }
    }
}
