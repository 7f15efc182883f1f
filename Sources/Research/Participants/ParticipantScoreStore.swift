import Database
import Records
import Studies
import Web
import Wire

/// Every statement about the values of one participant's scales, for leads: values alone, never answers.
enum ParticipantScoreStore {
    struct Value: Sendable {
        let questionnaire: ID<QuestionnaireVersion>
        let scale: String
        let at: Instant
        let value: Double
    }

    /// The revision of a participant: a sheet more is another one, too.
    static let revision: RevisionOf = { places, _, connection in
        guard let study = ID<Study>(uuid: places["study"]), let codename = places["codename"] else {
            return nil
        }
        return try connection.revision(
            """
            SELECT *, (SELECT count(*) FROM contributions WHERE enrolment_id = enrolments.id) FROM enrolments
            WHERE study_id = \(study) AND codename = \(codename)
            """)
    }

    /// Of what the study asked, the earliest first.
    static func ofStudy(
        _ enrolment: ID<Enrolment>, _ connection: borrowing Connection
    ) throws -> [Value] {
        try connection.all(
            """
            SELECT questionnaire_id, scale, completed_at, value FROM contributions
            JOIN contribution_scores ON contribution_scores.account_id = contributions.account_id
                AND contribution_scores.contribution_id = contributions.id
            WHERE enrolment_id = \(enrolment) AND value IS NOT NULL ORDER BY completed_at, contributions.id, position
            """
        ) { row in
            Value(questionnaire: try row[0], scale: try row[1], at: try row[2], value: try row[3])
        }
    }

    /// Of what therapies asked during the participation; each part of a day counts once.
    static func ofTherapies(
        _ person: StudyFile.Person, _ connection: borrowing Connection
    ) throws -> [Value] {
        try connection.all(
            """
            SELECT questionnaire_id, scale, completed_at, value FROM contributions
            JOIN contribution_scores ON contribution_scores.account_id = contributions.account_id
                AND contribution_scores.contribution_id = contributions.id
            WHERE contributions.account_id = \(person.account) AND therapy_id IS NOT NULL
            AND completed_at >= \(person.from) AND completed_at <= \(person.to) AND extra = 0 AND value IS NOT NULL
            ORDER BY completed_at, contributions.id, position
            """
        ) { row in
            Value(questionnaire: try row[0], scale: try row[1], at: try row[2], value: try row[3])
        }
    }
}
