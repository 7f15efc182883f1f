import Database
import JSON
import Records
import Scheduling
import Wire
import Wording

/// Parsed once: every sheet of a study reads all of its plans.
private enum ParsedSchedules {
    private static let known = ParsedTexts<[Schedule]>()

    static func of(_ text: String) throws -> [Schedule] {
        try known.of(text) { text in
            let wires = try JSONReader.value([StudySchedule].self, from: text.utf8)
            return wires.compactMap(Schedule.init)
        }
    }
}

/// Every statement about the questionnaires of studies.
package enum StudyItemStore {
    /// Of a study, baseline first, then as they were added.
    package static func all(in study: ID<Study>, _ connection: borrowing Connection) throws -> [StudyItem] {
        try items("study_questionnaires.study_id = \(study)", connection)
    }

    package static func find(_ id: ID<StudyItem>, in study: ID<Study>, _ connection: borrowing Connection)
        throws
        -> StudyItem?
    {
        try items("study_questionnaires.id = \(id) AND study_questionnaires.study_id = \(study)", connection)
            .first
    }

    /// Those of a questionnaire, in any version: one without a time point, and one for each time point that it stands at.
    package static func all(
        of key: String, in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> [StudyItem] {
        try items(
            "study_questionnaires.study_id = \(study) AND study_questionnaires.questionnaire_key = \(key)",
            connection)
    }

    /// Of all studies that an account takes part in.
    package static func all(of account: ID<Account>, _ connection: borrowing Connection) throws -> [StudyItem]
    {
        try items(
            """
            study_questionnaires.study_id IN
                (SELECT study_id FROM enrolments WHERE account_id = \(account) AND state = 'enrolled')
            """, connection)
    }

    private static func items(_ wanted: SQL, _ connection: borrowing Connection) throws -> [StudyItem] {
        let plans = try connection.all(
            """
            SELECT item_id, since, is_active, schedules, time_window FROM study_schedules
            JOIN study_questionnaires ON study_questionnaires.id = study_schedules.item_id
            WHERE \(sql: wanted) ORDER BY item_id, since
            """
        ) { row -> (item: ID<StudyItem>, plan: StudyItem.Plan) in
            let plan = StudyItem.Plan(
                since: try row[1], isActive: try row[2], schedules: try ParsedSchedules.of(try row[3]),
                window: try (row[4] as String?).flatMap(TimePointWindow.of(column:)))
            return (item: try row[0], plan: plan)
        }
        let byItem = Dictionary(grouping: plans, by: \.item)
        return try connection.all(
            """
            SELECT * FROM study_questionnaires WHERE \(sql: wanted)
            ORDER BY study_id, baseline IS NULL, baseline DESC, position, id
            """
        ) { row in
            let id: ID<StudyItem> = try row["id"]
            let own = (byItem[id] ?? []).map(\.plan)
            // Once for each session is not once.
            let comesAgain = own.last?.window?.anchor == .eachSession
            return StudyItem(
                id: id, studyID: try row["study_id"], key: try row["questionnaire_key"],
                timePoint: try Self.timePoint(row["time_point"]), position: try row["position"],
                isOnetime: try row["is_onetime"] && !comesAgain, baseline: try row["baseline"],
                event: try row["event"],
                deactivatedAt: try row["deactivated_at"],
                isScheduleChangeable: try row["is_schedule_changeable"],
                allowsOvernight: try row["allows_overnight"],
                usesGPS: try row["uses_gps"], usesMicrophone: try row["uses_microphone"],
                arms: .stored(try row["arms"]),
                addedAt: try row["added_at"], revision: try row["revision"],
                plans: own)
        }
    }

    private static func timePoint(_ column: String) -> String? { column.isEmpty ? nil : column }

    /// - Throws: `Problem.conflict` when the study has the questionnaire at this time point already, `Problem.invalid` for a time
    ///   point that it does not have.
    package static func insert(
        _ draft: StudyItemDraft, id: ID<StudyItem>, key: String, in study: ID<Study>, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        let window = try window(of: draft, in: study, connection)
        do {
            try connection.run(
                """
                INSERT INTO study_questionnaires (id, study_id, questionnaire_key, time_point, position, is_onetime, baseline,
                    deactivated_at, is_schedule_changeable, allows_overnight, uses_gps, uses_microphone, added_at, event, arms)
                SELECT \(id), \(study), \(key), \(draft.timePoint ?? ""),
                    coalesce(CAST(\(draft.position) AS INTEGER), max(position) + 1, 0), \(draft.isOnetime), \(draft.baseline),
                    \(draft.isActive ? nil : now), \(draft.isScheduleChangeable), \(draft.allowsOvernight),
                    \(draft.usesGPS), \(draft.usesMicrophone), \(now), \(draft.event), \(draft.arms.column)
                FROM study_questionnaires WHERE study_id = \(study)
                """)
        } catch let error as DatabaseError where error.violates("study_questionnaires.questionnaire_key") {
            throw Problem.conflict(Message("studies.has_questionnaire"))
        }
        try plan(draft, window, for: id, since: now, connection)
    }

    /// The window of a draft's time point; nil without one.
    private static func window(
        of draft: StudyItemDraft, in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> TimePointWindow? {
        guard let key = draft.timePoint else { return nil }
        let points = try StudyStore.find(study, connection)?.timePoints
        guard let point = points?.first(where: { $0.key == key }) else {
            throw Problem.invalid("time_point", "studies.time_point_unknown")
        }
        if point.window.anchor == .eachSession {
            if !draft.schedules.isEmpty { throw Problem.invalid("schedules", "studies.session_no_schedule") }
            if draft.baseline != nil { throw Problem.invalid("baseline", "studies.session_no_baseline") }
            if draft.event != nil { throw Problem.invalid("event", "studies.session_no_event") }
        }
        return point.window
    }

    /// The questionnaires of time points that have changed are asked on their new days from now on.
    /// - Throws: `Problem.invalid` where a questionnaire stands at one that is not among them.
    package static func plan(
        _ points: [TimePoint], in study: ID<Study>, since now: Instant, _ connection: borrowing Connection
    ) throws {
        for item in try all(in: study, connection) {
            guard let key = item.timePoint else { continue }
            guard let point = points.first(where: { $0.key == key }) else {
                throw Problem.invalid("time_points", "studies.time_point_used", ["key": key])
            }
            let planned = item.plans.last?.window
            if point.window == planned { continue }
            if (point.window.anchor == .eachSession) != (planned?.anchor == .eachSession) {
                throw Problem.invalid("time_points", "studies.time_point_session", ["key": key])
            }
            try plan(StudyItemDraft(item), point.window, for: item.id, since: now, connection)
        }
    }

    /// How often the settings of a questionnaire were changed; nil when the study has it no more.
    package static func revision(of id: ID<StudyItem>, _ connection: borrowing Connection) throws -> Int? {
        try connection.value("SELECT revision FROM study_questionnaires WHERE id = \(id)")
    }

    package static func update(
        _ draft: StudyItemDraft, _ item: StudyItem, at now: Instant, _ connection: borrowing Connection
    ) throws {
        let window = try window(of: draft, in: item.studyID, connection)
        let isMoved =
            draft.timePoint != item.timePoint
            || (item.timePoint != nil && draft.schedules.isEmpty != item.schedules.isEmpty)
        if isMoved, try hasParticipants(item.studyID, connection) {
            throw Problem.conflict(Message("studies.time_point_fixed"))
        }
        if draft.event != item.event, try hasParticipants(item.studyID, connection) {
            throw Problem.conflict(Message("studies.event_fixed"))
        }
        if Set(draft.arms) != Set(item.arms), try hasParticipants(item.studyID, connection) {
            throw Problem.conflict(Message("studies.item_arms_fixed"))
        }
        if draft.timePoint != item.timePoint { try requireNoOutcome(item, connection) }
        do {
            try connection.run(
                """
                UPDATE study_questionnaires SET time_point = \(draft.timePoint ?? ""), is_onetime = \(draft.isOnetime),
                    position = \(draft.position ?? item.position), baseline = \(draft.baseline),
                    deactivated_at = CASE WHEN \(draft.isActive) THEN NULL ELSE coalesce(deactivated_at, \(now)) END,
                    is_schedule_changeable = \(draft.isScheduleChangeable),
                    allows_overnight = \(draft.allowsOvernight), uses_gps = \(draft.usesGPS),
                    uses_microphone = \(draft.usesMicrophone), event = \(draft.event), arms = \(draft.arms.column),
                    revision = revision + 1
                WHERE id = \(item.id)
                """)
        } catch let error as DatabaseError where error.violates("study_questionnaires.questionnaire_key") {
            throw Problem.conflict(Message("studies.has_questionnaire"))
        }
        if item.isScheduleChangeable, !draft.isScheduleChangeable {
            try NotificationTimesStore.end(of: item.id, since: now, connection)
        }
        let isAskedOtherwise =
            draft.schedules != item.schedules || draft.isActive != (item.deactivatedAt == nil)
            || window != item.plans.last?.window
        if isAskedOtherwise { try plan(draft, window, for: item.id, since: now, connection) }
    }

    private static func plan(
        _ draft: StudyItemDraft, _ window: TimePointWindow?, for item: ID<StudyItem>, since now: Instant,
        _ connection: borrowing Connection
    ) throws {
        let text = String(decoding: try JSONWriter.bytes(of: draft.schedules.map(\.wire)), as: UTF8.self)
        try connection.run(
            """
            INSERT INTO study_schedules (item_id, since, is_active, schedules, time_window)
            VALUES (\(item), \(now), \(draft.isActive), \(text), \(try window?.column))
            ON CONFLICT (item_id, since) DO UPDATE SET is_active = excluded.is_active, schedules = excluded.schedules,
                time_window = excluded.time_window
            """)
    }

    /// Removes a questionnaire without answers from a study.
    /// - Throws: `Problem.conflict` when it has one, or an outcome names it.
    package static func remove(_ item: StudyItem, _ connection: borrowing Connection) throws {
        if try isAnswered(item, connection) { throw Problem.conflict(Message("studies.is_answered")) }
        if try hasEvents(item, connection) { throw Problem.conflict(Message("studies.has_events")) }
        try requireNoOutcome(item, connection)
        try connection.run("DELETE FROM study_questionnaires WHERE id = \(item.id)")
    }

    /// - Throws: `Problem.conflict` for one that an outcome names at its time point.
    private static func requireNoOutcome(_ item: StudyItem, _ connection: borrowing Connection) throws {
        if try isOutcome(item, connection) {
            throw Problem.conflict(Message("studies.is_outcome"))
        }
    }

    /// Since when a questionnaire cannot be answered any more, because all of its versions were retired; by key.
    static func retired(in study: ID<Study>, _ connection: borrowing Connection) throws -> [String: Instant] {
        let rows = try connection.all(
            """
            SELECT questionnaires.key, max(retired_at) FROM study_questionnaires
            JOIN questionnaires ON questionnaires.key = questionnaire_key WHERE study_id = \(study)
            GROUP BY questionnaires.key HAVING count(*) = count(retired_at)
            """
        ) { row in (key: try row[0] as String, at: try row[1] as Instant) }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.key, $0.at) })
    }
}
