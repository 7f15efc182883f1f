import Contributions
import Database
import Psychometrics
import Records
import Therapies
import Web
import Wire
import Wording

/// Every statement about rules of delivery and the assignments they make.
package enum DeliveryRuleStore {
    /// The rules of a therapy that are in force, the oldest first.
    package static func active(in therapy: ID<Therapy>, _ connection: borrowing Connection) throws
        -> [DeliveryRule]
    {
        try connection.all(
            """
            SELECT * FROM delivery_rules WHERE therapy_id = \(therapy) AND stopped_at IS NULL
            ORDER BY created_at, id
            """)
    }

    /// Also those that were stopped, the oldest first.
    package static func everything(
        in therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> [DeliveryRule] {
        try connection.all(
            "SELECT * FROM delivery_rules WHERE therapy_id = \(therapy) ORDER BY created_at, id")
    }

    package static func find(
        _ id: ID<DeliveryRule>, in therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> DeliveryRule? {
        try connection.first("SELECT * FROM delivery_rules WHERE id = \(id) AND therapy_id = \(therapy)")
    }

    /// Some of the running therapies with rules that look ahead, in order of their ids.
    static func therapies(
        after id: ID<Therapy>, limit: Int, _ connection: borrowing Connection
    ) throws -> [ID<Therapy>] {
        try connection.all(
            """
            SELECT DISTINCT therapies.id FROM therapies JOIN delivery_rules
            ON delivery_rules.therapy_id = therapies.id AND delivery_rules.stopped_at IS NULL
            WHERE therapies.ended_at IS NULL AND therapies.account_id IS NOT NULL AND therapies.id > \(id)
            ORDER BY therapies.id LIMIT \(limit)
            """
        ) { row in try row[0] }
    }

    package static func insert(
        _ draft: DeliveryRuleDraft, id: ID<DeliveryRule>, in therapy: ID<Therapy>, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        let rhythm = draft.rhythm
        let watch = draft.watch
        try connection.run(
            """
            INSERT INTO delivery_rules (id, therapy_id, occasion, questionnaire_key, battery_id, open_minutes, every,
                unit, starts_on, at_minute, ends_on, watched_key, watched_scale, comparison, threshold, rest_days,
                created_at)
            VALUES (\(id), \(therapy), \(draft.occasion), \(draft.questionnaireKey), \(draft.batteryID),
                \(draft.openMinutes), \(rhythm?.every), \(rhythm?.unit), \(rhythm?.startsOn), \(rhythm?.atMinute),
                \(rhythm?.endsOn), \(watch?.key), \(watch?.scale), \(watch?.threshold.comparison.rawValue),
                    \(watch?.threshold.value),
                \(watch?.restDays), \(now))
            """)
    }

    /// - Throws: `Problem.notFound` when the therapy has no such rule; stopping twice is harmless.
    package static func stop(
        _ id: ID<DeliveryRule>, in therapy: ID<Therapy>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        let changed = try connection.run(
            """
            UPDATE delivery_rules SET stopped_at = coalesce(stopped_at, \(now)), stopped_by_protocol = 0
            WHERE id = \(id) AND therapy_id = \(therapy)
            """)
        if changed == 0 { throw Problem.notFound }
    }

    static let revision: RevisionOf = { places, _, connection in
        guard let id = ID<DeliveryRule>(uuid: places["rule"]),
            let therapy = ID<Therapy>(uuid: places["patient"])
        else { return nil }
        return try connection.revision(
            "SELECT stopped_at FROM delivery_rules WHERE id = \(id) AND therapy_id = \(therapy)")
    }

    /// For how many days a stopped rule can be resumed.
    static let returnDays: Int64 = 30

    /// The rules of a therapy that were stopped and can be resumed, the latest first.
    package static func stopped(
        in therapy: ID<Therapy>, at now: Instant, _ connection: borrowing Connection
    ) throws -> [DeliveryRule] {
        try connection.all(
            """
            SELECT * FROM delivery_rules
            WHERE therapy_id = \(therapy) AND stopped_at > \(now.adding(days: -returnDays))
            ORDER BY stopped_at DESC, id
            """)
    }

    /// Resumes a stopped rule, with its assignments that were withdrawn at its stop and are not over.
    /// - Throws: `Problem.gone` after its 30 days, `.conflict` for one in force.
    static func takeUp(
        _ id: ID<DeliveryRule>, in therapy: ID<Therapy>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        guard let rule = try find(id, in: therapy, connection) else { throw Problem.notFound }
        guard let stopped = rule.stoppedAt else { throw Problem.conflict(Message("delivery.not_stopped")) }
        if stopped <= now.adding(days: -returnDays) { throw Problem.gone(Message("delivery.gone")) }
        // A rule that its protocol has dropped becomes the patient's own.
        try connection.run(
            """
            UPDATE delivery_rules SET stopped_at = NULL, stopped_by_protocol = 0,
                protocol_id = CASE WHEN stopped_by_protocol = 1 THEN NULL ELSE protocol_id END
            WHERE id = \(id)
            """)
        try connection.run(
            """
            UPDATE assignments SET withdrawn_at = NULL, withdrawn_by_plan = 0
            WHERE rule_id = \(id) AND withdrawn_by_plan = 1 AND withdrawn_at = \(stopped) AND due_at > \(now)
            """)
    }

    // MARK: Assignments of rules

    /// An assignment that a rule made, with its occasion.
    package struct Made: Sendable {
        package let id: ID<Assignment>
        package let rule: ID<DeliveryRule>
        let occasion: String
        package let key: String
        let from: Instant
        package let due: Instant
        let isFetched: Bool
        package let isAnswered: Bool
        package let isWithdrawn: Bool
        let isWithdrawnByPlan: Bool
        /// Also of a rule that was detached from its protocol.
        let isFromProtocol: Bool
    }

    package static func made(in therapy: ID<Therapy>, _ connection: borrowing Connection) throws -> [Made] {
        try connection.all(
            """
            SELECT assignments.id, rule_id, assignments.occasion, questionnaires.key, available_from, due_at, contributions.id,
                withdrawn_at, withdrawn_by_plan, fetched_at, protocol_id
            FROM assignments JOIN questionnaires ON questionnaires.id = assignments.questionnaire_id
            JOIN delivery_rules ON delivery_rules.id = assignments.rule_id
            LEFT JOIN contributions ON contributions.assignment_id = assignments.id
            WHERE assignments.therapy_id = \(therapy) AND rule_id IS NOT NULL AND assignments.occasion IS NOT NULL
            """
        ) { row in
            let sheet: ID<ContributionRecord>? = try row[6]
            let withdrawn: Instant? = try row[7]
            let fetched: Instant? = try row[9]
            let origin: ID<TreatmentProtocol>? = try row[10]
            return Made(
                id: try row[0], rule: try row[1], occasion: try row[2], key: try row[3], from: try row[4],
                due: try row[5], isFetched: fetched != nil,
                isAnswered: sheet != nil, isWithdrawn: withdrawn != nil,
                isWithdrawnByPlan: try row[8], isFromProtocol: origin != nil)
        }
    }

    /// The number of plan assignments for a session that were answered, and that opened and have no answer.
    package static func hanging(
        on session: ID<Session>, in therapy: ID<Therapy>, at now: Instant,
        _ connection: borrowing Connection
    ) throws -> (answered: Int, open: Int) {
        try connection.first(
            """
            SELECT count(contributions.id), count(CASE WHEN contributions.id IS NULL AND withdrawn_at IS NULL
                AND available_from <= \(now) THEN 1 END)
            FROM assignments LEFT JOIN contributions ON contributions.assignment_id = assignments.id
            WHERE assignments.therapy_id = \(therapy) AND occasion = \("session/\(session)")
            """
        ) { row -> (Int, Int) in (try row[0], try row[1]) } ?? (0, 0)
    }

    /// When a rule last made an assignment; nil before the first.
    static func lastMade(
        by rule: ID<DeliveryRule>, _ connection: borrowing Connection
    ) throws -> Instant? {
        let found: Instant?? = try connection.value(
            "SELECT max(assigned_at) FROM assignments WHERE rule_id = \(rule)")
        return found ?? nil
    }

    /// The rule of an assignment; nil for one made by hand.
    package static func rule(
        of assignment: ID<Assignment>, _ connection: borrowing Connection
    ) throws -> ID<DeliveryRule>? {
        let found: ID<DeliveryRule>?? = try connection.value(
            "SELECT rule_id FROM assignments WHERE id = \(assignment)")
        return found ?? nil
    }

    package static func insert(
        _ wanted: PlannedAssignment, id: ID<Assignment>, questionnaire: ID<QuestionnaireVersion>,
        in therapy: ID<Therapy>, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO assignments (id, therapy_id, questionnaire_id, source, available_from, due_at, assigned_at,
                rule_id, battery_id, occasion, position)
            VALUES (\(id), \(therapy), \(questionnaire), \(wanted.source), \(wanted.from), \(wanted.due), \(now),
                \(wanted.rule), \(wanted.battery), \(wanted.occasion), \(wanted.position))
            """)
    }

    /// Moves the window of an unanswered assignment, and restores it if the plan had withdrawn it.
    static func move(
        _ id: ID<Assignment>, from: Instant, due: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE assignments SET available_from = \(from), due_at = \(due), withdrawn_at = NULL,
                withdrawn_by_plan = 0
            WHERE id = \(id) AND NOT EXISTS (SELECT 1 FROM contributions WHERE assignment_id = assignments.id)
            """)
    }

    static func withdraw(_ id: ID<Assignment>, at now: Instant, _ connection: borrowing Connection) throws {
        try connection.run(
            """
            UPDATE assignments SET withdrawn_at = \(now), withdrawn_by_plan = 1
            WHERE id = \(id) AND withdrawn_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM contributions WHERE assignment_id = assignments.id)
            """)
    }
}
