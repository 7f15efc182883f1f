import Database
import Records
import Therapies
import Web
import Wire

// Sheets with answers that must be seen, and by which account they were (PR-11, PR-27).
extension ContributionStore {
    /// Those of a therapist's patients and of other therapies that are unseen, or were seen after a moment; the newest first.
    package static func unseen(
        ofTherapist therapist: ID<Account>, orIn shared: [ID<Therapy>],
        seenAfter edge: Instant = .distantFuture,
        _ connection: borrowing Connection
    ) throws -> [ContributionRecord] {
        let own: [ContributionRecord] = try connection.all(
            """
            SELECT contributions.* FROM therapies
            JOIN contributions ON contributions.therapy_id = therapies.id
            WHERE therapies.therapist_id = \(therapist) AND must_be_seen = 1 AND seen_at IS NULL
            """)
        let theirs: [ContributionRecord] =
            shared.isEmpty
            ? []
            : try connection.all(
                """
                SELECT * FROM contributions WHERE therapy_id IN \(list: shared) AND must_be_seen = 1 AND seen_at IS NULL
                """)
        let seen =
            try edge == .distantFuture ? [] : lately(edge, ofTherapist: therapist, orIn: shared, connection)
        return (own + theirs + seen).sorted { ($1.receivedAt, $0.id) < ($0.receivedAt, $1.id) }
    }

    private static func lately(
        _ edge: Instant, ofTherapist therapist: ID<Account>, orIn shared: [ID<Therapy>],
        _ connection: borrowing Connection
    ) throws -> [ContributionRecord] {
        let all: [(record: ContributionRecord, therapist: ID<Account>)] = try connection.all(
            """
            SELECT contributions.*, therapies.therapist_id FROM contributions
            JOIN therapies ON therapies.id = contributions.therapy_id
            WHERE seen_at > \(edge) AND must_be_seen = 1
            """
        ) { row in (try ContributionRecord(row: row), try row["therapist_id"]) }
        return all.filter { entry in
            entry.therapist == therapist || entry.record.therapyID.map(shared.contains) ?? false
        }.map(\.record)
    }

    /// The number of unseen ones of a therapist's patients and of other therapies.
    package static func unseenCount(
        ofTherapist therapist: ID<Account>, orIn shared: [ID<Therapy>], _ connection: borrowing Connection
    ) throws -> Int {
        let own = try connection.count(
            """
            SELECT count(*) FROM therapies JOIN contributions ON contributions.therapy_id = therapies.id
            WHERE therapies.therapist_id = \(therapist) AND must_be_seen = 1 AND seen_at IS NULL
            """)
        if shared.isEmpty { return own }
        return try own
            + connection.count(
                """
                SELECT count(*) FROM contributions WHERE therapy_id IN \(list: shared) AND must_be_seen = 1
                AND seen_at IS NULL
                """)
    }

    /// The number of unseen ones of running therapies that came before a moment, by therapist (PR-33).
    package static func unseenCounts(
        receivedBefore edge: Instant, _ connection: borrowing Connection
    ) throws -> [ID<Account>: Int] {
        let rows = try connection.all(
            """
            SELECT therapist_id, count(*) FROM therapies
            JOIN contributions ON contributions.therapy_id = therapies.id
            WHERE must_be_seen = 1 AND seen_at IS NULL AND received_at < \(edge) AND ended_at IS NULL
            GROUP BY therapist_id
            """
        ) { row -> (therapist: ID<Account>, count: Int) in (therapist: try row[0], count: try row[1]) }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.therapist, $0.count) })
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

    /// Since when each therapy has an unseen one, with its therapist.
    package static func unseenSince(
        _ connection: borrowing Connection
    ) throws -> [(therapy: ID<Therapy>, therapist: ID<Account>, since: Instant)] {
        try connection.all(
            """
            SELECT therapies.id, therapies.therapist_id, min(received_at) FROM contributions
            JOIN therapies ON therapies.id = contributions.therapy_id
            WHERE must_be_seen = 1 AND seen_at IS NULL GROUP BY therapies.id, therapies.therapist_id
            """
        ) { row in (therapy: try row[0], therapist: try row[1], since: try row[2]) }
    }

    /// The first mark counts.
    /// - Returns: whether this was the first.
    package static func markSeen(
        _ id: ID<ContributionRecord>, inTherapy therapy: ID<Therapy>, by account: ID<Account>,
        comment: [UInt8]?, at now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.run(
            """
            UPDATE contributions SET seen_at = \(now), seen_by = \(account), seen_comment = \(comment)
            WHERE id = \(id) AND therapy_id = \(therapy) AND must_be_seen = 1 AND seen_at IS NULL
            """) > 0
    }

    /// Takes back an account's mark of one moment.
    package static func markUnseen(
        _ id: ID<ContributionRecord>, inTherapy therapy: ID<Therapy>, by account: ID<Account>,
        at moment: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE contributions SET seen_at = NULL, seen_by = NULL, seen_comment = NULL
            WHERE id = \(id) AND therapy_id = \(therapy) AND seen_at = \(moment) AND seen_by = \(account)
            """)
    }

    package static let seenRevision: RevisionOf = { places, _, connection in
        guard let id = ID<ContributionRecord>(uuid: places["contribution"]),
            let therapy = ID<Therapy>(uuid: places["patient"])
        else { return nil }
        return try connection.revision(
            "SELECT seen_at, seen_by FROM contributions WHERE id = \(id) AND therapy_id = \(therapy)")
    }
}
