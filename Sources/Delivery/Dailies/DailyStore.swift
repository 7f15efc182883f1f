import Database
import Records
import Scheduling
import Therapies
import Wire

/// Every statement about dailies: the therapies that get them, the plan, and its result.
package enum DailyStore {
    /// A running therapy as the planner reads it.
    package struct Course: Sendable, FromRow {
        package let therapy: ID<Therapy>
        package let zone: String
        package let pairedAt: Instant
        /// The last planned day, and the zone it was planned in; nil before the first time.
        package let until: LocalDate?
        let plannedZone: String?
        package let isOn: Bool
        package let therapist: ID<Account>

        package init(row: borrowing Row) throws {
            therapy = try row[0]
            zone = try row[1]
            pairedAt = try row[2]
            until = try row[3]
            plannedZone = try row[4]
            let offAt: Instant? = try row[5]
            isOn = offAt == nil
            therapist = try row[6]
        }
    }

    private static let courses: SQL = """
        SELECT therapies.id, accounts.timezone, paired_at, dailies_until, dailies_zone, dailies_off_at,
            therapist_id
        FROM therapies JOIN accounts ON accounts.id = therapies.account_id
        """

    /// Nil for a therapy that has ended, has no account, or whose group has no app (IO-21).
    package static func course(_ therapy: ID<Therapy>, _ connection: borrowing Connection) throws -> Course? {
        try connection.first(
            """
            \(sql: courses) WHERE therapies.id = \(therapy) AND therapies.ended_at IS NULL
            AND \(sql: TherapyStore.asksByApp)
            """)
    }

    /// Some of the therapies whose plan does not reach a day yet, or whose patient has moved to another zone.
    static func due(
        until day: LocalDate, after therapy: ID<Therapy>, limit: Int, _ connection: borrowing Connection
    ) throws -> [Course] {
        try connection.all(
            """
            \(sql: courses) WHERE therapies.ended_at IS NULL AND therapies.dailies_off_at IS NULL
            AND \(sql: TherapyStore.asksByApp) AND therapies.id > \(therapy)
            AND (dailies_until IS NULL OR dailies_until < \(day) OR dailies_zone <> accounts.timezone)
            ORDER BY therapies.id LIMIT \(limit)
            """)
    }

    struct Taken: Sendable {
        let day: LocalDate
        let period: Int
        let closes: Instant

        /// Whether a window is for the same period of a day, or would be open at the same time.
        func isInTheWay(of window: DailyPlan.Window) -> Bool {
            if day == window.day && period == window.period { return true }
            return closes > window.opens && closes.adding(seconds: -DailyPlan.openSeconds) < window.closes
        }
    }

    /// The plan from a day on, the earliest first: periods that are taken, and when the last window closes.
    static func taken(
        in therapy: ID<Therapy>, from day: LocalDate, _ connection: borrowing Connection
    ) throws -> [Taken] {
        try connection.all(
            """
            SELECT planned_on, period, due_at FROM assignments WHERE therapy_id = \(therapy)
            AND planned_on >= \(day) AND withdrawn_at IS NULL ORDER BY due_at
            """
        ) { row in Taken(day: try row[0], period: try row[1], closes: try row[2]) }
    }

    /// One row a statement: SQLite can undo a single row without saving every page it touches, which for many rows in
    /// one statement came to 22 kB of writes each.
    package static func insert(
        _ window: DailyPlan.Window, id: ID<Assignment>, therapy: ID<Therapy>,
        questionnaire: ID<QuestionnaireVersion>, zone: String,
        at now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO assignments (id, therapy_id, questionnaire_id, source, available_from, due_at, assigned_at,
                planned_on, period, timezone)
            VALUES (\(id), \(therapy), \(questionnaire), 'daily', \(window.opens), \(window.closes), \(now),
                \(window.day), \(window.period), \(zone))
            """)
    }

    /// Withdraws dailies that have not begun. Those no device has fetched are deleted; fetched ones stay as
    /// withdrawn, so that an answer is recognised and kept in quarantine.
    package static func clearFuture(
        in therapy: ID<Therapy>, at now: Instant, _ connection: borrowing Connection
    )
        throws
    {
        try connection.run(
            """
            DELETE FROM assignments WHERE therapy_id = \(therapy) AND planned_on IS NOT NULL
            AND available_from > \(now) AND fetched_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM contributions WHERE assignment_id = assignments.id)
            """)
        try connection.run(
            """
            UPDATE assignments SET withdrawn_at = \(now), withdrawn_by_plan = 1
            WHERE therapy_id = \(therapy) AND planned_on IS NOT NULL AND available_from > \(now)
            AND withdrawn_at IS NULL AND NOT EXISTS (SELECT 1 FROM contributions WHERE assignment_id = assignments.id)
            """)
    }

    /// Withdraws those of some days that have not begun.
    package static func clear(
        from first: LocalDate, through last: LocalDate, in therapy: ID<Therapy>, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            DELETE FROM assignments WHERE therapy_id = \(therapy) AND planned_on >= \(first)
            AND planned_on <= \(last) AND available_from > \(now) AND fetched_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM contributions WHERE assignment_id = assignments.id)
            """)
        try connection.run(
            """
            UPDATE assignments SET withdrawn_at = \(now), withdrawn_by_plan = 1
            WHERE therapy_id = \(therapy) AND planned_on >= \(first) AND planned_on <= \(last)
            AND available_from > \(now) AND withdrawn_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM contributions WHERE assignment_id = assignments.id)
            """)
    }

    /// Restores the plan made for a former zone, for patients who return to it.
    static func revive(
        in therapy: ID<Therapy>, zone: String, through day: LocalDate, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE assignments SET withdrawn_at = NULL, withdrawn_by_plan = 0
            WHERE id IN (SELECT max(id) FROM assignments WHERE therapy_id = \(therapy) AND timezone = \(zone)
                AND planned_on IS NOT NULL AND planned_on <= \(day) AND available_from > \(now)
                AND withdrawn_by_plan = 1 GROUP BY planned_on, period)
            AND NOT EXISTS (SELECT 1 FROM assignments AS live WHERE live.therapy_id = \(therapy)
                AND live.planned_on = assignments.planned_on AND live.period = assignments.period
                AND live.withdrawn_at IS NULL)
            """)
    }

    /// Gives dailies that no device has fetched the version now in force.
    static func adopt(
        questionnaire: ID<QuestionnaireVersion>, in therapy: ID<Therapy>, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE assignments SET questionnaire_id = \(questionnaire)
            WHERE therapy_id = \(therapy) AND planned_on IS NOT NULL AND available_from > \(now)
            AND fetched_at IS NULL AND questionnaire_id <> \(questionnaire)
            """)
    }

    /// The plan from now on: open and coming ones, the earliest first.
    package static func plan(
        in therapy: ID<Therapy>, from now: Instant, through day: LocalDate, _ connection: borrowing Connection
    ) throws -> [(id: ID<Assignment>, opens: Instant, closes: Instant)] {
        try connection.all(
            """
            SELECT id, available_from, due_at FROM assignments WHERE therapy_id = \(therapy)
            AND due_at >= \(now) AND planned_on IS NOT NULL AND planned_on <= \(day) AND withdrawn_at IS NULL
            ORDER BY available_from, id
            """
        ) { row in (id: try row[0], opens: try row[1], closes: try row[2]) }
    }
}
