import Contributions
import Database
import Delivery
import Instruments
import Records
import Rules
import Studies
import Therapies
import Web
import Wire

/// The reason for a sheet.
enum Occasion: Sendable {
    case assignment(AssignmentRecord, TherapyTarget)
    /// A daily planned by the device itself.
    case ownDaily(TherapyTarget)
    /// A prompt of a study, named by the sheet.
    case prompt(StudyAssignment, StudyTarget)
    /// Not named by the sheet: it stands alone, unless exactly this is waiting.
    case unasked(Owner)

    /// The owner: exactly one of a therapy and a study.
    enum Owner: Sendable {
        case therapy(TherapyTarget)
        case study(StudyTarget)
    }

    var owner: Owner {
        switch self {
        case .assignment(_, let target), .ownDaily(let target): .therapy(target)
        case .prompt(_, let place): .study(place)
        case .unasked(let owner): owner
        }
    }

    /// Nil for a sheet of a study.
    var therapy: Therapy? {
        if case .therapy(let target) = owner { return target.therapy }
        return nil
    }

    var questionnaire: QuestionnaireRecord {
        switch owner {
        case .therapy(let target): target.questionnaire
        case .study(let place): place.questionnaire
        }
    }

    /// Decides about the sheet when it is refused and may still be of use.
    var decider: Quarantine.Owner {
        switch owner {
        case .therapy(let target): .therapy(target.therapy.id)
        case .study(let place): .study(enrolment: place.enrolment.id)
        }
    }

    /// - Throws: when the answers cannot be encoded.
    func sheet(
        _ submission: Submission, id: ID<ContributionRecord>, answers: Answers, of account: ID<Account>,
        from arrival: Arrival,
        at now: Instant
    ) throws -> NewContribution {
        let received = arrival.receivedAt ?? now
        var sheet =
            switch owner {
            case .therapy(let target):
                try NewContribution(
                    submission, id: id, account: account, target: target, answers: answers,
                    receivedAt: received, device: arrival.device)
            case .study(let place):
                try NewContribution(
                    submission, id: id, account: account, study: place.study.id,
                    enrolment: place.enrolment.id, item: place.item.id.text, place.questionnaire,
                    answers: answers,
                    receivedAt: received, device: arrival.device)
            }
        switch arrival {
        case .device: break
        case .paper(let staff): sheet.enteredBy = staff
        case .quarantine(_, let staff): sheet.admission = (at: now, by: staff)
        }
        return sheet
    }

    // MARK: In the transaction that stores it

    /// Applies the occasion's rule: window, pairing, enrolment, once only, limits, at present. Notes in the sheet
    /// which assignment or prompt it answers.
    /// - Returns: the occasion at present.
    /// - Throws: `Contradiction`, `WrongClock` and `AfterEnd` for sheets that may still be of use, `Problem` for others.
    func prove(
        _ sheet: inout NewContribution, from arrival: Arrival, _ services: Services, now: Instant,
        _ connection: borrowing Connection
    ) throws -> Occasion {
        switch owner {
        case .therapy(let target):
            let rule = try TherapyRule(target, of: sheet.account, from: arrival, now: now, connection)
            return try rule.prove(self, &sheet, connection)
        case .study(let place):
            let rule = StudyRule(place: place, arrival: arrival, cache: services.questionnaires, now: now)
            try rule.prove(self, &sheet, connection)
            return self
        }
    }

    /// Removes half-filled answers once the whole ones are stored. Drafts of a study, and of dailies that a device
    /// plans itself, are kept by questionnaire, those about an event by it. A paper that answers no assignment has no draft of its own.
    func eraseDraft(
        of sheet: NewContribution, until last: Instant?, _ connection: borrowing Connection
    ) throws {
        if let event = sheet.event {
            return try DraftStore.erase(ID(event.text), of: sheet.account, until: last, connection)
        }
        let subject: ID<DraftSubject>
        switch self {
        case .assignment(let assignment, _): subject = ID(assignment.id)
        case .unasked(.therapy): return
        case .ownDaily: subject = ID(questionnaire.id)
        case .prompt(_, let place), .unasked(.study(let place)):
            subject = place.item.draft(of: questionnaire, answering: sheet.prompt?.id)
        }
        try DraftStore.erase(subject, of: sheet.account, until: last, connection)
    }

    func noteActivity(at moment: Instant, _ connection: borrowing Connection) throws {
        switch owner {
        case .therapy(let target):
            try TherapyStore.noteActivity(in: target.therapy.id, at: moment, connection)
        case .study(let place):
            try EnrolmentStore.noteActivity(place.enrolment.id, at: moment, connection)
        }
    }

    /// Whether the participant has refused to share the position with the study.
    var isLocationRefused: Bool {
        if case .study(let place) = owner { return place.enrolment.location == .refused }
        return false
    }

    /// Stores the device's statement on its position.
    func note(_ position: StudyLocation.Device?, _ connection: borrowing Connection) throws {
        guard let position, case .study(let place) = owner else { return }
        try StudyLocationStore.note(position, of: place.enrolment.id, connection)
    }

    /// The consequences of a stored sheet while its therapy runs: the assignment is settled, triggered questionnaires
    /// are assigned, rules are evaluated. A sheet of a study takes reminders back that will not come, and may be the last one of a baseline
    /// that allocation waits for.
    func react(
        to sheet: NewContribution, _ services: Services, now: Instant, _ connection: borrowing Connection
    ) throws -> Reaction {
        var reaction = Reaction()
        if case .study(let place) = owner {
            try Self.settleReminders(of: place, answeredAt: sheet.completedAt, now: now, connection)
            if try Waiting.follow(place.enrolment.id, at: now, connection) {
                reaction.allocated = place.enrolment.accountID
                try services.participates(place.enrolment.accountID, at: now, connection)
            }
        }
        guard let therapy, therapy.endedAt == nil else { return reaction }
        let key = questionnaire.key
        try DeliveryPlanner.settle(sheet.assignment, in: therapy.id, services, now: now, connection)
        try DeliveryPlanner.react(
            to: sheet.scores, of: key, sheet: sheet.id, assignment: sheet.assignment, in: therapy.id,
            services, now: now, connection)
        reaction.isMailDue = try RuleRun.react(
            to: sheet, of: key, in: therapy, services, now: now, connection)
        return reaction
    }

    /// What follows a stored sheet once its transaction is done.
    struct Reaction: Sendable {
        /// Rules have written a mail.
        var isMailDue = false
        /// The account of a participant whom the sheet has allocated; its devices learn of what is asked from now on.
        var allocated: ID<Account>?
    }

    /// More than reminders are planned ahead, in days.
    private static let reminderDays: Int64 = 7

    /// Of what is asked once, the reminders of later prompts end with its answer.
    private static func settleReminders(
        of place: StudyTarget, answeredAt answered: Instant, now: Instant, _ connection: borrowing Connection
    ) throws {
        guard place.item.isOnetime, let study = try StudyStore.find(place.study.id, connection) else {
            return
        }
        let prompts = try StudyPrompts(study, connection).of(place.enrolment, connection)
        let over = PromptMatch.settled(
            of: place.item, byAnswerAt: answered, until: now.adding(days: reminderDays), prompts)
        try StudyReminderStore.takeBack(over, of: place.enrolment.id, connection)
    }
}
