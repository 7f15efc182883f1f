import Database
import Records
import Wire

/// Every statement about the outcomes of studies.
enum OutcomeStore {
    /// The day of an outcome at a time point, which only programs before `M128` read.
    private static let unread = 1

    static func all(
        of study: ID<Study>, _ connection: borrowing Connection
    ) throws -> [TrialDesign.Outcome] {
        try connection.all(
            """
            SELECT is_primary, questionnaire_key, scale, day, time_point, value, source FROM study_outcomes
            WHERE study_id = \(study) ORDER BY position
            """
        ) { row in
            let value: TrialDesign.Outcome.Value? = try row[5]
            let point = (try row[4] as String?).map { TrialDesign.Outcome.When.timePoint($0, value) }
            return TrialDesign.Outcome(
                isPrimary: try row[0], key: try row[1], scale: try row[2], when: try point ?? .day(row[3]),
                source: try row[6] as TrialDesign.Outcome.Source? ?? .study)
        }
    }

    static func set(
        _ outcomes: [TrialDesign.Outcome], of study: ID<Study>, _ connection: borrowing Connection
    ) throws {
        try connection.run("DELETE FROM study_outcomes WHERE study_id = \(study)")
        for (position, outcome) in outcomes.enumerated() {
            try connection.run(
                """
                INSERT INTO study_outcomes
                    (study_id, position, is_primary, questionnaire_key, scale, day, time_point, value, source)
                VALUES (\(study), \(position), \(outcome.isPrimary), \(outcome.key), \(outcome.scale), \(outcome.day ?? unread),
                    \(outcome.timePoint), \(outcome.value), \(outcome.source == .study ? nil : outcome.source))
                """)
        }
    }
}
