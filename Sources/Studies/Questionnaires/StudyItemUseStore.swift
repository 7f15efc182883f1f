import Database
import Records
import Wire
import Wording

/// Which studies ask a questionnaire, for what rests on it.
extension StudyItemStore {
    /// The running studies that ask questionnaires.
    static func studies(
        asking keys: [String], _ connection: borrowing Connection
    ) throws -> [(key: String, study: ID<Study>, name: String)] {
        try connection.all(
            """
            SELECT DISTINCT questionnaire_key, studies.id, name FROM study_questionnaires
            JOIN studies ON studies.id = study_id WHERE questionnaire_key IN \(list: keys)
            AND deactivated_at IS NULL AND is_running = 1
            """
        ) { row in (key: try row[0] as String, study: try row[1] as ID<Study>, name: try row[2] as String) }
        .sorted(byName: \.name, then: \.study)
    }

    /// Whether a version is of a study that an account takes or took part in, or can enrol in.
    static func isOpen(
        _ questionnaire: ID<QuestionnaireVersion>, to account: ID<Account>, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.exists(
            """
            SELECT 1 FROM questionnaires JOIN study_questionnaires ON questionnaire_key = questionnaires.key
            JOIN studies ON studies.id = study_questionnaires.study_id
            WHERE questionnaires.id = \(questionnaire) AND ((is_running = 1 AND is_hidden = 0) OR EXISTS
                (SELECT 1 FROM enrolments WHERE enrolments.study_id = studies.id AND account_id = \(account)))
            LIMIT 1
            """)
    }

    /// Whether an outcome names a questionnaire at its time point.
    static func isOutcome(_ item: StudyItem, _ connection: borrowing Connection) throws -> Bool {
        try connection.exists(
            """
            SELECT 1 FROM study_outcomes WHERE study_id = \(item.studyID) AND questionnaire_key = \(item.key)
            AND time_point = \(item.timePoint) LIMIT 1
            """)
    }

    static func hasParticipants(
        _ study: ID<Study>, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.exists(
            "SELECT 1 FROM enrolments WHERE study_id = \(study) AND enrolled_at IS NOT NULL LIMIT 1")
    }

    /// Whether a sheet has answered it. Those from before sheets named it answer the one without a time point.
    static func isAnswered(_ item: StudyItem, _ connection: borrowing Connection) throws -> Bool {
        try connection.exists(
            """
            SELECT 1 FROM contributions JOIN questionnaires ON questionnaires.id = contributions.questionnaire_id
            WHERE study_id = \(item.studyID) AND questionnaires.key = \(item.key)
            AND coalesce(item_id, \(item.timePoint == nil ? item.id.text : "")) = \(item.id) LIMIT 1
            """)
    }

    /// Whether a participant has noted an event of it.
    static func hasEvents(_ item: StudyItem, _ connection: borrowing Connection) throws -> Bool {
        try connection.exists("SELECT 1 FROM study_events WHERE item_id = \(item.id) LIMIT 1")
    }
}
