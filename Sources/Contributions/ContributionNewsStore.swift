import Database
import Records
import Therapies
import Wire

// Answers since a therapist's last visit of each file (PR-9).
extension ContributionStore {
    /// Sheets without dailies, the newest first.
    /// - Parameters:
    ///   - since: the limit for older ones, also for a file that was never visited.
    ///   - until: what came in later is left out.
    package static func news(
        ofTherapist therapist: ID<Account>, since: Instant, until: Instant = .distantFuture, limit: Int,
        _ connection: borrowing Connection
    ) throws -> [RecentContribution] {
        try connection.all(
            """
            SELECT therapies.codename, therapies.id AS therapy_id, contributions.id, questionnaire_id, completed_at,
                timezone, answered, asked
            FROM therapies\(hint: .inThisOrder) JOIN contributions\(hint: .index("contributions_received"))
                ON contributions.therapy_id = therapies.id
            WHERE therapies.therapist_id = \(therapist) AND contributions.received_at >= \(since)
            AND contributions.received_at <= \(until) AND contributions.received_at > coalesce((SELECT looked_at FROM file_looks
                WHERE file_looks.therapy_id = therapies.id AND account_id = \(therapist)), 0)
            AND contributions.planned_on IS NULL
            ORDER BY contributions.received_at DESC, contributions.id LIMIT \(limit)
            """)
    }

    /// Dailies that count, in few columns; late ones are searched two days back.
    package static func newDailies(
        ofTherapist therapist: ID<Account>, since: Instant, until: Instant = .distantFuture,
        _ connection: borrowing Connection
    ) throws -> [NewDaily] {
        try connection.all(
            """
            SELECT therapies.id, contributions.completed_at, thought, feeling
            FROM therapies\(hint: .inThisOrder) JOIN contributions\(hint: .index("contributions_dailies"))
                ON contributions.therapy_id = therapies.id
            WHERE therapies.therapist_id = \(therapist) AND completed_at >= \(since.adding(days: -2))
            AND planned_on IS NOT NULL AND extra = 0 AND received_at >= \(since)
            AND received_at <= \(until)
            AND contributions.received_at > coalesce((SELECT looked_at FROM file_looks
                WHERE file_looks.therapy_id = therapies.id AND account_id = \(therapist)), 0)
            ORDER BY completed_at DESC
            """
        ) { row in
            let thought: Double? = try row[2]
            return NewDaily(
                therapy: try row[0], at: try row[1], isThought: (thought ?? 0) > 0, feeling: try row[3])
        }
    }
}

/// One answered daily, for the summary on Today.
package struct NewDaily: Sendable {
    package let therapy: ID<Therapy>
    package let at: Instant
    package let isThought: Bool
    package let feeling: Double?
}
