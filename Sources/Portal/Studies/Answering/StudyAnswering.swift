import Database
import HTTP
import Wire

/// Takes answer sheets of studies (TYS-3). Sending the same again is harmless.
enum StudyAnswering {
    /// - Returns: the stored sheet, and whether it is new.
    static func take(
        _ submission: Submission, to questionnaire: String, in study: String, prompt: String? = nil,
        id: String, of account: AccountRecord, _ c: Context<Member>
    ) throws -> (record: ContributionRecord, isNew: Bool) {
        let place = try c.read { connection in
            try Place(
                questionnaire, study, account, at: submission.completedAt, c.services.questionnaires,
                connection)
        }
        let key = try account.key(c.keys)
        let answers = try submission.answers(
            to: place.questionnaire.definition, of: account, asks: place.item.asks)
        var made = try Sheet(
            submission, id: id, account: account.id, study: study, enrolment: place.enrolment.id,
            place.questionnaire, answers: answers,
            receivedAt: c.now, device: c.actor.signedIn?.credential.id)
        made.prompt = prompt
        let sheet = made
        do {
            // The same again needs no line in the log.
            if let existing = try c.read({ try ContributionStore.find(id, of: account.id, $0) }) {
                guard try sheet.says(theSameAs: existing, key) else { throw Contradiction("answers.changed") }
                return (existing, false)
            }
            return try c.write(.contributionReceived, about: account.id, object: id) {
                [now = c.now, services = c.services] connection in
                if let existing = try ContributionStore.find(id, of: account.id, connection) {
                    guard try sheet.says(theSameAs: existing, key) else {
                        throw Contradiction("answers.changed")
                    }
                    return (existing, false)
                }
                try check(submission, place, now: now, services.questionnaires, connection)
                try ContributionStore.insert(sheet, key, connection)
                try DraftStore.erase(questionnaire, of: account.id, connection)
                try EnrolmentStore.noteActivity(place.enrolment.id, at: now, connection)
                guard let stored = try ContributionStore.find(id, of: account.id, connection) else {
                    throw Problem.notFound
                }
                return (stored, true)
            }
        } catch let contradiction as Contradiction {
            throw Problem.conflict(Message(contradiction.key))
        }
    }

    /// What a sheet is taken for.
    private struct Place: Sendable {
        let study: StudyRecord
        let enrolment: EnrolmentRecord
        let item: StudyItem
        let questionnaire: QuestionnaireRecord

        /// - Throws: `Problem.invalid` for a study that one does not take part in, or a questionnaire it does not have.
        init(
            _ version: String, _ study: String, _ account: AccountRecord, at completed: Instant,
            _ cache: QuestionnaireCache, _ connection: borrowing Connection
        ) throws {
            // Who left and came back may still send what they completed as whom they were then.
            let then = try EnrolmentStore.find(in: study, of: account.id, at: completed, connection)
            guard let record = try StudyStore.find(study, connection),
                let enrolment = try then ?? EnrolmentStore.find(in: study, of: account.id, connection),
                enrolment.enrolledAt != nil
            else { throw Problem.invalid("study_id", "answers.not_enrolled") }
            let questionnaire = try QuestionnaireStore.find(version, cache, connection)
            let items = try StudyItemStore.all(in: study, connection)
            guard let questionnaire, let item = items.first(where: { $0.key == questionnaire.key }) else {
                throw Problem.invalid("questionnaire_id", "studies.not_in_study")
            }
            (self.study, self.enrolment, self.item, self.questionnaire) = (
                record, enrolment, item, questionnaire
            )
        }
    }

    /// Sheets of one person and questionnaire a day: more is not answering but flooding.
    private static let sheetsADay = 100

    /// Looked at in the transaction that stores it, so that of two phones only one is first.
    private static func check(
        _ submission: Submission, _ place: Place, now: Instant, _ cache: QuestionnaireCache,
        _ connection: borrowing Connection
    ) throws {
        let completed = submission.completedAt
        if completed.seconds > now.adding(seconds: Submission.clockSlackSeconds).seconds {
            throw Problem.invalid("completed_at", "errors.future")
        }
        if completed.seconds < (place.enrolment.enrolledAt ?? .distantPast).seconds {
            throw Problem.invalid("completed_at", "studies.before_enrolment")
        }
        guard let study = try StudyStore.find(place.study.id, connection),
            let enrolment = try EnrolmentStore.find(place.enrolment.codename, in: study.id, connection)
        else { throw Problem.notFound }
        // What was completed before somebody left still counts, unless they asked for everything to be removed.
        if enrolment.erasedAt != nil || completed.seconds > (enrolment.leftAt ?? .distantFuture).seconds {
            throw Problem.conflict(Message("studies.left"))
        }
        if enrolment.arm == .noApp { throw Problem.conflict(Message("studies.on_paper")) }
        if !(try StudyStore.runs(study, connection)).hold(completed) {
            throw Problem.conflict(Message("studies.was_not_running"))
        }
        let items = try StudyItemStore.all(in: study.id, connection)
        let newest = try QuestionnaireStore.newest(place.item.key, cache, connection)
        guard let item = items.first(where: { $0.id == place.item.id }), newest != nil,
            completed.seconds <= (item.deactivatedAt ?? .distantFuture).seconds
        else { throw Problem.conflict(Message("answers.inactive")) }
        let answered = try StudyItemStore.answered(as: enrolment.id, connection)
        if item.isOnetime, answered.contains(item.key) {
            throw Problem.conflict(Message("answers.already_answered"))
        }
        let today = try StudySheetStore.count(
            of: enrolment.id, questionnaire: place.questionnaire.id, since: now.adding(days: -1), connection)
        if today >= sheetsADay { throw Problem.conflict(Message("answers.daily_limit")) }
        if item.baseline == .required { return }
        for other in items where other.baseline == .required && other.deactivatedAt == nil {
            // One that was added later, or that nobody can answer any more, holds nobody up.
            let isInForce = try QuestionnaireStore.newest(other.key, cache, connection) != nil
            if isInForce, other.addedAt <= completed, !answered.contains(other.key) {
                throw Problem.conflict(Message("studies.baseline_first"))
            }
        }
    }
}
