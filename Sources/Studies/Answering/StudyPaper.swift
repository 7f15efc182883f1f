import Database
import HTTP
import Identity
import Instruments
import Responses
import Scheduling
import Web
import Wire
import Wording

/// Questionnaires of a study that were filled in on paper and are entered by staff (IO-21).
package enum StudyPaper {
    /// What a sheet from paper belongs to.
    package struct Target: Sendable {
        package let study: StudyRecord
        package let enrolment: EnrolmentRecord
        package let item: StudyItem
        package let questionnaire: QuestionnaireRecord

        package init(
            _ study: StudyRecord, _ enrolment: EnrolmentRecord, _ item: StudyItem,
            _ questionnaire: QuestionnaireRecord
        ) {
            (self.study, self.enrolment, self.item, self.questionnaire) = (
                study, enrolment, item, questionnaire
            )
        }

        /// - Throws: `Problem.invalid` for a study that somebody is not in, or a questionnaire it does not have.
        package init(
            _ key: String, in study: String, of account: String, _ cache: QuestionnaireCache,
            _ connection: borrowing Connection
        ) throws {
            let all = try StudyPaper.all(of: account, cache, connection).filter { $0.study.id == study }
            if all.isEmpty { throw Problem.invalid("study_id", "answers.not_enrolled") }
            guard let target = all.first(where: { $0.item.key == key }) else {
                throw Problem.invalid("questionnaire_key", "studies.not_in_study")
            }
            self = target
        }
    }

    /// Everything that can be entered for somebody.
    package static func all(
        of account: String, _ cache: QuestionnaireCache, _ connection: borrowing Connection
    ) throws -> [Target] {
        try StudyStore.all(ofParticipant: account, connection).flatMap { study -> [Target] in
            guard let enrolment = try EnrolmentStore.find(in: study.id, of: account, connection) else {
                return []
            }
            return try all(study, enrolment, cache, connection)
        }
    }

    package static func all(
        _ study: StudyRecord, _ enrolment: EnrolmentRecord, _ cache: QuestionnaireCache,
        _ connection: borrowing Connection
    ) throws -> [Target] {
        // What somebody filled in before they left may come by mail.
        guard enrolment.enrolledAt != nil, enrolment.erasedAt == nil else { return [] }
        return try StudyItemStore.all(in: study.id, connection).compactMap { item in
            guard item.deactivatedAt == nil,
                let record = try QuestionnaireStore.newest(item.key, cache, connection)
            else { return nil }
            return Target(study, enrolment, item, record)
        }
    }

    /// - Returns: the id of the stored sheet.
    /// - Throws: `Problem` for a time at which they did not take part or the study did not run, and for something that is
    ///   asked once and answered.
    package static func store<P>(
        _ draft: PaperDraft, _ target: Target, _ account: AccountRecord, by staff: String, _ c: Context<P>
    ) throws -> String {
        let (id, key) = (c.newID(), try account.key(c.keys))
        var sheet = try Sheet(
            draft.submission(account.timezone), id: id, account: account.id, study: target.study.id,
            enrolment: target.enrolment.id, target.questionnaire, answers: draft.answers, receivedAt: c.now,
            device: nil)
        sheet.enteredBy = staff
        let made = sheet
        try c.write(.paperEntered, about: account.id, object: id) { [now = c.now] connection in
            let prompts = try check(draft, target, connection)
            var sheet = made
            sheet.prompt = try PromptMatch.find(
                for: target.item, at: draft.completedAt, prompts, connection)
            try ContributionStore.insert(sheet, key, connection)
            try EnrolmentStore.noteActivity(target.enrolment.id, at: now, connection)
        }
        return id
    }

    /// - Returns: what the participant is asked.
    private static func check(
        _ draft: PaperDraft, _ target: Target, _ connection: borrowing Connection
    ) throws -> StudyPrompts.OfOne {
        // As it is now: they may have left, or asked for everything to be removed.
        guard let enrolment = try EnrolmentStore.consenting(target.enrolment.id, connection),
            draft.completedAt <= (enrolment.leftAt ?? .distantFuture)
        else { throw Problem.conflict(Message("studies.left")) }
        try ContributionStore.refuseTwice(
            target.questionnaire.id, at: draft.completedAt, of: enrolment.accountID, connection)
        let enrolled = target.enrolment.enrolledAt.map { LocalTime($0, target.enrolment.zone).date }
        // Paper knows the day; it may be the one of enrolling.
        if let enrolled, LocalTime(draft.completedAt, target.enrolment.zone).date < enrolled {
            throw Problem.invalid("completed_at", "studies.before_enrolment")
        }
        let prompts = try StudyPrompts(target.study, connection).of(enrolment, connection)
        let runs = prompts.all.runs
        if !runs.hold(draft.completedAt),
            !runs.hold(max(draft.completedAt, target.enrolment.enrolledAt ?? .distantPast))
        {
            throw Problem.invalid("completed_at", "studies.was_not_running")
        }
        if target.item.isOnetime, prompts.firsts[target.item.key] != nil {
            throw Problem.conflict(Message("answers.already_answered"))
        }
        return prompts
    }
}
