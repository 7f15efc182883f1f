import Database
import Records
import Responses
import Therapies
import Wire

/// Something a therapist is asked to look at (IO-22).
package struct AlertRecord: Sendable {
    package let id: ID<Alert>
    package let raisedAt: Instant
    package let acknowledgedAt: Instant?
    package let firing: Firing
    private let sealedComment: [UInt8]?

    package init(row: borrowing Row) throws {
        id = try row["alert_id"]
        raisedAt = try row["raised_at"]
        acknowledgedAt = try row["acknowledged_at"]
        sealedComment = try row["comment"]
        firing = try Firing(row: row)
    }

    package func comment(_ key: PersonKey) throws -> String? {
        try sealedComment.map { try key.open($0, from: FiringPlace.comment(id)) }
    }
}

/// Every statement about alerts.
package enum AlertStore {
    private static let columns: SQL = """
        SELECT rule_firings.*, alerts.id AS alert_id, raised_at, acknowledged_at, comment
        FROM alerts JOIN rule_firings ON rule_firings.id = alerts.firing_id
        JOIN therapies ON therapies.id = alerts.therapy_id
        """

    static func raise(
        _ id: ID<Alert>, firing: ID<Firing>, in therapy: ID<Therapy>, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO alerts (id, therapy_id, firing_id, raised_at)
            VALUES (\(id), \(therapy), \(firing), \(now))
            """)
    }

    /// Whether a sheet raised one.
    package static func isRaised(
        by sheet: ID<ContributionRecord>, in therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.exists(
            """
            SELECT 1 FROM alerts JOIN rule_firings ON rule_firings.id = alerts.firing_id
            WHERE alerts.therapy_id = \(therapy) AND rule_firings.contribution_id = \(sheet) LIMIT 1
            """)
    }

    /// How many of a therapist's alerts wait, for the navigation; those of one rule for one patient are one.
    package static func waiting(of therapist: ID<Account>, _ connection: borrowing Connection) throws -> Int {
        try connection.count(
            """
            SELECT count(*) FROM (
                SELECT DISTINCT alerts.therapy_id, rule_firings.rule_id FROM alerts
                JOIN rule_firings ON rule_firings.id = alerts.firing_id
                JOIN therapies ON therapies.id = alerts.therapy_id
                WHERE acknowledged_at IS NULL AND therapies.therapist_id = \(therapist)
            ) AS waiting
            """)
    }

    /// How many of one therapy wait.
    package static func waiting(in therapy: ID<Therapy>, _ connection: borrowing Connection) throws -> Int {
        try connection.count(
            """
            SELECT count(DISTINCT rule_id) FROM alerts JOIN rule_firings ON rule_firings.id = alerts.firing_id
            WHERE alerts.therapy_id = \(therapy) AND acknowledged_at IS NULL
            """)
    }

    /// A therapist's alerts, the newest first: those that wait, or those that were acknowledged.
    package static func all(
        of therapist: ID<Account>, isAcknowledged: Bool, limit: Int = 500, _ connection: borrowing Connection
    ) throws -> [AlertRecord] {
        try connection.all(
            """
            \(sql: columns) WHERE therapies.therapist_id = \(therapist)
            AND (acknowledged_at IS NOT NULL) = \(isAcknowledged)
            ORDER BY raised_at DESC, alerts.id LIMIT \(limit)
            """
        ) { row in try AlertRecord(row: row) }
    }

    package static func all(in therapy: ID<Therapy>, _ connection: borrowing Connection) throws
        -> [AlertRecord]
    {
        try connection.all(
            "\(sql: columns) WHERE alerts.therapy_id = \(therapy) ORDER BY raised_at DESC, alerts.id"
        ) { row in try AlertRecord(row: row) }
    }

    /// A therapy's alerts of a stretch of time, the newest first.
    package static func raised(
        in therapy: ID<Therapy>, since: Instant, before: Instant, _ connection: borrowing Connection
    ) throws -> [AlertRecord] {
        try connection.all(
            """
            \(sql: columns) WHERE alerts.therapy_id = \(therapy)
            AND raised_at >= \(since) AND raised_at < \(before) ORDER BY raised_at DESC, alerts.id
            """
        ) { row in try AlertRecord(row: row) }
    }

    /// Whoever reaches one may not see it yet.
    static func find(_ id: ID<Alert>, _ connection: borrowing Connection) throws -> AlertRecord? {
        try connection.first("\(sql: columns) WHERE alerts.id = \(id)") { row in
            try AlertRecord(row: row)
        }
    }

    /// Those of the same rule and patient that wait and were raised before one.
    static func earlier(
        than alert: AlertRecord, _ connection: borrowing Connection
    ) throws -> [ID<Alert>] {
        try connection.all(
            """
            SELECT alerts.id FROM alerts JOIN rule_firings ON rule_firings.id = alerts.firing_id
            WHERE alerts.therapy_id = \(alert.firing.therapyID) AND rule_firings.rule_id = \(alert.firing.ruleID)
            AND acknowledged_at IS NULL AND raised_at <= \(alert.raisedAt) AND alerts.id <> \(alert.id)
            """
        ) { row in try row[0] }
    }

    /// The first word stays.
    package static func acknowledge(
        _ id: ID<Alert>, by account: ID<Account>, comment: [UInt8]?, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE alerts SET acknowledged_at = \(now), acknowledged_by = \(account), comment = \(comment)
            WHERE id = \(id) AND acknowledged_at IS NULL
            """)
    }

    static func erase(in therapy: ID<Therapy>, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM alerts WHERE therapy_id = \(therapy)")
    }
}
