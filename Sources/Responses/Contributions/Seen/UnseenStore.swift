import Database
import Records
import Therapies
import Wire

// Sheets with answers that have to be seen, and who has said so (PR-11).
extension ContributionStore {
    /// Those of a therapist's patients that nobody has seen, the newest first.
    static func unseen(
        ofTherapist therapist: ID<Account>, _ connection: borrowing Connection
    ) throws -> [ContributionRecord] {
        try connection.all(
            """
            SELECT contributions.* FROM therapies
            JOIN contributions ON contributions.therapy_id = therapies.id
            WHERE therapies.therapist_id = \(therapist) AND must_be_seen = 1 AND seen_at IS NULL
            ORDER BY contributions.received_at DESC, contributions.id
            """)
    }

    static func unseenCount(
        ofTherapist therapist: ID<Account>, _ connection: borrowing Connection
    ) throws -> Int {
        try connection.count(
            """
            SELECT count(*) FROM therapies JOIN contributions ON contributions.therapy_id = therapies.id
            WHERE therapies.therapist_id = \(therapist) AND must_be_seen = 1 AND seen_at IS NULL
            """)
    }

    static func unseenCount(inTherapy therapy: ID<Therapy>, _ connection: borrowing Connection) throws -> Int
    {
        try connection.count(
            """
            SELECT count(*) FROM contributions
            WHERE therapy_id = \(therapy) AND must_be_seen = 1 AND seen_at IS NULL
            """)
    }

    package static func unseen(
        inTherapy therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> [ContributionRecord] {
        try connection.all(
            """
            SELECT * FROM contributions WHERE therapy_id = \(therapy) AND must_be_seen = 1 AND seen_at IS NULL
            ORDER BY received_at DESC, id
            """)
    }

    /// The first who says so counts.
    static func markSeen(
        _ id: ID<ContributionRecord>, inTherapy therapy: ID<Therapy>, by account: ID<Account>,
        at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE contributions SET seen_at = \(now), seen_by = \(account)
            WHERE id = \(id) AND therapy_id = \(therapy) AND must_be_seen = 1 AND seen_at IS NULL
            """)
    }
}
