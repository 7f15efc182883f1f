import Contributions
import Database
import Records
import Wire

/// Every statement about sheets older than the stored prompts.
enum EarlierContributionStore {
    struct Contribution: Sendable {
        let id: ID<ContributionRecord>
        let key: String
        let completedAt: Instant
        /// The prompt that the sheet named.
        let prompt: ID<Assignment>?
    }

    static func undecided(limit: Int, _ connection: borrowing Connection) throws -> [ID<Enrolment>] {
        try connection.all("SELECT enrolment_id FROM undecided_enrolments LIMIT \(limit)") { row in try row[0]
        }
    }

    static func noteDecided(_ enrolment: ID<Enrolment>, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM undecided_enrolments WHERE enrolment_id = \(enrolment)")
    }

    /// In the order in which they came in.
    static func sheets(as enrolment: ID<Enrolment>, _ connection: borrowing Connection) throws
        -> [Contribution]
    {
        try connection.all(
            """
            SELECT contributions.id, questionnaires.key, completed_at, prompt_id FROM contributions
            JOIN questionnaires ON questionnaires.id = contributions.questionnaire_id
            WHERE enrolment_id = \(enrolment) ORDER BY received_at, completed_at, contributions.id
            """
        ) { row in
            Contribution(id: try row[0], key: try row[1], completedAt: try row[2], prompt: try row[3])
        }
    }
}
