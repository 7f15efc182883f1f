import Database
import Records
import Therapies
import Wire

// The data of figures over a therapy.
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

    /// The same of all questionnaires but one; dailies outnumber all others together. A hint keeps the order of the
    /// tables: by questionnaire, so that the dailies are not read.
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

    /// The dailies of a therapy, the earliest first: whether it came to mind, and how that felt. In few columns,
    /// because years of them are read for one page.
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

    // MARK: The own course

    /// Scores of all that an account has sent, without one questionnaire, the earliest first (TYS-9).
    package static func series(
        of account: ID<Account>, exceptKey key: String, _ connection: borrowing Connection
    ) throws -> [ScorePoint] {
        try connection.all(
            """
            SELECT \(sql: StoredScore.columns), contributions.completed_at, questionnaires.key FROM contributions
            JOIN questionnaires ON questionnaires.id = contributions.questionnaire_id
            JOIN contribution_scores ON contribution_scores.account_id = contributions.account_id
                AND contribution_scores.contribution_id = contributions.id
            WHERE contributions.account_id = \(account) AND questionnaires.key <> \(key)
            ORDER BY contributions.completed_at, contributions.id, contribution_scores.position
            """)
    }

    /// An account's dailies, the earliest first, of all its therapies.
    package static func dailies(
        of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> [(at: Instant, thought: Double, feeling: Double?)] {
        try connection.all(
            """
            SELECT completed_at, thought, feeling FROM contributions WHERE account_id = \(account)
            AND planned_on IS NOT NULL AND extra = 0 AND thought IS NOT NULL ORDER BY completed_at
            """
        ) { row in (at: try row[0], thought: try row[1], feeling: try row[2]) }
    }

    /// An account's newest sheets, of one questionnaire or of all, the newest first.
    package static func newest(
        of account: ID<Account>, key: String?, limit: Int, _ connection: borrowing Connection
    ) throws -> [ContributionRecord] {
        try connection.all(
            """
            SELECT contributions.* FROM contributions JOIN questionnaires
                ON questionnaires.id = contributions.questionnaire_id
            WHERE contributions.account_id = \(account)
            AND (CAST(\(key) AS TEXT) IS NULL OR questionnaires.key = \(key))
            ORDER BY completed_at DESC, contributions.id LIMIT \(limit)
            """)
    }

    /// The number of sheets an account has sent of each questionnaire.
    package static func counts(
        of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> [String: Int] {
        let rows = try connection.all(
            """
            SELECT questionnaires.key, count(*) FROM contributions
            JOIN questionnaires ON questionnaires.id = contributions.questionnaire_id
            WHERE contributions.account_id = \(account) GROUP BY questionnaires.key
            """
        ) { row -> (key: String, count: Int) in (key: try row[0], count: try row[1]) }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.key, $0.count) })
    }
}
