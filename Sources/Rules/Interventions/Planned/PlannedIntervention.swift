import Database
import Records
import Scheduling
import Therapies
import Wire

/// A text of the library to be sent on a day of the therapy (PR-17).
package struct PlannedIntervention: Sendable, FromRow {
    package enum State: String, Sendable, CaseIterable {
        case waiting, sent, withdrawn
        /// Its day was over before it could be sent.
        case passed
    }

    package let id: ID<PlannedIntervention>
    /// Nil for one that has become the patient's own.
    package let protocolID: ID<TreatmentProtocol>?
    package let libraryID: ID<LibraryIntervention>
    /// From 0, the day on which the therapy begins.
    package let day: Int
    let madeAt: Instant
    package let interventionID: ID<Intervention>?
    package let sentAt: Instant?
    package let withdrawnAt: Instant?
    let isWithdrawnByHand: Bool

    package init(row: borrowing Row) throws {
        id = try row["id"]
        protocolID = try row["protocol_id"]
        libraryID = try row["library_id"]
        day = try row["day"]
        madeAt = try row["made_at"]
        interventionID = try row["intervention_id"]
        sentAt = try row["sent_at"]
        withdrawnAt = try row["withdrawn_at"]
        isWithdrawnByHand = try row["withdrawn_by_hand"]
    }

    /// At nine in the morning; in a holiday, on the day after it.
    static let hour = 9
    /// The number of days it may be late: the portal may have been down, or a holiday in between.
    static let graceDays: Int64 = 7

    package func dueOn(_ begin: LocalDate?) -> LocalDate? { begin?.adding(days: day) }

    package func state(_ course: Course, at now: Instant) -> State {
        if withdrawnAt != nil { return .withdrawn }
        if sentAt != nil { return .sent }
        guard let due = dueOn(course.begin) else { return .waiting }
        // Days before the therapy had this plan, or the patient the app, are not made up for.
        let since = LocalTime(max(madeAt, course.pairedAt ?? madeAt), course.zone).date
        if due < since { return .passed }
        return moment(course).map { $0.adding(days: Self.graceDays) <= now } ?? false ? .passed : .waiting
    }

    /// When it is sent; nil before the therapy has begun.
    func moment(_ course: Course) -> Instant? {
        guard let due = dueOn(course.begin) else { return nil }
        let morning = course.zone.instant(due, hour: Self.hour, minute: 0)
        return course.pauses.moved(morning, morning).from
    }

    func isDue(_ course: Course, at now: Instant) -> Bool {
        state(course, at: now) == .waiting && moment(course).map { $0 <= now } ?? false
    }

    /// The facts by which the days of a therapy are counted.
    package struct Course: Sendable {
        package let begin: LocalDate?
        let pairedAt: Instant?
        let zone: Zone
        let pauses: PauseSpans

        package init(_ therapy: Therapy, _ zone: Zone, _ pauses: [PauseRecord]) {
            begin = therapy.startedOn
            pairedAt = therapy.pairedAt
            self.zone = zone
            self.pauses = PauseSpans(pauses, zone)
        }
    }
}

extension AuditAction {
    package static let plannedInterventionSent = AuditAction(name: "planned_intervention.sent")
    package static let plannedInterventionWithdrawn = AuditAction(name: "planned_intervention.withdrawn")
}
