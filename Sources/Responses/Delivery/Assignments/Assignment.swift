import Database
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// A questionnaire that a person is asked to answer within a window of time.
package struct AssignmentRecord: Sendable, FromRow {
    package enum Source: String, Sendable, SQLConvertible {
        case therapist, rule, appointment, study, daily
        case therapyBegin = "therapy_begin"
        case therapyEnd = "therapy_end"
    }

    package enum State: String, Sendable { case coming, open, answered, missed, withdrawn }

    package let id: ID<Assignment>
    package let therapyID: ID<Therapy>
    package let questionnaireID: ID<QuestionnaireVersion>
    package let source: Source
    package let availableFrom: Instant
    package let dueAt: Instant
    package let assignedAt: Instant
    package let withdrawnAt: Instant?
    /// Withdrawn because the plan changed, not by somebody's hand: the plan may bring it back.
    let isWithdrawnByPlan: Bool
    package let ledger: Ledger
    /// Of a daily: the local day and its period.
    let plannedOn: LocalDate?
    package let period: Int?
    /// The rule that made it, and what for: `begin`, `session/…`, a day.
    package let ruleID: ID<DeliveryRule>?
    package let occasion: String?
    /// The answer sheet, once there is one.
    package let contributionID: ID<ContributionRecord>?
    package let answeredAt: Instant?

    /// What became of a delivery, as far as the devices and the server know.
    package struct Ledger: Sendable {
        package let fetchedAt: Instant?
        package let notifiedAt: Instant?
        /// When a relay took the reminder, and when a browser showed it.
        package let pushedAt: Instant?
        package let shownAt: Instant?
        package let openedAt: Instant?
    }

    package init(row: borrowing Row) throws {
        id = try row["id"]
        therapyID = try row["therapy_id"]
        questionnaireID = try row["questionnaire_id"]
        source = try row["source"]
        availableFrom = try row["available_from"]
        dueAt = try row["due_at"]
        assignedAt = try row["assigned_at"]
        withdrawnAt = try row["withdrawn_at"]
        isWithdrawnByPlan = try row["withdrawn_by_plan"]
        ledger = Ledger(
            fetchedAt: try row["fetched_at"], notifiedAt: try row["notified_at"],
            pushedAt: try row["pushed_at"], shownAt: try row["shown_at"],
            openedAt: try row["opened_at"])
        plannedOn = try row["planned_on"]
        period = try row["period"]
        ruleID = try row["rule_id"]
        occasion = try row["occasion"]
        contributionID = try row["contribution_id"]
        answeredAt = try row["answered_at"]
    }

    /// When it opens and closes, as may be said: a daily comes at random (IO-11).
    package var opens: PromptTime { source == .daily ? .random(availableFrom) : .set(availableFrom) }
    package var closes: PromptTime { PromptTime(at: dueAt, kind: opens.kind) }

    /// Whether a device has it: compliance counts what was delivered, not what was planned.
    package var isDelivered: Bool {
        ledger.fetchedAt != nil || ledger.notifiedAt != nil || ledger.openedAt != nil || contributionID != nil
    }

    /// Whether it is or was to be filled in, and no device has ever known of it.
    package func isUnreached(at now: Instant) -> Bool {
        [.open, .missed].contains(state(at: now)) && !isDelivered
    }

    package func state(at now: Instant) -> State {
        if contributionID != nil { return .answered }
        if withdrawnAt != nil { return .withdrawn }
        // Whole seconds: the last second of a window still counts.
        if dueAt.seconds < now.seconds { return .missed }
        return availableFrom <= now ? .open : .coming
    }
}

/// A questionnaire to be assigned by hand. Made only by reading.
struct AssignmentDraft: Sendable {
    let questionnaireKey: String
    let availableFrom: Instant
    let dueAt: Instant
    /// Somebody says that the owner of a copyrighted instrument permits its use.
    let isPermissionConfirmed: Bool

    static let defaultDays: Int64 = 7

    /// From the API: instants. The window may begin in the past; what was completed in it already counts.
    /// - Throws: `Problem.invalid`.
    static func read(_ fields: InputReader, now: Instant) throws(Problem) -> AssignmentDraft {
        let key = fields.text("questionnaire_key", required: true, limit: 60)
        return try make(
            key, try window(fields.time("available_from"), fields.time("due_at"), fields, now), fields)
    }

    /// From the portal: days with times in the clinic's zone.
    static func read(form fields: InputReader, zone: Zone, now: Instant) throws(Problem) -> AssignmentDraft {
        let key = fields.text("questionnaire_key", required: true, limit: 60)
        let from = fields.moment("available_from", zone)
        let due = fields.moment("due_at", zone)
        return try make(key, try window(from, due, fields, now), fields)
    }

    /// From now for a week where nothing is said.
    static func window(
        _ from: Instant?, _ due: Instant?, _ fields: InputReader, _ now: Instant
    ) throws(Problem) -> (from: Instant, due: Instant) {
        let from = from ?? now
        let due = due ?? from.adding(days: defaultDays)
        if due <= from { fields.refuse("due_at", "errors.ends_before_start") }
        if from < now.adding(days: -3650) || from > now.adding(days: 1827) {
            fields.refuse("available_from", "errors.window_far")
        }
        if due > now.adding(days: 1827) { fields.refuse("due_at", "errors.window_far") }
        return (from, due)
    }

    private static func make(
        _ key: String?, _ window: (from: Instant, due: Instant), _ fields: InputReader
    ) throws(Problem) -> AssignmentDraft {
        let isConfirmed = fields.bool(Permission.field) ?? false
        try fields.finish()
        guard let key else { throw .invalid(fields.errors) }
        return AssignmentDraft(
            questionnaireKey: key, availableFrom: window.from, dueAt: window.due,
            isPermissionConfirmed: isConfirmed)
    }

    fileprivate init(
        questionnaireKey: String, availableFrom: Instant, dueAt: Instant, isPermissionConfirmed: Bool
    ) {
        self.questionnaireKey = questionnaireKey
        self.availableFrom = availableFrom
        self.dueAt = dueAt
        self.isPermissionConfirmed = isPermissionConfirmed
    }
}

/// A battery to be assigned by hand. Made only by reading.
struct BatteryAssignmentDraft: Sendable {
    let batteryID: ID<Battery>
    let availableFrom: Instant
    let dueAt: Instant
    let isPermissionConfirmed: Bool

    /// From the API.
    static func read(_ fields: InputReader, now: Instant) throws(Problem) -> BatteryAssignmentDraft {
        let battery: ID<Battery>? = fields.id("battery_id", required: true)
        let window = try AssignmentDraft.window(
            fields.time("available_from"), fields.time("due_at"), fields, now)
        return try make(battery, window, fields)
    }

    /// From the portal.
    static func read(form fields: InputReader, zone: Zone, now: Instant) throws(Problem)
        -> BatteryAssignmentDraft
    {
        let battery: ID<Battery>? = fields.id("battery_id", required: true)
        let from = fields.moment("available_from", zone)
        let due = fields.moment("due_at", zone)
        return try make(battery, try AssignmentDraft.window(from, due, fields, now), fields)
    }

    private static func make(
        _ battery: ID<Battery>?, _ window: (from: Instant, due: Instant), _ fields: InputReader
    ) throws(Problem) -> BatteryAssignmentDraft {
        let isConfirmed = fields.bool(Permission.field) ?? false
        try fields.finish()
        guard let battery else { throw .invalid(fields.errors) }
        return BatteryAssignmentDraft(
            batteryID: battery, availableFrom: window.from, dueAt: window.due,
            isPermissionConfirmed: isConfirmed)
    }
}

extension AuditAction {
    static let assignmentMade = AuditAction(name: "assignment.made")
    static let assignmentWithdrawn = AuditAction(name: "assignment.withdrawn")
}
