import Database
import Records
import Wire

/// Every statement about what a therapist has assigned before, and how long it took to fill in.
enum AssigningStore {
    /// When a questionnaire, alone or in a battery, was last assigned by hand.
    struct Use: Sendable {
        let questionnaireID: ID<QuestionnaireVersion>
        let batteryID: ID<Battery>?
        let last: Instant
    }

    /// What a therapist has assigned to their patients by hand.
    static func uses(
        by therapist: ID<Account>, _ connection: borrowing Connection
    ) throws -> [Use] {
        try connection.all(
            """
            SELECT questionnaire_id, battery_id, max(assigned_at) FROM therapies
            JOIN assignments ON assignments.therapy_id = therapies.id
            WHERE therapies.therapist_id = \(therapist) AND source = 'therapist' AND planned_on IS NULL
            GROUP BY questionnaire_id, battery_id
            """
        ) { row in Use(questionnaireID: try row[0], batteryID: try row[1], last: try row[2]) }
    }

    /// How long a therapist's patients took over their sheets, in seconds, by version.
    static func durations(
        among therapist: ID<Account>, since from: Instant, _ connection: borrowing Connection
    ) throws -> [ID<QuestionnaireVersion>: [Int64]] {
        let rows = try connection.all(
            """
            SELECT questionnaire_id, started_at, completed_at FROM therapies
            JOIN contributions ON contributions.therapy_id = therapies.id
            WHERE therapies.therapist_id = \(therapist) AND planned_on IS NULL AND received_at > \(from)
            ORDER BY received_at DESC LIMIT 2000
            """
        ) { row in
            let (started, completed): (Instant, Instant) = (try row[1], try row[2])
            return (
                version: try row[0] as ID<QuestionnaireVersion>, seconds: completed.seconds - started.seconds
            )
        }
        return Dictionary(grouping: rows, by: \.version).mapValues { $0.map(\.seconds) }
    }
}
