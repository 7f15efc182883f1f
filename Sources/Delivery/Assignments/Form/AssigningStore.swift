import Database
import Records
import Wire

/// Every statement about a therapist's earlier assignments, and how long they took to fill in.
enum AssigningStore {
    /// When a questionnaire, alone or in a battery, was last assigned by hand.
    struct Use: Sendable {
        let questionnaireID: ID<QuestionnaireVersion>
        let batteryID: ID<Battery>?
        let last: Instant
    }

    /// A therapist's earlier assignments by hand.
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

    /// How long a patient took for a sheet, in seconds.
    struct Duration: Sendable {
        let person: ID<Account>
        let seconds: Int64
    }

    /// How long a therapist's patients took for their sheets, by version.
    static func durations(
        among therapist: ID<Account>, since from: Instant, _ connection: borrowing Connection
    ) throws -> [ID<QuestionnaireVersion>: [Duration]] {
        let rows = try connection.all(
            """
            SELECT questionnaire_id, started_at, completed_at, contributions.account_id FROM therapies
            JOIN contributions ON contributions.therapy_id = therapies.id
            WHERE therapies.therapist_id = \(therapist) AND planned_on IS NULL AND received_at > \(from)
            ORDER BY received_at DESC LIMIT 2000
            """
        ) { row in
            let started: Instant = try row[1]
            let completed: Instant = try row[2]
            return (
                version: try row[0] as ID<QuestionnaireVersion>,
                duration: Duration(person: try row[3], seconds: completed.seconds - started.seconds)
            )
        }
        return Dictionary(grouping: rows, by: \.version).mapValues { $0.map(\.duration) }
    }
}
