import Database
import Records
import Therapies
import Wire

// What came in since a therapist looked at each file (PR-9).
extension ContributionStore {
    /// Sheets but for dailies, the newest first.
    /// - Parameter since: nothing older is told, also to who has never looked.
    package static func news(
        ofTherapist therapist: ID<Account>, since: Instant, limit: Int, _ connection: borrowing Connection
    ) throws -> [RecentContribution] {
        try connection.all(
            """
            SELECT therapies.codename, therapies.id AS therapy_id, contributions.id, questionnaire_id, completed_at,
                timezone, answered, asked
            FROM therapies\(hint: .inThisOrder) JOIN contributions\(hint: .index("contributions_received"))
                ON contributions.therapy_id = therapies.id
            WHERE therapies.therapist_id = \(therapist) AND contributions.received_at >= \(since)
            AND contributions.received_at > coalesce((SELECT looked_at FROM file_looks
                WHERE file_looks.therapy_id = therapies.id AND account_id = \(therapist)), 0)
            AND contributions.planned_on IS NULL
            ORDER BY contributions.received_at DESC, contributions.id LIMIT \(limit)
            """)
    }

    /// Dailies that count, slim: whether the therapy came to mind, and how that felt. A late one is looked for two days back.
    package static func newDailies(
        ofTherapist therapist: ID<Account>, since: Instant, _ connection: borrowing Connection
    ) throws -> [NewDaily] {
        try connection.all(
            """
            SELECT therapies.id, contributions.completed_at, thought, feeling
            FROM therapies\(hint: .inThisOrder) JOIN contributions\(hint: .index("contributions_dailies"))
                ON contributions.therapy_id = therapies.id
            WHERE therapies.therapist_id = \(therapist) AND completed_at >= \(since.adding(days: -2))
            AND planned_on IS NOT NULL AND extra = 0 AND received_at >= \(since)
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

/// One answered daily, as Today sums it up.
package struct NewDaily: Sendable {
    package let therapy: ID<Therapy>
    package let at: Instant
    package let isThought: Bool
    package let feeling: Double?
}
