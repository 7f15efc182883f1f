import Database
import Records
import Therapies
import Wire

// What figures over a therapy are drawn from.
extension ContributionStore {
    /// Scores over a therapy, the earliest first; of one questionnaire and one scale, or of all.
    package static func series(
        ofKey key: String?, scale: String?, inTherapy therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> [ScorePoint] {
        try connection.all(
            """
            SELECT \(sql: StoredScore.columns), contributions.completed_at, questionnaires.key FROM contributions
            JOIN questionnaires ON questionnaires.id = contributions.questionnaire_id
            JOIN contribution_scores ON contribution_scores.account_id = contributions.account_id
                AND contribution_scores.contribution_id = contributions.id
            WHERE contributions.therapy_id = \(therapy) AND (CAST(\(key) AS TEXT) IS NULL OR questionnaires.key = \(key))
            AND (CAST(\(scale) AS TEXT) IS NULL OR contribution_scores.scale = \(scale))
            ORDER BY contributions.completed_at, contributions.id, contribution_scores.position
            """)
    }

    /// The same of all questionnaires but one; dailies are far more than everything else together. A hint keeps
    /// the order of the tables: by questionnaire, so that the dailies are not looked at.
    package static func series(
        exceptKey key: String, inTherapy therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> [ScorePoint] {
        try connection.all(
            """
            SELECT \(sql: StoredScore.columns), contributions.completed_at, questionnaires.key FROM questionnaires\(hint: .inThisOrder)
            JOIN contributions ON contributions.therapy_id = \(therapy)
                AND contributions.questionnaire_id = questionnaires.id
            JOIN contribution_scores ON contribution_scores.account_id = contributions.account_id
                AND contribution_scores.contribution_id = contributions.id
            WHERE questionnaires.key <> \(key)
            ORDER BY contributions.completed_at, contributions.id, contribution_scores.position
            """)
    }

    /// What the dailies of a therapy said, the earliest first: whether it came to mind, and how that felt. Slim, because
    /// years of them are read for one page.
    package static func dailies(
        inTherapy therapy: ID<Therapy>, from: Instant, until: Instant, _ connection: borrowing Connection
    ) throws -> [(at: Instant, thought: Double, feeling: Double?)] {
        try connection.all(
            """
            SELECT completed_at, thought, feeling FROM contributions\(hint: .index("contributions_dailies"))
            WHERE therapy_id = \(therapy) AND completed_at >= \(from) AND completed_at < \(until)
            AND planned_on IS NOT NULL AND extra = 0 AND thought IS NOT NULL
            ORDER BY completed_at
            """
        ) { row in (at: try row[0], thought: try row[1], feeling: try row[2]) }
    }
}
