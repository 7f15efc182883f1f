import Database
import Instruments
import Records
import Therapies

/// The questionnaires of a study that staff may enter from paper (IO-21). They come in through `Intake`.
package enum StudyPaper {
    /// The target of a sheet from paper.
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
    }

    /// The questionnaires a therapist may enter: of the study that the therapy has offered, while the patient takes
    /// part in it on paper. Other studies and groups are hidden from the therapist.
    package static func offered(
        by therapy: ID<Therapy>, _ cache: QuestionnaireCache, _ connection: borrowing Connection
    ) throws -> [Target] {
        guard let enrolment = try OfferStore.onPaper(in: therapy, connection),
            let study = try StudyStore.find(enrolment.studyID, connection)
        else { return [] }
        return try all(study, enrolment, cache, connection)
    }

    package static func all(
        _ study: StudyRecord, _ enrolment: EnrolmentRecord, _ cache: QuestionnaireCache,
        _ connection: borrowing Connection
    ) throws -> [Target] {
        // Sheets filled in before leaving may come by mail.
        guard enrolment.enrolledAt != nil, enrolment.erasedAt == nil else { return [] }
        return try StudyItemStore.all(in: study.id, connection).compactMap { item in
            guard item.deactivatedAt == nil,
                let record = try QuestionnaireStore.newest(item.key, cache, connection)
            else { return nil }
            return Target(study, enrolment, item, record)
        }
    }
}
