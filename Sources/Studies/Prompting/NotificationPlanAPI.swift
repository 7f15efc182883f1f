import HTTP
import Identity
import Records
import Scheduling
import Web
import Wire
import Wording

/// A participant's own times for a questionnaire of a study (TYS-6).
package enum NotificationPlanAPI {
    static func routes(_ routes: inout Routes) {
        let type = NotificationPlan.self
        let path = "/my/questionnaires/:item/notification-plan"
        let revision = NotificationTimesStore.revision
        routes.call(
            .get, path, .patient,
            .one("When a questionnaire of a study asks; weekday 1 is Monday", type).revised(revision), show)
        routes.call(
            .put, path, .patient,
            .one("Choose when it asks, from now on; only where the study allows it", type, takes: type.sent)
                .revised(revision),
            put)
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let (item, enrolment) = try found(c)
        return try .data(One(id: item.id, try times(item, enrolment, c).wire))
    }

    /// The participant's own times, else those set by the leads.
    package static func times(
        _ item: StudyItem, _ enrolment: EnrolmentRecord, _ c: Context<Member>
    ) throws -> NotificationTimes {
        let own = try c.read { try NotificationTimesStore.all(of: enrolment.id, $0) }[item.id]?.last?.times
        return own ?? NotificationTimes(item)
    }

    @Sendable static func put(_ c: Context<Member>) throws -> Reply {
        let (item, enrolment) = try found(c)
        if !item.isScheduleChangeable { throw Problem.forbidden(Message("studies.times_are_fixed")) }
        return try .data(One(id: item.id, try choose(try c.body(), for: item, enrolment, c).wire))
    }

    /// Reads own times and stores them, from now on.
    package static func choose(
        _ fields: InputReader, for item: StudyItem, _ enrolment: EnrolmentRecord,
        asksToExchange: Bool = false,
        _ c: Context<Member>
    ) throws -> NotificationTimes {
        if !item.isScheduleChangeable { throw Problem.forbidden(Message("studies.times_are_fixed")) }
        let times = NotificationTimes.read(fields, for: item, asksToExchange: asksToExchange)
        try fields.finish()
        guard let times else { throw Problem.invalid(fields.errors) }
        let known = try c.read { try NotificationTimesStore.all(of: enrolment.id, $0) }[item.id]?.last?.times
        // Unchanged times must not disturb what is planned.
        if times != known {
            try c.write(.timesChosen, about: enrolment.accountID, object: item.id) {
                [now = c.now] connection in
                try NotificationTimesStore.set(times, for: item.id, of: enrolment.id, since: now, connection)
            }
            c.services.spread(.studiesChanged(enrolment.accountID))
        }
        return times
    }

    /// The questionnaire in the path, of a study that the caller takes part in.
    package static func found(_ c: Context<Member>) throws -> (StudyItem, EnrolmentRecord) {
        let id: ID<StudyItem> = try c.id("item")
        let account = c.proof.account.id
        let found = try c.read { connection -> (StudyItem, EnrolmentRecord)? in
            let items = try StudyItemStore.all(of: account, connection)
            guard let item = items.first(where: { $0.id == id }) else { return nil }
            let enrolment = try EnrolmentStore.find(in: item.studyID, of: account, connection)
            return enrolment.flatMap { item.asks($0) ? (item, $0) : nil }
        }
        guard let found else { throw Problem.notFound }
        return found
    }
}

extension AuditAction {
    static let timesChosen = AuditAction(name: "study.times_chosen")
}
