import Database
import Instruments
import Records
import Therapies
import Wording

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

        /// Its title, with the time point at which it stands.
        package func label(_ readers: [Language]) -> String {
            let point = study.timePoints.first { $0.key == item.timePoint }
            let title = questionnaire.title(readers)
            return point.map { "\(title) (\($0.title.text(in: readers) ?? $0.key))" } ?? title
        }
    }

    /// The one that is meant.
    /// - Parameter item: needed where the questionnaire stands at several time points.
    /// - Throws: `Problem.invalid` where it is not clear.
    package static func target(
        _ key: String, _ item: ID<StudyItem>?, among all: [Target]
    ) throws(Problem) -> Target {
        let known = all.filter { $0.item.key == key }
        if known.isEmpty { throw .invalid("questionnaire_key", "studies.not_in_study") }
        if let item {
            guard let found = known.first(where: { $0.item.id == item }) else {
                throw .invalid("item_id", "studies.not_in_study")
            }
            return found
        }
        if known.count > 1 { throw .invalid("item_id", "studies.item_needed") }
        return known[0]
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

    /// - Parameter isMasked: whether to leave out what is asked of single arms, which would tell the participant's.
    package static func all(
        _ study: StudyRecord, _ enrolment: EnrolmentRecord, isMasked: Bool = false,
        _ cache: QuestionnaireCache, _ connection: borrowing Connection
    ) throws -> [Target] {
        // Sheets filled in before leaving may come by mail.
        guard enrolment.enrolledAt != nil, enrolment.erasedAt == nil, !enrolment.waits else { return [] }
        return try StudyItemStore.all(in: study.id, connection).compactMap { item in
            guard item.deactivatedAt == nil, item.asks(enrolment), !isMasked || item.arms.isEmpty,
                let record = try QuestionnaireStore.newest(item.key, cache, connection)
            else { return nil }
            return Target(study, enrolment, item, record)
        }
    }
}
