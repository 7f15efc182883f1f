import Database
import Records
import Studies
import Wire

/// Every statement about values of scales on sheets of the participants' therapies.
enum TherapyValueStore {
    struct Value: Sendable {
        let enrolment: ID<Enrolment>
        let at: Instant
        let value: Double
    }

    /// What was completed during the participations in a study, person by person, the earliest first.
    static func all(
        of scale: String, on questionnaire: String, in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> [Value] {
        try connection.all(
            """
            SELECT enrolments.id, completed_at, value FROM enrolments\(hint: .inThisOrder)
            JOIN contributions ON contributions.account_id = enrolments.account_id
                AND completed_at >= enrolled_at AND contributions.therapy_id IS NOT NULL
            JOIN contribution_scores ON contribution_scores.account_id = contributions.account_id
                AND contribution_id = contributions.id AND scale = \(scale) AND value IS NOT NULL
            WHERE enrolments.study_id = \(study) AND (left_at IS NULL OR completed_at <= left_at)
            AND questionnaire_id IN (SELECT id FROM questionnaires WHERE key = \(questionnaire)) AND \(sql: ParticipationStore.agreesToResearch)
            ORDER BY enrolments.id, completed_at, contributions.id
            """
        ) { row in Value(enrolment: try row[0], at: try row[1], value: try row[2]) }
    }
}
