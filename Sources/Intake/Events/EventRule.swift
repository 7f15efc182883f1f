import Contributions
import Database
import Instruments
import Records
import Studies
import Wire
import Wording

/// The rule for what a participant notes with a button, checked in the transaction that stores it (ST-2). What counts is its begin, as
/// the moment of completing does for a sheet; its end lies before leaving, and while the study runs, too.
struct EventRule {
    let event: NewStudyEvent
    let account: ID<Account>
    let now: Instant

    /// Events of one participant and questionnaire a day: a client that sends more is faulty.
    private static let eventsADay = 100

    /// - Returns: the participation that it belongs to.
    /// - Throws: `Problem` for one that is not taken.
    func prove(
        over known: StudyEventRecord?, _ connection: borrowing Connection
    ) throws -> EnrolmentRecord {
        if let known { try checkChange(of: known) }
        let enrolment = try enrolment(known, connection)
        guard let study = try StudyStore.find(enrolment.studyID, connection) else { throw Problem.notFound }
        let prompts = try StudyPrompts(study, connection).of(enrolment, connection)
        guard let item = prompts.all.items.first(where: { $0.id == event.item }) else {
            throw Problem.invalid("item_id", "studies.not_in_study")
        }
        guard let kind = item.event else { throw Problem.invalid("item_id", "studies.no_event") }
        if kind == .moment, event.endedAt != nil {
            throw Problem.invalid("ended_at", "studies.moment_without_end")
        }
        if !item.asks(enrolment) { throw Problem.conflict(Message("studies.not_in_arm")) }
        try checkTaking(enrolment)
        for moment in [event.startedAt, event.endedAt].compactMap(\.self) where !prompts.all.runs.hold(moment)
        {
            throw Problem.conflict(Message("studies.was_not_running"))
        }
        let retired = try QuestionnaireStore.retirement(of: item.key, connection)
        for end in [item.deactivatedAt, retired].compactMap(\.self)
        where event.startedAt.seconds > end.seconds {
            throw Problem.conflict(Message("answers.inactive"))
        }
        if prompts.isHeldUp(item, at: event.startedAt) {
            throw Problem.conflict(Message("studies.baseline_first"))
        }
        try checkDays(item, prompts)
        if known == nil { try checkLimit(enrolment, connection) }
        return enrolment
    }

    /// Nil for what the account has no part in: nothing is told of other people's studies.
    private func enrolment(
        _ known: StudyEventRecord?, _ connection: borrowing Connection
    ) throws -> EnrolmentRecord {
        let found: EnrolmentRecord?
        if let known {
            found = try EnrolmentStore.find(id: known.enrolmentID, connection)
        } else if let study = try StudyEventStore.study(of: event.item, connection) {
            // After leaving and returning, what began earlier still counts for the earlier enrolment.
            let then = try EnrolmentStore.find(in: study, of: account, at: event.startedAt, connection)
            found = try then ?? EnrolmentStore.find(in: study, of: account, connection)
        } else {
            found = nil
        }
        guard let found, found.enrolledAt != nil else {
            throw Problem.invalid("item_id", "studies.not_in_study")
        }
        return found
    }

    /// Times can be corrected until a sheet names them; of one that goes on then its end can still be told.
    private func checkChange(of known: StudyEventRecord) throws {
        if known.itemID != event.item { throw Problem.conflict(Message("studies.event_of_other")) }
        if event.endedAt == nil, let end = known.endedAt, end < event.startedAt {
            throw Problem.invalid("started_at", "errors.ends_before_start")
        }
        guard known.sheet != nil else { return }
        let isEnded =
            known.endedAt != nil && event.endedAt != nil && known.endedAt?.seconds != event.endedAt?.seconds
        // Whole seconds, as calls tell them.
        if known.startedAt.seconds != event.startedAt.seconds || isEnded {
            throw Problem.conflict(Message("studies.event_answered"))
        }
    }

    private func checkTaking(_ enrolment: EnrolmentRecord) throws {
        let enrolled = enrolment.enrolledAt ?? .distantPast
        // A clock that is slightly slow notes something just before.
        if event.startedAt.adding(seconds: Submission.clockSlackSeconds).seconds < enrolled.seconds {
            throw Problem.invalid("started_at", "studies.event_before_enrolment")
        }
        let last = max(event.startedAt, event.endedAt ?? event.startedAt)
        if enrolment.erasedAt != nil || last.seconds > (enrolment.leftAt ?? .distantFuture).seconds {
            throw Problem.conflict(Message("studies.left"))
        }
        if enrolment.isOnPaper { throw Problem.conflict(Message("studies.on_paper")) }
    }

    private func checkDays(_ item: StudyItem, _ prompts: ParticipantPrompts) throws {
        if prompts.isOpen(item, at: event.startedAt) { return }
        guard prompts.hasBegun(item, at: event.startedAt) else {
            throw Problem.conflict(Message("studies.window_not_begun"))
        }
        throw Problem.invalid("started_at", "studies.event_after_days")
    }

    private func checkLimit(_ enrolment: EnrolmentRecord, _ connection: borrowing Connection) throws {
        let isFull = try StudyEventStore.hasReceived(
            Self.eventsADay, of: enrolment.id, item: event.item, since: now.adding(days: -1), connection)
        if isFull {
            throw Problem.conflict(Message("studies.events_a_day", ["n": String(Self.eventsADay)]))
        }
    }
}
