import Database
import Records
import Wire

/// Every statement about participants who are enrolled and not allocated.
package enum WaitingStore {
    static func begin(_ id: ID<Enrolment>, _ connection: borrowing Connection) throws {
        try connection.run("UPDATE enrolments SET allocation_state = 'waiting' WHERE id = \(id)")
    }

    static func set(
        baselineAt moment: Instant?, of id: ID<Enrolment>, _ connection: borrowing Connection
    ) throws {
        try connection.run("UPDATE enrolments SET baseline_at = \(moment) WHERE id = \(id)")
    }

    static func end(_ id: ID<Enrolment>, at now: Instant, _ connection: borrowing Connection) throws {
        try connection.run(
            "UPDATE enrolments SET allocation_state = 'allocated', allocated_at = \(now) WHERE id = \(id)")
    }

    /// In the order in which places are taken.
    static func all(
        in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> [EnrolmentRecord] {
        try connection.all(
            """
            SELECT * FROM enrolments WHERE study_id = \(study) AND allocation_state = 'waiting' AND state = 'enrolled'
            ORDER BY baseline_at NULLS LAST, enrolled_at, id
            """)
    }

    /// The same, of those whose data may be disclosed.
    static func told(
        in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> [EnrolmentRecord] {
        try connection.all(
            """
            SELECT * FROM enrolments WHERE study_id = \(study) AND allocation_state = 'waiting' AND state = 'enrolled'
            AND \(sql: EnrolmentStore.told) ORDER BY baseline_at NULLS LAST, enrolled_at, id
            """)
    }

    /// The studies in which participants wait.
    static func studies(_ connection: borrowing Connection) throws -> [ID<Study>] {
        try connection.all(
            "SELECT DISTINCT study_id FROM enrolments WHERE allocation_state = 'waiting' AND state = 'enrolled' ORDER BY study_id"
        ) { row in try row[0] }
    }

    /// Whether a study has, or had, a participant who was not allocated at once.
    package static func hasAny(in study: ID<Study>, _ connection: borrowing Connection) throws -> Bool {
        try connection.exists(
            "SELECT 1 FROM enrolments WHERE study_id = \(study) AND allocation_state IS NOT NULL LIMIT 1")
    }

    /// The first score of a baseline; nil without one.
    static func score(
        _ bands: ScoreBands, of enrolment: EnrolmentRecord, _ connection: borrowing Connection
    ) throws -> Double? {
        let score: Double?? = try connection.value(
            """
            SELECT (SELECT value FROM contribution_scores WHERE contribution_scores.account_id = contributions.account_id
                AND contribution_id = contributions.id AND scale = \(bands.scale))
            FROM contributions JOIN questionnaires ON questionnaires.id = contributions.questionnaire_id
            WHERE contributions.study_id = \(enrolment.studyID) AND contributions.enrolment_id = \(enrolment.id)
            AND questionnaires.key = \(bands.key)
            ORDER BY completed_at, contributions.id LIMIT 1
            """)
        return score ?? nil
    }
}
