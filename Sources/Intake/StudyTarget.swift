import Database
import Instruments
import Records
import Studies
import Wire
import Wording

struct StudyTarget: Sendable {
    let study: StudyRecord
    let enrolment: EnrolmentRecord
    let item: StudyItem
    let questionnaire: QuestionnaireRecord
}

extension StudyTarget {
    /// - Throws: `Problem.invalid` for a study the account does not take part in, or a questionnaire it does not
    ///   have; `UnknownStudyVersion` for an unknown questionnaire.
    /// - Parameters:
    ///   - named: which of the study's questionnaires it is, by its id; nil where the sheet does not say so.
    ///   - isKnown: whether it is there already: without a name it is from before sheets had one.
    ///   - now: what is open at present decides first about a sheet that does not.
    init(
        _ version: ID<QuestionnaireVersion>, _ named: String?, isKnown: Bool, _ study: ID<Study>,
        _ account: ID<Account>, at completed: Instant, now: Instant,
        _ cache: QuestionnaireCache, _ connection: borrowing Connection
    ) throws {
        // After leaving and returning, sheets completed earlier still count for the earlier enrolment.
        let then = try EnrolmentStore.find(in: study, of: account, at: completed, connection)
        guard let record = try StudyStore.find(study, connection),
            let enrolment = try then ?? EnrolmentStore.find(in: study, of: account, connection),
            enrolment.enrolledAt != nil
        else { throw Problem.invalid("study_id", "answers.not_enrolled") }
        guard let questionnaire = try QuestionnaireStore.find(version, cache, connection) else {
            throw UnknownStudyVersion(enrolment: enrolment.id)
        }
        let all = try StudyItemStore.all(of: questionnaire.key, in: study, connection)
        let item: StudyItem
        if let named {
            guard let found = all.first(where: { $0.id.text == named }) else {
                throw Problem.invalid("item_id", "studies.not_in_study")
            }
            item = found
        } else if isKnown, let free = all.first(where: { $0.timePoint == nil }) {
            item = free
        } else if all.count > 1 {
            let prompts = try StudyPrompts(record, connection).of(enrolment, connection)
            // A clock that is ahead says nothing of the days to come.
            item = try Self.only(of: all, prompts, at: min(completed, now), now: now)
        } else if let only = all.first {
            item = only
        } else {
            throw Problem.invalid("questionnaire_id", "studies.not_in_study")
        }
        self.init(study: record, enrolment: enrolment, item: item, questionnaire: questionnaire)
    }

    /// What a sheet about an event answers, as a participant at its time.
    /// - Throws: `Problem.invalid` for an event of another study or questionnaire; `UnknownStudyVersion` for an unknown one.
    init(
        _ version: ID<QuestionnaireVersion>, about event: StudyEventRecord, in study: ID<Study>,
        of account: ID<Account>, _ cache: QuestionnaireCache, _ connection: borrowing Connection
    ) throws {
        guard let record = try StudyStore.find(study, connection),
            let enrolment = try EnrolmentStore.find(id: event.enrolmentID, connection),
            enrolment.studyID == study, enrolment.accountID == account,
            let item = try StudyItemStore.find(event.itemID, in: study, connection)
        else { throw Problem.invalid("event_id", "answers.unknown_event") }
        guard let questionnaire = try QuestionnaireStore.find(version, cache, connection) else {
            throw UnknownStudyVersion(enrolment: enrolment.id)
        }
        if questionnaire.key != item.key { throw Problem.invalid("event_id", "answers.unknown_event") }
        self.init(study: record, enrolment: enrolment, item: item, questionnaire: questionnaire)
    }

    /// The only one that is open, else the only one that was on the days of its time point, answered or not.
    /// - Throws: `Problem.invalid` where the sheet has to say which it is.
    private static func only(
        of items: [StudyItem], _ prompts: ParticipantPrompts, at completed: Instant, now: Instant
    ) throws -> StudyItem {
        let open = items.filter { item in
            item.deactivatedAt == nil && !prompts.isSettled(item, at: now) && prompts.isOpen(item, at: now)
        }
        if open.count == 1, prompts.isOpen(open[0], at: completed) { return open[0] }
        let then = items.filter { $0.timePoint != nil && prompts.isOpen($0, at: completed) }
        if then.count == 1 { return then[0] }
        throw Problem.invalid("item_id", "studies.item_needed")
    }
}

/// The study questionnaire that a device names is unknown, or not known any more.
struct UnknownStudyVersion: Error {
    let enrolment: ID<Enrolment>
}
