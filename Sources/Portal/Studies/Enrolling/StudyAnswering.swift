import Database
import HTTP
import Wire

/// Takes answer sheets of studies (TYS-3). Sending the same again is harmless.
enum StudyAnswering {
    /// - Returns: the stored sheet, and whether it is new.
    static func take(
        _ submission: Submission, to questionnaire: String, in study: String, id: String,
        of account: AccountRecord, _ c: Context<Member>
    ) throws -> (record: ContributionRecord, isNew: Bool) {
        let place = try c.read { connection in
            try Place(questionnaire, study, account, c.services.questionnaires, connection)
        }
        let answers = try submission.answers(
            to: place.questionnaire.definition, of: account, asks: place.item.asks)
        let key = try account.key(c.keys)
        let sheet = try Sheet(
            submission, id: id, account: account.id, study: study, place.questionnaire, answers: answers,
            receivedAt: c.now, device: c.actor.signedIn?.credential.id)
        do {
            return try c.write(.contributionReceived, about: account.id, object: id) {
                [now = c.now] connection in
                if let existing = try ContributionStore.find(id, of: account.id, connection) {
                    guard try sheet.says(theSameAs: existing, key) else {
                        throw Contradiction("answers.changed")
                    }
                    return (existing, false)
                }
                try check(submission, place, account, now: now, connection)
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
            _ version: String, _ study: String, _ account: AccountRecord, _ cache: QuestionnaireCache,
            _ connection: borrowing Connection
        ) throws {
            guard let record = try StudyStore.find(study, connection),
                let enrolment = try EnrolmentStore.find(in: study, of: account.id, connection),
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

    /// Looked at in the transaction that stores it, so that of two phones only one is first.
    private static func check(
        _ submission: Submission, _ place: Place, _ account: AccountRecord, now: Instant,
        _ connection: borrowing Connection
    ) throws {
        let completed = submission.completedAt
        if completed.seconds > now.adding(seconds: Submission.clockSlackSeconds).seconds {
            throw Problem.invalid("completed_at", "errors.future")
        }
        if completed.seconds < (place.enrolment.enrolledAt ?? .distantPast).seconds {
            throw Problem.invalid("completed_at", "studies.before_enrolment")
        }
        // What was completed before somebody left, or the study was over, still counts.
        guard let enrolment = try EnrolmentStore.find(in: place.study.id, of: account.id, connection),
            completed.seconds <= (enrolment.leftAt ?? .distantFuture).seconds
        else { throw Problem.conflict(Message("studies.left")) }
        if let end = place.study.endsAt, completed.seconds > end.seconds {
            throw Problem.conflict(Message("studies.over"))
        }
        if let off = place.item.deactivatedAt, completed.seconds > off.seconds {
            throw Problem.conflict(Message("answers.inactive"))
        }
        let answered = try StudyItemStore.answered(in: place.study.id, of: account.id, connection)
        if place.item.isOnetime, answered.contains(place.item.key) {
            throw Problem.conflict(Message("answers.already_answered"))
        }
        let items = try StudyItemStore.all(in: place.study.id, connection)
        let waiting = items.first {
            $0.baseline == .required && $0.deactivatedAt == nil && !answered.contains($0.key)
        }
        if let waiting, waiting.key != place.item.key {
            throw Problem.conflict(Message("studies.baseline_first"))
        }
    }
}
