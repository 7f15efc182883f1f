import Database
import Instruments
import Records
import Wire
import Wording

/// Which questionnaires of a study staff may enter from paper (IO-21). They come in through `Intake`.
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
            self.study = study
            self.enrolment = enrolment
            self.item = item
            self.questionnaire = questionnaire
        }

        /// - Throws: `Problem.invalid` for a study that somebody is not in, or a questionnaire it does not have.
        package init(
            _ key: String, in study: ID<Study>, of account: ID<Account>, _ cache: QuestionnaireCache,
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
        of account: ID<Account>, _ cache: QuestionnaireCache, _ connection: borrowing Connection
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
}
