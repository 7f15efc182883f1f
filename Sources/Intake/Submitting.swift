import Database
import Identity
import Instruments
import JSON
import Questionnaires
import Records
import Responses
import Rules
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Takes an answer sheet in: window, answers, scores, and one durable transaction. Sending the same again is
/// harmless (IO-10). What is refused and may still be of worth goes into quarantine.
enum Submitting {
    /// - Parameter json: the body as it came, for the quarantine.
    /// - Returns: the stored sheet, and whether it is new.
    static func take(
        _ submission: Submission, _ json: JSON, id: String, of account: AccountRecord, _ c: Context<Member>
    ) throws -> (record: ContributionRecord, isNew: Bool) {
        let quarantine = Quarantine(id: id, json: json, account: account)
        if let study = try StudySubmission.find(submission, id: id, quarantine, c) {
            return try study.take(c)
        }
        let target: SheetTarget
        do {
            target = try c.read { connection in try self.target(of: submission, account, c, connection) }
        } catch let unknown as UnknownVersion {
            try quarantine.keep(.unknownVersion, for: .therapy(unknown.therapy), c)
            throw Problem.invalid("daily.questionnaire_id", "answers.unknown_version")
        }
        let submission = submission.counted(from: target.opens)
        let definition = target.questionnaire.definition
        let card =
            submission.sensors.isEmpty ? nil : try c.read { try InstrumentStore.card(definition.key, $0) }
        let answers = try submission.answers(to: definition) { card?.asks($0) ?? false }
        let key = try account.key(c.keys)
        let existing = try c.read { try ContributionStore.find(id, of: account.id, $0) }
        let dropped = submission.sensorsOff(by: account, existing)
        var sheet = try Sheet(
            try submission.without(sensors: dropped), id: id, account: account.id, target: target,
            answers: answers, receivedAt: c.now, device: c.actor.signedIn?.credential.id)
        sheet.sensorsDropped = dropped
        do {
            if let existing {
                guard try sheet.says(theSameAs: existing, key) else { throw Contradiction("answers.changed") }
                return (existing, false)
            }
            try checkWindow(submission, target, now: c.now)
            return try store(sheet, target, key, c)
        } catch let contradiction as Contradiction {
            if try !isKnown(sheet, key, c) {
                try quarantine.keep(.contradiction, for: .therapy(target.therapy.id), c)
            }
            throw Problem.conflict(Message(contradiction.key))
        } catch let clock as WrongClock {
            try quarantine.keep(.clock, for: .therapy(target.therapy.id), c)
            throw Problem.invalid("completed_at", clock.key)
        }
    }

    /// The questionnaire that a device names is not one of ours, or not any more.
    struct UnknownVersion: Error { let therapy: String }

    // MARK: What it answers

    private static func target(
        of submission: Submission, _ account: AccountRecord, _ c: Context<Member>,
        _ connection: borrowing Connection
    ) throws -> SheetTarget {
        let therapies = try TherapyStore.all(of: account.id, connection)
        guard !therapies.isEmpty else { throw Problem.forbidden(Message("problems.not_paired")) }
        let cache = c.services.questionnaires
        switch submission.reason {
        case .assignment(let id):
            guard let assignment = try AssignmentStore.find(id, of: account.id, connection),
                let therapy = therapies.first(where: { $0.id == assignment.therapyID }),
                let record = try QuestionnaireStore.find(assignment.questionnaireID, cache, connection)
            else { throw Problem.notFound }
            try requireRunning(therapy, completed: submission.completedAt, now: c.now)
            return SheetTarget(assignment, therapy, record)
        case .study, .paper: throw Problem.notFound
        case .daily(let id, let from, let due):
            guard let therapy = therapies.last(where: { $0.pairedAt.map { $0 <= from } ?? false }) else {
                throw Problem.invalid("daily.available_from", "answers.daily_before")
            }
            // What comes for a therapy that is over reaches nobody any more, the quarantine neither.
            try requireRunning(therapy, completed: submission.completedAt, now: c.now)
            guard let record = try QuestionnaireStore.find(id, cache, connection) else {
                throw UnknownVersion(therapy: therapy.id)
            }
            guard record.key == DailyPlan.questionnaireKey else {
                throw Problem.invalid("daily.questionnaire_id", "answers.not_daily")
            }
            guard try QuestionnaireStore.newest(record.key, cache, connection) != nil else {
                throw Problem.conflict(Message("answers.inactive"))
            }
            return try SheetTarget(
                daily: from, due, timezone: submission.timezone, therapy, record)
        }
    }

    /// Whether the assignment was answered with the very same answers: sent twice, not contradicting.
    private static func isKnown(_ sheet: Sheet, _ key: PersonKey, _ c: Context<Member>) throws -> Bool {
        guard let assignment = sheet.assignment else { return false }
        let first = try c.read { try ContributionStore.find(answering: assignment, of: sheet.account, $0) }
        guard let first, first.id != sheet.id else { return false }
        return try first.answers(key).bytes == sheet.answers
    }

    // MARK: When

    /// Made in time but sent late counts; whole seconds are compared.
    private static func checkWindow(_ submission: Submission, _ target: SheetTarget, now: Instant) throws {
        let completed = submission.completedAt.seconds
        if completed > now.adding(seconds: Submission.clockSlackSeconds).seconds {
            throw WrongClock("errors.future")
        }
        if completed < target.opens.seconds { throw WrongClock("answers.too_early") }
        if completed > target.closes.seconds { throw Problem.invalid("completed_at", "answers.too_late") }
        if let withdrawn = target.assignment?.withdrawnAt, completed > withdrawn.seconds {
            throw Problem.conflict(Message("answers.withdrawn"))
        }
    }

    /// What was completed before the end of a therapy is taken for 30 days.
    private static func requireRunning(_ therapy: Therapy, completed: Instant, now: Instant) throws(Problem) {
        guard let ended = therapy.endedAt else { return }
        let isLate = completed.seconds > ended.seconds || now > ended.adding(days: 30)
        if isLate { throw .forbidden(Message("problems.therapy_ended")) }
    }

    // MARK: Storing

    private static let dailiesPerDevice = 3

    private static func store(
        _ sheet: Sheet, _ target: SheetTarget, _ key: PersonKey, _ c: Context<Member>
    ) throws -> (record: ContributionRecord, isNew: Bool) {
        let therapy = target.therapy.id
        let stored: (record: ContributionRecord, isNew: Bool, isMailDue: Bool) = try c.write(
            .contributionReceived, about: therapy, object: sheet.id
        ) {
            [now = c.now, services = c.services] connection in
            if let existing = try ContributionStore.find(sheet.id, of: sheet.account, connection) {
                guard try sheet.says(theSameAs: existing, key) else { throw Contradiction("answers.changed") }
                return (existing, false, false)
            }
            try TherapyStore.requirePaired(sheet.account, with: therapy, connection)
            if sheet.ownWindow != nil, let slot = sheet.slot, let device = sheet.device {
                let made = try ContributionStore.ownDailies(
                    of: sheet.account, device: device, on: slot.day, connection)
                if made >= dailiesPerDevice { throw Problem.conflict(Message("answers.daily_limit")) }
            }
            try ContributionStore.insert(sheet, key, connection)
            try DraftStore.erase(target.assignment?.id ?? sheet.questionnaire, of: sheet.account, connection)
            let isMailDue = try follow(sheet, target, services, now: now, connection)
            try TherapyStore.noteActivity(in: therapy, at: sheet.receivedAt, connection)
            guard let stored = try ContributionStore.find(sheet.id, of: sheet.account, connection) else {
                throw Problem.notFound
            }
            return (stored, true, isMailDue)
        }
        if stored.isMailDue { RuleMail.trySending(c.services, now: c.now) }
        return (stored.record, stored.isNew)
    }

    /// What a stored sheet sets off while its therapy runs: the assignment is settled, rules look at the result.
    /// - Returns: whether a mail is due.
    static func follow(
        _ sheet: Sheet, _ target: SheetTarget, _ services: Services, now: Instant,
        _ connection: borrowing Connection
    ) throws -> Bool {
        guard target.therapy.endedAt == nil else { return false }
        let (therapy, key) = (target.therapy, target.questionnaire.key)
        try Following.settle(sheet.assignment, in: therapy.id, services, now: now, connection)
        try Following.react(
            to: sheet.scores, of: key, sheet: sheet.id, assignment: sheet.assignment, in: therapy.id,
            services,
            now: now, connection)
        return try RuleRun.react(to: sheet, of: key, in: therapy, services, now: now, connection)
    }
}
