import Contributions
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
    /// Withdrawn because the plan changed, not by hand: the plan may bring it back.
    let isWithdrawnByPlan: Bool
    package let ledger: Ledger
    /// For a daily: the local day and its period.
    let plannedOn: LocalDate?
    package let period: Int?
    /// The rule that made it, and its occasion: `begin`, `session/…`, a day.
    package let ruleID: ID<DeliveryRule>?
    package let occasion: String?
    /// The answer sheet, once there is one.
    package let contributionID: ID<ContributionRecord>?
    package let answeredAt: Instant?

    /// The fate of a delivery, as far as devices and server know.
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

    /// When it opens and closes, as far as it may be disclosed: a daily comes at random (IO-11).
    package var opens: PromptTime { source == .daily ? .random(availableFrom) : .set(availableFrom) }
    package var closes: PromptTime { PromptTime(at: dueAt, kind: opens.kind) }

    /// Whether a device has it: compliance counts delivered assignments, not planned ones.
    package var isDelivered: Bool {
        ledger.fetchedAt != nil || ledger.notifiedAt != nil || ledger.openedAt != nil || contributionID != nil
    }

    /// Whether it is or was to be filled in, and no device has ever fetched it.
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
    /// Whether the permission of a copyrighted instrument's owner was confirmed.
    let isPermissionConfirmed: Bool

    static let defaultDays: Int64 = 7

    /// The window may begin in the past; what was completed in it already counts.
    /// - Parameter zone: that of the times in a form.
    /// - Throws: `Problem.invalid`.
    static func read(_ fields: InputReader, zone: Zone = Zone("UTC"), now: Instant) throws(Problem)
        -> AssignmentDraft
    {
        let key = fields.text("questionnaire_key", required: true, limit: 60)
        let window = window(fields, zone, now)
        let isConfirmed = fields.bool(Permission.field) ?? false
        try fields.finish()
        guard let key else { throw .invalid(fields.errors) }
        return AssignmentDraft(
            questionnaireKey: key, availableFrom: window.from, dueAt: window.due,
            isPermissionConfirmed: isConfirmed)
    }

    /// From now for a week where nothing is said.
    static func window(_ fields: InputReader, _ zone: Zone, _ now: Instant) -> (from: Instant, due: Instant) {
        let from = fields.instant("available_from", zone) ?? now
        let due = fields.instant("due_at", zone) ?? from.adding(days: defaultDays)
        if due <= from { fields.refuse("due_at", "errors.ends_before_start") }
        if from < now.adding(days: -3650) || from > now.adding(days: 1827) {
            fields.refuse("available_from", "errors.window_far")
        }
        if due > now.adding(days: 1827) { fields.refuse("due_at", "errors.window_far") }
        return (from, due)
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

    static func read(_ fields: InputReader, zone: Zone = Zone("UTC"), now: Instant) throws(Problem)
        -> BatteryAssignmentDraft
    {
        let battery: ID<Battery>? = fields.id("battery_id", required: true)
        let window = AssignmentDraft.window(fields, zone, now)
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
