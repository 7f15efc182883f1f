import Database
import Instruments
import Records
import Studies
import Web
import Wire
import Wording

/// What a sheet of a study is taken for.
struct StudyTarget: Sendable {
    let study: StudyRecord
    let enrolment: EnrolmentRecord
    let item: StudyItem
    let questionnaire: QuestionnaireRecord

    init(
        study: StudyRecord, enrolment: EnrolmentRecord, item: StudyItem, questionnaire: QuestionnaireRecord
    ) {
        self.study = study
        self.enrolment = enrolment
        self.item = item
        self.questionnaire = questionnaire
    }
}

extension StudyTarget {
    /// - Throws: `Problem.invalid` for a study that one does not take part in, or a questionnaire it does not have;
    ///   `UnknownStudyVersion` where the questionnaire is not known at all.
    init(
        _ version: ID<QuestionnaireVersion>, _ study: ID<Study>, _ account: ID<Account>,
        at completed: Instant,
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
        guard let item = try StudyItemStore.find(questionnaire.key, in: study, connection) else {
            throw Problem.invalid("questionnaire_id", "studies.not_in_study")
        }
        self.init(study: record, enrolment: enrolment, item: item, questionnaire: questionnaire)
    }
}

/// The questionnaire that a device names for a study is not one of ours, or not any more.
struct UnknownStudyVersion: Error {
    let enrolment: ID<Enrolment>
}
