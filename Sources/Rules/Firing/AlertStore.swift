import Contributions
import Database
import Records
import Therapies
import Wire

/// A note that asks a therapist to look at something (IO-22).
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

    /// Not one of the reasons of an answer that has to be seen, which counts itself (PR-27).
    private static let standsAlone: SQL = """
        NOT EXISTS (SELECT 1 FROM contributions WHERE contributions.id = rule_firings.contribution_id
            AND contributions.therapy_id = rule_firings.therapy_id AND must_be_seen = 1 AND seen_at IS NULL)
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

    /// The number of a therapist's waiting alerts, for the navigation; those of one rule for one patient count as one.
    package static func waiting(of therapist: ID<Account>, _ connection: borrowing Connection) throws -> Int {
        try connection.count(
            """
            SELECT count(*) FROM (
                SELECT DISTINCT alerts.therapy_id, rule_firings.rule_id FROM alerts
                JOIN rule_firings ON rule_firings.id = alerts.firing_id
                JOIN therapies ON therapies.id = alerts.therapy_id
                WHERE acknowledged_at IS NULL AND therapies.therapist_id = \(therapist) AND \(sql: standsAlone)
            ) AS waiting
            """)
    }

    /// The number of waiting alerts of a therapist's patients and of other therapies, also of answers that have to be seen.
    static func rows(
        of therapist: ID<Account>, orIn shared: [ID<Therapy>], _ connection: borrowing Connection
    ) throws -> Int {
        try connection.count(
            """
            SELECT count(*) FROM (
                SELECT DISTINCT alerts.therapy_id, rule_firings.rule_id FROM alerts
                JOIN rule_firings ON rule_firings.id = alerts.firing_id
                JOIN therapies ON therapies.id = alerts.therapy_id
                WHERE acknowledged_at IS NULL
                AND (therapies.therapist_id = \(therapist) OR therapies.id IN \(list: shared))
            ) AS waiting
            """)
    }

    /// The number of one therapy's waiting alerts.
    package static func waiting(in therapy: ID<Therapy>, _ connection: borrowing Connection) throws -> Int {
        try connection.count(
            """
            SELECT count(DISTINCT rule_id) FROM alerts JOIN rule_firings ON rule_firings.id = alerts.firing_id
            WHERE alerts.therapy_id = \(therapy) AND acknowledged_at IS NULL AND \(sql: standsAlone)
            """)
    }

    /// A therapist's alerts, the newest first: waiting ones, or acknowledged ones.
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

    /// A therapy's alerts of a period, the newest first.
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

    /// Checks no access: finding an alert does not mean that it may be seen.
    static func find(_ id: ID<Alert>, _ connection: borrowing Connection) throws -> AlertRecord? {
        try connection.first("\(sql: columns) WHERE alerts.id = \(id)") { row in
            try AlertRecord(row: row)
        }
    }

    /// Earlier waiting ones of the same rule and patient.
    static func earlier(
        than alert: AlertRecord, _ connection: borrowing Connection
    ) throws -> [ID<Alert>] {
        try connection.all(
            """
            SELECT alerts.id FROM alerts JOIN rule_firings ON rule_firings.id = alerts.firing_id
            WHERE alerts.therapy_id = \(alert.firing.therapyID) AND rule_firings.rule_id = \(alert.firing.ruleID)
            AND acknowledged_at IS NULL AND raised_at <= \(alert.raisedAt) AND alerts.id <> \(alert.id)
            AND \(sql: standsAlone)
            """
        ) { row in try row[0] }
    }

    /// The first comment stays.
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

    /// The waiting ones that a sheet has raised.
    static func waiting(
        by sheet: ID<ContributionRecord>, in therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> [ID<Alert>] {
        try connection.all(
            """
            SELECT alerts.id FROM alerts JOIN rule_firings ON rule_firings.id = alerts.firing_id
            WHERE alerts.therapy_id = \(therapy) AND rule_firings.contribution_id = \(sheet)
            AND acknowledged_at IS NULL
            """
        ) { row in try row[0] }
    }

    /// Lets those wait again that an account acknowledged at one moment.
    static func release(
        in therapy: ID<Therapy>, by account: ID<Account>, at moment: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE alerts SET acknowledged_at = NULL, acknowledged_by = NULL, comment = NULL
            WHERE therapy_id = \(therapy) AND acknowledged_at = \(moment) AND acknowledged_by = \(account)
            """)
    }

    static func erase(in therapy: ID<Therapy>, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM alerts WHERE therapy_id = \(therapy)")
    }
}
