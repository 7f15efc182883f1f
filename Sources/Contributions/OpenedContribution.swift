import Database
import Instruments
import JSON
import Questionnaires
import Web
import Wire

/// A stored answer sheet, unsealed, with its questionnaire and scores.
package struct OpenedContribution: Sendable {
    package let record: ContributionRecord
    package let questionnaire: QuestionnaireRecord
    package let scores: [ScaleScore]
    /// The answers as they were written, and as the questionnaire reads them: none where it cannot.
    package let written: StoredJSON
    package let answers: Answers
    /// Times of the single answers and sensors, in copies only; nil when none were sent.
    package let details: StoredJSON?

    /// The same sheets in the same order, without those of erased accounts.
    /// - Parameter reads: whether `answers` are wanted; a copy needs only what was written.
    package static func all(
        _ records: [ContributionRecord], reads: Bool = true, _ services: Services,
        _ connection: borrowing Connection
    ) throws -> [OpenedContribution] {
        let keys = try AnswerKeys(of: records, services.keys, connection)
        let scores = try ContributionStore.scores(of: records, connection)
        return try records.compactMap { record in
            guard let key = keys[record],
                let questionnaire = try QuestionnaireStore.find(
                    record.questionnaireID, services.questionnaires, connection)
            else { return nil }
            let written = try record.answers(key)
            // What is damaged is an error; what this questionnaire does not know any more is not.
            let parsed = reads ? try JSON.parse(written.bytes) : .null
            let answers = reads ? try? questionnaire.definition.readAnswers(parsed) : nil
            return OpenedContribution(
                record: record, questionnaire: questionnaire, scores: scores[record.id] ?? [],
                written: written, answers: answers ?? [:], details: reads ? nil : try record.details(key))
        }
    }
}
