import Database
import Records
import Therapies
import Web
import Wire

/// Every statement about assignments.
package enum AssignmentStore {
    private static let columns: SQL = """
        SELECT assignments.*, contributions.id AS contribution_id, contributions.received_at AS answered_at
        FROM assignments
        LEFT JOIN contributions ON contributions.assignment_id = assignments.id
        """

    /// Neither answered nor taken back: with the contributions of assignments at its side.
    package static let isPending: SQL = "assignments.withdrawn_at IS NULL AND contributions.id IS NULL"

    /// What is open or coming for a patient, in order of the deadline. A daily shows itself only once its window
    /// has begun, unless what is planned is asked for.
    package static func open(
        in therapy: ID<Therapy>, at now: Instant, withPlanned: Bool = false,
        _ connection: borrowing Connection
    ) throws -> [AssignmentRecord] {
        let second = Instant(milliseconds: now.seconds * 1000)
        return try connection.all(
            """
            \(sql: columns) WHERE assignments.therapy_id = \(therapy) AND \(sql: isPending)
            AND assignments.due_at >= \(second)
            AND (\(withPlanned) OR assignments.source <> 'daily' OR assignments.available_from <= \(now))
            ORDER BY assignments.due_at, assignments.position, assignments.id
            """)
    }

    /// All of a therapy, dailies and withdrawn ones too, the earliest first.
    package static func everything(
        in therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> [AssignmentRecord] {
        try connection.all(
            "\(sql: columns) WHERE assignments.therapy_id = \(therapy) ORDER BY assignments.available_from, assignments.id"
        )
    }

    /// All of a therapy but the dailies, the newest first.
    package static func all(in therapy: ID<Therapy>, _ connection: borrowing Connection) throws
        -> [AssignmentRecord]
    {
        try connection.all(
            """
            \(sql: columns) WHERE assignments.therapy_id = \(therapy) AND assignments.planned_on IS NULL
            ORDER BY assignments.available_from DESC, assignments.id
            """)
    }

    /// A patient's assignments of a period, withdrawn ones too, without the dailies; the newest first.
    package static func given(
        in therapy: ID<Therapy>, since: Instant, before: Instant, _ connection: borrowing Connection
    ) throws -> [AssignmentRecord] {
        try connection.all(
            """
            \(sql: columns) WHERE assignments.therapy_id = \(therapy) AND assignments.planned_on IS NULL
            AND assignments.assigned_at >= \(since) AND assignments.assigned_at < \(before)
            ORDER BY assignments.assigned_at DESC, assignments.available_from DESC, assignments.id
            """)
    }

    /// Unanswered ones that were due after a moment or still are, without the dailies; the newest first.
    package static func unanswered(
        in therapy: ID<Therapy>, dueAfter: Instant, limit: Int, _ connection: borrowing Connection
    ) throws -> [AssignmentRecord] {
        try connection.all(
            """
            \(sql: columns) WHERE assignments.therapy_id = \(therapy) AND assignments.planned_on IS NULL
            AND assignments.due_at > \(dueAfter) AND assignments.withdrawn_at IS NULL AND contributions.id IS NULL
            ORDER BY assignments.available_from DESC, assignments.id LIMIT \(limit)
            """)
    }

    /// The moment of the `limit`th newest of those given before another moment; nil when there are fewer.
    package static func boundary(
        in therapy: ID<Therapy>, before: Instant, limit: Int, _ connection: borrowing Connection
    ) throws -> Instant? {
        try connection.value(
            """
            SELECT assigned_at FROM assignments
            WHERE therapy_id = \(therapy) AND planned_on IS NULL AND assigned_at < \(before)
            ORDER BY assigned_at DESC LIMIT 1 OFFSET \(limit - 1)
            """)
    }

    /// An assignment of an account's therapy, or of the one whose sheets it holds; nil for others as for none.
    package static func find(
        _ id: ID<Assignment>, of account: ID<Account>, _ connection: borrowing Connection
    ) throws
        -> AssignmentRecord?
    {
        try connection.first(
            """
            \(sql: columns) JOIN therapies ON therapies.id = assignments.therapy_id
            WHERE assignments.id = \(id) AND (therapies.account_id = \(account) OR therapies.holder_id = \(account))
            """)
    }

    package static func find(
        _ id: ID<Assignment>, inTherapy therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> AssignmentRecord? {
        try connection.first(
            "\(sql: columns) WHERE assignments.id = \(id) AND assignments.therapy_id = \(therapy)")
    }

    package static func therapy(
        of id: ID<Assignment>, _ connection: borrowing Connection
    ) throws -> ID<Therapy>? {
        try connection.value("SELECT therapy_id FROM assignments WHERE id = \(id)")
    }

    package static func insert(
        _ id: ID<Assignment>, questionnaire: ID<QuestionnaireVersion>, therapy: ID<Therapy>,
        source: AssignmentRecord.Source, from: Instant,
        due: Instant, at now: Instant, battery: ID<Battery>? = nil, position: Int = 0,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO assignments (id, therapy_id, questionnaire_id, source, available_from, due_at, assigned_at,
                battery_id, position)
            VALUES (\(id), \(therapy), \(questionnaire), \(source), \(from), \(due), \(now), \(battery),
                \(position))
            """)
    }

    /// Withdraws an unanswered assignment and returns whether there was one.
    package static func withdraw(
        _ id: ID<Assignment>, in therapy: ID<Therapy>, at now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.run(
            """
            UPDATE assignments SET withdrawn_at = \(now)
            WHERE id = \(id) AND therapy_id = \(therapy) AND withdrawn_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM contributions WHERE assignment_id = assignments.id)
            """) > 0
    }

    /// Undoes a withdrawal by hand.
    static func bringBack(
        _ id: ID<Assignment>, in therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE assignments SET withdrawn_at = NULL
            WHERE id = \(id) AND therapy_id = \(therapy) AND withdrawn_by_plan = 0
            """)
    }

    static let revision: RevisionOf = { places, _, connection in
        guard let id = ID<Assignment>(uuid: places["assignment"]),
            let therapy = ID<Therapy>(uuid: places["patient"])
        else { return nil }
        return try connection.revision(
            """
            SELECT withdrawn_at, available_from, due_at FROM assignments
            WHERE id = \(id) AND therapy_id = \(therapy)
            """)
    }

    /// Open ones given by hand, at the begin or after a result: no plan computes their window again.
    static func movable(
        in therapy: ID<Therapy>, at now: Instant, _ connection: borrowing Connection
    ) throws -> [AssignmentRecord] {
        try connection.all(
            """
            \(sql: columns) WHERE assignments.therapy_id = \(therapy) AND assignments.withdrawn_at IS NULL
            AND assignments.due_at > \(now) AND contributions.id IS NULL AND assignments.planned_on IS NULL
            AND (assignments.rule_id IS NULL OR assignments.occasion = 'begin' OR substr(assignments.occasion, 1, 7) = 'result/')
            """)
    }

    static func move(
        _ id: ID<Assignment>, from: Instant, due: Instant, in therapy: ID<Therapy>,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE assignments SET available_from = \(from), due_at = \(due)
            WHERE id = \(id) AND therapy_id = \(therapy)
            """)
    }

    /// Those that no device has fetched yet.
    static func unfetched(
        among ids: [ID<Assignment>], _ connection: borrowing Connection
    ) throws -> [ID<Assignment>] {
        guard !ids.isEmpty else { return [] }
        return try connection.all(
            "SELECT id FROM assignments WHERE id IN \(list: ids) AND fetched_at IS NULL"
        ) { row in try row[0] }
    }

    package static func noteFetched(
        _ ids: [ID<Assignment>], at now: Instant, _ connection: borrowing Connection
    )
        throws
    {
        try connection.run(
            "UPDATE assignments SET fetched_at = \(now) WHERE id IN \(list: ids) AND fetched_at IS NULL")
    }

    /// Forgets the planned assignments of an account that was paired by mistake; those from the therapist stay, as if
    /// no device had ever fetched them.
    package static func startOver(in therapy: ID<Therapy>, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM assignments WHERE therapy_id = \(therapy) AND source <> 'therapist'")
        try connection.run(
            """
            UPDATE assignments SET fetched_at = NULL, notified_at = NULL, opened_at = NULL
            WHERE therapy_id = \(therapy)
            """)
    }
}
