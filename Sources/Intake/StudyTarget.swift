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
    init(
        _ version: ID<QuestionnaireVersion>, _ study: ID<Study>, _ account: ID<Account>,
        at completed: Instant,
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
        guard let item = try StudyItemStore.find(questionnaire.key, in: study, connection) else {
            throw Problem.invalid("questionnaire_id", "studies.not_in_study")
        }
        self.init(study: record, enrolment: enrolment, item: item, questionnaire: questionnaire)
    }
}

/// The study questionnaire that a device names is unknown, or not known any more.
struct UnknownStudyVersion: Error {
    let enrolment: ID<Enrolment>
}
