import Database
import Records
import Therapies
import Wire

extension AlertStore {
    /// What waits to be seen by therapy: unseen answers, and alerts that none of them raised. Those of one rule count
    /// as one.
    package static func unseen(
        ofTherapist therapist: ID<Account>, _ connection: borrowing Connection
    ) throws -> [ID<Therapy>: Int] {
        let rows = try connection.all(
            """
            SELECT therapy, CAST(sum(amount) AS BIGINT) FROM (
                SELECT contributions.therapy_id AS therapy, count(*) AS amount FROM therapies
                JOIN contributions ON contributions.therapy_id = therapies.id
                WHERE therapies.therapist_id = \(therapist) AND must_be_seen = 1 AND seen_at IS NULL
                GROUP BY contributions.therapy_id
                UNION ALL
                SELECT alerts.therapy_id, count(DISTINCT rule_firings.rule_id) FROM therapies
                JOIN alerts ON alerts.therapy_id = therapies.id
                JOIN rule_firings ON rule_firings.id = alerts.firing_id
                WHERE therapies.therapist_id = \(therapist) AND acknowledged_at IS NULL
                AND NOT EXISTS (SELECT 1 FROM contributions WHERE contributions.therapy_id = alerts.therapy_id
                    AND contributions.id = rule_firings.contribution_id AND must_be_seen = 1 AND seen_at IS NULL)
                GROUP BY alerts.therapy_id
            ) AS waiting GROUP BY therapy
            """
        ) { row -> (ID<Therapy>, Int) in (try row[0], try row[1]) }
        return Dictionary(rows, uniquingKeysWith: { first, _ in first })
    }
}
