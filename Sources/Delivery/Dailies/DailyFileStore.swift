import Contributions
import Database
import Records
import Therapies
import Wire

/// Statements about the dailies of some therapies in a span of time, for files of studies.
enum DailyFileStore {
    /// A window that a server planned.
    struct Planned: Sendable {
        let id: ID<Assignment>
        let slot: Slot
        let opens: Instant
        let closes: Instant
        let timezone: String?
        let isWithdrawn: Bool
        /// Whether it has reached a device.
        let isDelivered: Bool
    }

    /// A period of a local day of one therapy. It counts once, for any number of sheets.
    struct Slot: Hashable, Sendable {
        let therapy: ID<Therapy>
        let day: LocalDate
        let period: Int?
    }

    struct Sheet: Sendable {
        let id: ID<ContributionRecord>
        /// Nil for a window of the device's own.
        let assignment: ID<Assignment>?
        let slot: Slot
        let opens: Instant?
        let closes: Instant?
        let timezone: String
        let startedAt: Instant
        let completedAt: Instant
        let receivedAt: Instant
        let isExtra: Bool
    }

    /// Those that opened in it, the earliest first.
    static func planned(
        in therapies: [ID<Therapy>], from: Instant, to: Instant, _ connection: borrowing Connection
    ) throws -> [Planned] {
        if therapies.isEmpty { return [] }
        return try connection.all(
            """
            SELECT id, therapy_id, planned_on, period, available_from, due_at, timezone, withdrawn_at,
                coalesce(fetched_at, notified_at, opened_at)
            FROM assignments\(hint: .index("assignments_dailies"))
            WHERE therapy_id IN \(list: therapies) AND planned_on IS NOT NULL
            AND available_from >= \(from) AND available_from <= \(to) ORDER BY available_from, id
            """
        ) { row in
            let withdrawn: Instant? = try row[7]
            let seen: Instant? = try row[8]
            return Planned(
                id: try row[0], slot: Slot(therapy: try row[1], day: try row[2], period: try row[3]),
                opens: try row[4], closes: try row[5], timezone: try row[6], isWithdrawn: withdrawn != nil,
                isDelivered: seen != nil)
        }
    }

    /// Those that were completed in it, the earliest first.
    static func sheets(
        in therapies: [ID<Therapy>], from: Instant, to: Instant, _ connection: borrowing Connection
    ) throws -> [Sheet] {
        if therapies.isEmpty { return [] }
        return try connection.all(
            """
            SELECT contributions.id, assignment_id, contributions.therapy_id, contributions.planned_on,
                contributions.period, coalesce(available_from, daily_from), coalesce(due_at, daily_due),
                contributions.timezone, started_at, completed_at, received_at, extra
            FROM contributions LEFT JOIN assignments ON assignments.id = contributions.assignment_id
            WHERE contributions.therapy_id IN \(list: therapies) AND contributions.planned_on IS NOT NULL
            AND completed_at >= \(from) AND completed_at <= \(to) ORDER BY completed_at, contributions.id
            """
        ) { row in
            Sheet(
                id: try row[0], assignment: try row[1],
                slot: Slot(therapy: try row[2], day: try row[3], period: try row[4]), opens: try row[5],
                closes: try row[6], timezone: try row[7], startedAt: try row[8], completedAt: try row[9],
                receivedAt: try row[10], isExtra: try row[11])
        }
    }

    /// Their values, by scale.
    static func scores(
        in therapies: [ID<Therapy>], of account: ID<Account>, from: Instant, to: Instant,
        _ connection: borrowing Connection
    ) throws -> [ID<ContributionRecord>: [String: Double]] {
        if therapies.isEmpty { return [:] }
        let rows = try connection.all(
            """
            SELECT contributions.id, scale, value FROM contributions
            JOIN contribution_scores ON contribution_scores.account_id = contributions.account_id
                AND contribution_scores.contribution_id = contributions.id
            WHERE contributions.account_id = \(account) AND therapy_id IN \(list: therapies)
            AND planned_on IS NOT NULL AND completed_at >= \(from) AND completed_at <= \(to) AND value IS NOT NULL
            """
        ) { row in
            (
                id: try row[0] as ID<ContributionRecord>, scale: try row[1] as String,
                value: try row[2] as Double
            )
        }
        return rows.reduce(into: [:]) { $0[$1.id, default: [:]][$1.scale] = $1.value }
    }
}
