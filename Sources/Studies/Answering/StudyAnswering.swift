import Database
import Identity
import Instruments
import Responses
import Web
import Wire
import Wording

/// Takes answer sheets of studies (TYS-3). Sending the same again is harmless.
package enum StudyAnswering {
    /// - Parameter prompt: the one that it names; nil leaves the prompt to the one rule.
    /// - Returns: the stored sheet, and whether it is new.
    /// - Throws: `Contradiction` and `WrongClock` for what may still be of worth, `Problem` for what is not.
    package static func take(
        _ submission: Submission, to place: StudyPlace, prompt: AnsweredPrompt? = nil, id: String,
        of account: AccountRecord, _ c: Context<Member>
    ) throws -> (record: ContributionRecord, isNew: Bool) {
        let key = try account.key(c.keys)
        let answers = try submission.answers(to: place.questionnaire.definition, asks: place.item.asks)
        let known = try c.read { try ContributionStore.find(id, of: account.id, $0) }
        let dropped = submission.sensorsOff(by: account, known)
        var made = try Sheet(
            try submission.without(sensors: dropped), id: id, account: account.id, study: place.study.id,
            enrolment: place.enrolment.id, place.questionnaire, answers: answers, receivedAt: c.now,
            device: c.actor.signedIn?.credential.id)
        made.prompt = prompt
        made.sensorsDropped = dropped
        let sheet = made
        // The same again needs no line in the log.
        if let known {
            guard try sheet.says(theSameAs: known, key) else { throw Contradiction("answers.changed") }
            return (known, false)
        }
        return try c.write(.contributionReceived, about: account.id, object: id) {
            [now = c.now, services = c.services] connection in
            if let existing = try ContributionStore.find(id, of: account.id, connection) {
                guard try sheet.says(theSameAs: existing, key) else { throw Contradiction("answers.changed") }
                return (existing, false)
            }
            let prompts = try check(submission, place, now: now, services.questionnaires, connection)
            var sheet = sheet
            if sheet.prompt == nil {
                sheet.prompt = try PromptMatch.find(
                    for: place.item, at: sheet.completedAt, prompts, connection)
            }
            try ContributionStore.insert(sheet, key, connection)
            try DraftStore.erase(sheet.questionnaire, of: account.id, connection)
            try EnrolmentStore.noteActivity(place.enrolment.id, at: now, connection)
            guard let stored = try ContributionStore.find(id, of: account.id, connection) else {
                throw Problem.notFound
            }
            return (stored, true)
        }
    }

    /// Sheets of one person and questionnaire a day: more is not answering but flooding.
    private static let sheetsADay = 100

    /// Looked at in the transaction that stores it, so that of two phones only one is first. However many sheets there
    /// are, it takes a few looks into indexes.
    /// - Returns: what the participant is asked.
    static func check(
        _ submission: Submission, _ place: StudyPlace, now: Instant, _ cache: QuestionnaireCache,
        _ connection: borrowing Connection
    ) throws -> StudyPrompts.OfOne {
        let completed = submission.completedAt
        if completed.seconds > now.adding(seconds: Submission.clockSlackSeconds).seconds {
            throw WrongClock("errors.future")
        }
        if completed.seconds < (place.enrolment.enrolledAt ?? .distantPast).seconds {
            throw WrongClock("studies.before_enrolment")
        }
        guard let study = try StudyStore.find(place.study.id, connection),
            let enrolment = try EnrolmentStore.find(place.enrolment.codename, in: study.id, connection)
        else { throw Problem.notFound }
        // What was completed before somebody left still counts, unless they asked for everything to be removed.
        if enrolment.erasedAt != nil || completed.seconds > (enrolment.leftAt ?? .distantFuture).seconds {
            throw Problem.conflict(Message("studies.left"))
        }
        if enrolment.isOnPaper { throw Problem.conflict(Message("studies.on_paper")) }
        let prompts = try StudyPrompts(study, connection).of(enrolment, connection)
        if !prompts.all.runs.hold(completed) { throw Problem.conflict(Message("studies.was_not_running")) }
        let newest = try QuestionnaireStore.newest(place.item.key, cache, connection)
        guard let item = prompts.all.items.first(where: { $0.id == place.item.id }), newest != nil,
            completed.seconds <= (item.deactivatedAt ?? .distantFuture).seconds
        else { throw Problem.conflict(Message("answers.inactive")) }
        if item.isOnetime, prompts.firsts[item.key] != nil {
            throw Contradiction("answers.already_answered")
        }
        let isFull = try StudySheetStore.hasReceived(
            sheetsADay, of: enrolment.id, questionnaire: place.questionnaire.id, since: now.adding(days: -1),
            connection)
        if isFull { throw Problem.conflict(Message("studies.sheets_a_day", ["n": String(sheetsADay)])) }
        if prompts.isHeldUp(item, at: completed) { throw Problem.conflict(Message("studies.baseline_first")) }
        return prompts
    }
}

/// What a sheet of a study is taken for.
package struct StudyPlace: Sendable {
    package let study: StudyRecord
    package let enrolment: EnrolmentRecord
    package let item: StudyItem
    package let questionnaire: QuestionnaireRecord

    package init(
        study: StudyRecord, enrolment: EnrolmentRecord, item: StudyItem, questionnaire: QuestionnaireRecord
    ) {
        self.study = study
        self.enrolment = enrolment
        self.item = item
        self.questionnaire = questionnaire
    }
}

extension StudyPlace {
    /// - Throws: `Problem.invalid` for a study that one does not take part in, or a questionnaire it does not have;
    ///   `UnknownStudyVersion` where the questionnaire is not known at all.
    package init(
        _ version: String, _ study: String, _ account: String, at completed: Instant,
        _ cache: QuestionnaireCache, _ connection: borrowing Connection
    ) throws {
        // Who left and came back may still send what they completed as whom they were then.
        let then = try EnrolmentStore.find(in: study, of: account, at: completed, connection)
        guard let record = try StudyStore.find(study, connection),
            let enrolment = try then ?? EnrolmentStore.find(in: study, of: account, connection),
            enrolment.enrolledAt != nil
        else { throw Problem.invalid("study_id", "answers.not_enrolled") }
        guard let questionnaire = try QuestionnaireStore.find(version, cache, connection) else {
            throw UnknownStudyVersion(enrolment: enrolment.id)
        }
        let items = try StudyItemStore.all(in: study, connection)
        guard let item = items.first(where: { $0.key == questionnaire.key }) else {
            throw Problem.invalid("questionnaire_id", "studies.not_in_study")
        }
        self.init(study: record, enrolment: enrolment, item: item, questionnaire: questionnaire)
    }
}

/// The questionnaire that a device names for a study is not one of ours, or not any more.
package struct UnknownStudyVersion: Error {
    package let enrolment: String
}
