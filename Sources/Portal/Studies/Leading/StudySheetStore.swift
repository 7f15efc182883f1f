import Database
import Wire

/// Every statement about the answer sheets of studies.
enum StudySheetStore {
    /// When which questionnaire was completed, by account; by index alone where it can be.
    static func completed(
        in study: String, _ connection: borrowing Connection
    ) throws -> [String: [(key: String, at: Instant)]] {
        let rows = try connection.all(
            """
            SELECT account_id, questionnaires.key, completed_at FROM contributions
            JOIN questionnaires ON questionnaires.id = contributions.questionnaire_id
            WHERE study_id = \(study) ORDER BY account_id, completed_at
            """
        ) { row in (account: try row[0] as String, key: try row[1] as String, at: try row[2] as Instant) }
        return Dictionary(grouping: rows, by: \.account).mapValues { $0.map { (key: $0.key, at: $0.at) } }
    }

    /// The sheets of one participant, the earliest first, one after the other.
    static func each(
        of account: String, in study: String, _ connection: borrowing Connection,
        _ body: (ContributionRecord) throws -> Void
    ) throws {
        try connection.each(
            """
            SELECT * FROM contributions WHERE account_id = \(account) AND study_id = \(study)
            ORDER BY completed_at, id
            """
        ) { row in
            try body(try ContributionRecord(row: row))
            return true
        }
    }

    /// What one person said on a scale, over all their sheets.
    struct PersonMean: Sendable {
        let account: String
        let key: String
        let scale: String
        let mean: Double
        let sheets: Int
    }

    /// Everybody's means, of every scale.
    static func personMeans(
        in study: String, _ connection: borrowing Connection
    ) throws -> [PersonMean] {
        try connection.all(
            """
            SELECT contributions.account_id, questionnaires.key, scale, avg(value), count(value) FROM contributions
            JOIN questionnaires ON questionnaires.id = contributions.questionnaire_id
            JOIN contribution_scores ON contribution_scores.account_id = contributions.account_id
                AND contribution_scores.contribution_id = contributions.id
            WHERE contributions.study_id = \(study) AND value IS NOT NULL
            GROUP BY contributions.account_id, questionnaires.key, scale
            """
        ) { row in
            PersonMean(
                account: try row[0], key: try row[1], scale: try row[2], mean: try row[3], sheets: try row[4])
        }
    }
}
