import Database
import Records
import Therapies
import Web
import Wire

/// The ledger of deliveries: the fate of every assignment.
package enum LedgerStore {
    /// For an own assignment: covers a device's reports, and the end of the assignment.
    package static let revision: RevisionOf = { places, account, connection in
        guard let id = ID<Assignment>(uuid: places["assignment"]) else { return nil }
        return try connection.revision(
            """
            SELECT available_from, due_at, withdrawn_at, notified_at, opened_at FROM assignments
            WHERE id = \(id) AND therapy_id IN (SELECT id FROM therapies WHERE account_id = \(account))
            """)
    }

    private static let columns: SQL = """
        SELECT assignments.*, contributions.id AS contribution_id, contributions.received_at AS answered_at
        FROM assignments LEFT JOIN contributions ON contributions.assignment_id = assignments.id
        """

    /// The deliveries of a therapy, the latest window first.
    /// - Parameter withDailies: includes prompts, which are twenty times as many; each once it has begun.
    package static func page(
        in therapy: ID<Therapy>, withDailies: Bool, at now: Instant, _ paging: Paging,
        _ connection: borrowing Connection
    ) throws -> (part: [AssignmentRecord], next: String?) {
        let at = paging.after?.at ?? .max
        let id = paging.after?.id ?? ""
        let records: [AssignmentRecord] = try connection.all(
            """
            \(sql: columns) WHERE assignments.therapy_id = \(therapy)
            AND (assignments.source <> 'daily' OR (\(withDailies) AND available_from <= \(now)))
            AND (available_from < \(at) OR (available_from = \(at) AND assignments.id > \(id)))
            ORDER BY available_from DESC, assignments.id LIMIT \(paging.limit + 1)
            """)
        let part = Array(records.prefix(paging.limit))
        let last = part.count < records.count ? part.last : nil
        return (part, last.map { paging.next(after: Position($0.availableFrom, $0.id)) })
    }

    /// The number planned, delivered and answered in a therapy, of those that have begun.
    package static func counts(
        in therapy: ID<Therapy>, withDailies: Bool, at now: Instant, _ connection: borrowing Connection
    ) throws -> (planned: Int, delivered: Int, answered: Int) {
        let found = try connection.first(
            """
            SELECT count(*), count(coalesce(fetched_at, notified_at, opened_at, contributions.received_at)),
                count(contributions.id)
            FROM assignments LEFT JOIN contributions ON contributions.assignment_id = assignments.id
            WHERE assignments.therapy_id = \(therapy) AND (\(withDailies) OR assignments.source <> 'daily')
            AND available_from <= \(now) AND (withdrawn_at IS NULL OR contributions.id IS NOT NULL)
            """
        ) { row -> (Int, Int, Int) in (try row[0], try row[1], try row[2]) }
        return found.map { (planned: $0.0, delivered: $0.1, answered: $0.2) } ?? (0, 0, 0)
    }

    package static func count(
        in therapy: ID<Therapy>, withDailies: Bool, at now: Instant, _ connection: borrowing Connection
    ) throws -> Int {
        try connection.count(
            """
            SELECT count(*) FROM assignments WHERE therapy_id = \(therapy)
            AND (source <> 'daily' OR (\(withDailies) AND available_from <= \(now)))
            """)
    }

    /// A relay took the reminder; whether it reached a device is unknown.
    package static func notePushed(
        _ id: ID<Assignment>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "UPDATE assignments SET pushed_at = coalesce(pushed_at, \(now)) WHERE id = \(id)")
    }

    /// A browser's worker has shown a reminder, which counts like an app's report.
    package static func noteShown(
        _ id: String, of account: ID<Account>, at moment: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE assignments SET shown_at = coalesce(shown_at, \(moment)),
                notified_at = coalesce(notified_at, \(moment))
            WHERE id = \(id) AND therapy_id IN (SELECT id FROM therapies WHERE account_id = \(account))
            """)
    }

    /// Notes an app's report on a delivery; earlier reports stay.
    static func report(
        _ id: ID<Assignment>, notified: Instant?, opened: Instant?, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE assignments SET notified_at = coalesce(notified_at, \(notified)),
                opened_at = coalesce(opened_at, \(opened)), fetched_at = coalesce(fetched_at, \(now))
            WHERE id = \(id)
            """)
    }
}
