import Database
public import Scheduling
public import Wire

/// An assignment on the phone.
public struct LocalAssignment: Sendable, Equatable {
    /// new: its questionnaire is not loaded yet. ready: can be filled in, also offline. deleted: gone from the
    /// portal, but a sheet of it is still to be sent.
    public enum State: String, Sendable { case new, ready, deleted }

    public let id: String
    /// Nil for a daily of the plan whose questionnaire is not known yet.
    public let questionnaireID: String?
    public let source: String
    public let title: String
    public let availableFrom: Instant
    public let dueAt: Instant
    public let state: State
    /// A daily planned by the phone itself.
    public let isOwn: Bool
    public let openedAt: Instant?
    public let isFilledIn: Bool
    /// The zone that a daily of the phone's own was planned in.
    let zone: String?

    init(row: borrowing Row) throws {
        id = try row["id"]
        questionnaireID = try row["questionnaire_id"]
        source = try row["source"]
        title = try row["title"]
        availableFrom = Instant(milliseconds: try row["available_from"])
        dueAt = Instant(milliseconds: try row["due_at"])
        let isListed: Bool = try row["in_list"]
        let isPlanned: Bool = try row["in_plan"]
        let isOwn: Bool = try row["is_own"]
        let isLoaded: Bool = try row["is_loaded"]
        state = !isListed && !isPlanned && !isOwn ? .deleted : isLoaded ? .ready : .new
        self.isOwn = isOwn
        openedAt = Instant(stored: try row["opened_at"])
        isFilledIn = try row["is_filled_in"]
        zone = try row["zone"]
    }

    /// Whether it can be answered at a moment; whole seconds are compared, as the portal does.
    public func isOpen(at now: Instant) -> Bool {
        !isFilledIn && state == .ready && availableFrom.seconds <= now.seconds && now.seconds <= dueAt.seconds
    }
}

extension LocalStore {
    private static let columns: SQL = """
        SELECT assignments.id, assignments.questionnaire_id, source, title, available_from, due_at, in_list,
            in_plan, is_own, zone, opened_at, questionnaires.id IS NOT NULL AS is_loaded,
            sheets.id IS NOT NULL AS is_filled_in
        FROM assignments LEFT JOIN questionnaires ON questionnaires.id = assignments.questionnaire_id
        LEFT JOIN sheets ON sheets.assignment_id = assignments.id
        """

    /// Open and coming ones, in order of their deadline.
    public func assignments() throws -> [LocalAssignment] {
        try read { connection in
            try connection.all("\(sql: Self.columns) ORDER BY due_at, assignments.id") {
                try LocalAssignment(row: $0)
            }
        }
    }

    public func assignment(_ id: String) throws -> LocalAssignment? {
        try read { try Self.assignment(id, $0) }
    }

    static func assignment(_ id: String, _ connection: borrowing Connection) throws -> LocalAssignment? {
        try connection.first("\(sql: columns) WHERE assignments.id = \(id)") { try LocalAssignment(row: $0) }
    }

    // MARK: From the portal

    /// Step 1 for the list of assignments: those only there are new, those only here are deleted, the others stay.
    static func take(
        _ assignments: [Item<Assignment>], _ connection: borrowing Connection
    ) throws {
        try connection.run("UPDATE assignments SET in_list = 0")
        for item in assignments {
            let it = item.attributes
            try connection.run(
                """
                INSERT INTO assignments (id, questionnaire_id, source, title, available_from, due_at, in_list,
                    in_plan, is_own, answered_elsewhere)
                VALUES (\(item.id), \(it.questionnaireID), \(it.source), \(it.title),
                    \(it.availableFrom.milliseconds), \(it.dueAt.milliseconds), 1, 0, 0, \(it.progress.answered))
                ON CONFLICT (id) DO UPDATE SET in_list = 1, questionnaire_id = excluded.questionnaire_id,
                    title = excluded.title, available_from = excluded.available_from, due_at = excluded.due_at,
                    answered_elsewhere = excluded.answered_elsewhere
                """)
            if it.source == "daily" { try set(.dailyQuestionnaire, it.questionnaireID, connection) }
        }
        try dropDeleted(connection)
    }

    /// The same for the plan of dailies: it replaces the phone's own, except ones that are open or begun.
    /// - Parameter day: the last day of the plan; nil without one.
    static func take(
        plan: [Item<Daily>], through day: LocalDate?, now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run("UPDATE assignments SET in_plan = 0")
        let questionnaire = try fact(.dailyQuestionnaire, connection)
        for item in plan {
            // The plan names open ones, answered or not.
            if try isAnswered(item.id, connection) { continue }
            let it = item.attributes
            try connection.run(
                """
                INSERT INTO assignments (id, questionnaire_id, source, title, available_from, due_at, in_list,
                    in_plan, is_own)
                VALUES (\(item.id), \(questionnaire), 'daily', '', \(it.availableFrom.milliseconds),
                    \(it.dueAt.milliseconds), 0, 1, 0)
                ON CONFLICT (id) DO UPDATE SET in_plan = 1
                """)
        }
        try set(.plannedThrough, day?.text, connection)
        try connection.run(
            """
            DELETE FROM assignments WHERE is_own = 1 AND id NOT IN (SELECT assignment_id FROM sheets)
            AND id NOT IN (SELECT subject_id FROM drafts)
            AND NOT (available_from <= \(now.milliseconds) AND due_at >= \(now.milliseconds))
            """)
        try dropDeleted(connection)
    }

    /// Removes those gone from the portal, except ones with a sheet still to be sent.
    private static func dropDeleted(_ connection: borrowing Connection) throws {
        try connection.run(
            """
            DELETE FROM assignments WHERE in_list = 0 AND in_plan = 0 AND is_own = 0
            AND id NOT IN (SELECT assignment_id FROM sheets WHERE refused_with IS NULL)
            """)
        for kind in [Outgoing.Kind.draft, .assignment] {
            try connection.run(
                """
                DELETE FROM outbox WHERE kind = \(kind.rawValue)
                AND subject_id NOT IN (SELECT id FROM assignments)
                """)
        }
        try connection.run("DELETE FROM drafts WHERE subject_id NOT IN (SELECT id FROM assignments)")
    }

    static func isAnswered(_ id: String, _ connection: borrowing Connection) throws -> Bool {
        try connection.exists("SELECT 1 FROM contributions WHERE assignment_id = \(id)")
    }

    // MARK: Changes

    /// Notes that an assignment was opened, once.
    public func openAssignment(_ id: String, at now: Instant) throws {
        try write { connection in
            let changed = try connection.run(
                """
                UPDATE assignments SET opened_at = \(now.whole.milliseconds)
                WHERE id = \(id) AND opened_at IS NULL AND is_own = 0
                """)
            if changed > 0 { try Self.enqueue(.assignment, id, connection) }
        }
    }

    /// Dailies of the phone's own for days beyond the portal's plan, so that it asks while offline for long.
    /// - Parameters:
    ///   - days: how many days ahead, counted from today.
    ///   - seed: of the random moments; the same gives the same.
    public func planDailies(
        days: Int = DailyPlan.daysAhead, zone: Zone, at now: Instant, seed: UInt64
    ) throws {
        let today = LocalTime(now, zone).date
        let last = try read { connection -> LocalDate? in
            try Self.fact(.plannedThrough, connection).flatMap { LocalDate($0) }
        }
        // Without a plan of the portal nothing is asked: dailies may be switched off there.
        guard let planned = last, let questionnaire = try dailyQuestionnaire() else { return }
        let own = try read { connection -> LocalDate? in
            try connection.first(
                "SELECT available_from FROM assignments WHERE is_own = 1 ORDER BY available_from DESC"
            ) { LocalTime(Instant(milliseconds: try $0[0]), zone).date }
        }
        var clock = ZoneClock(zone)
        let windows = DailyPlan(seed: seed).windows(
            after: max(planned, own ?? planned), through: today.adding(days: days), at: now, &clock)
        guard !windows.isEmpty else { return }
        let ids = windows.map { _ in NewID.make() }
        try write { connection in
            for (window, id) in zip(windows, ids) {
                try connection.run(
                    """
                    INSERT INTO assignments (id, questionnaire_id, source, title, available_from, due_at, in_list,
                        in_plan, is_own, zone)
                    VALUES (\(id), \(questionnaire), 'daily', '', \(window.opens.milliseconds),
                        \(window.closes.milliseconds), 0, 0, 1, \(zone.identifier))
                    """)
            }
            // Unanswered ones whose window is over.
            try connection.run(
                """
                DELETE FROM assignments WHERE is_own = 1 AND due_at < \(now.milliseconds)
                AND id NOT IN (SELECT assignment_id FROM sheets)
                """)
            try connection.run("DELETE FROM drafts WHERE subject_id NOT IN (SELECT id FROM assignments)")
        }
    }

    private func dailyQuestionnaire() throws -> String? {
        try read { try Self.fact(.dailyQuestionnaire, $0) }
    }
}
