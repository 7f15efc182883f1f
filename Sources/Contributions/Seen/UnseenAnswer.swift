import Database
import Instruments
import JSON
import Questionnaires
import Records
import Templates
import Therapies
import Web
import Wire
import Wording

/// Answers of one sheet that must be seen, in words.
package struct UnseenAnswer: Encodable, Sendable {
    package let sheet: ID<ContributionRecord>
    package let patient: ID<Therapy>
    package let title: WrittenText
    /// The patient, on pages about several.
    package var name: PatientName?
    package let when: String
    /// Question and answer, one a line.
    package let lines: [String]
    /// The action that marks them as seen; nil under supervision.
    package let action: String?

    /// Those of the one patient whose file is open.
    package static func all(
        _ records: [ContributionRecord], _ c: Context<Caseload>, _ connection: borrowing Connection
    ) throws -> [UnseenAnswer] {
        try all(records, c, connection) { _ in c.proof.standing.isWatching }
    }

    /// Opens the sheets and lists the answers that must be seen, by the version that was answered.
    /// - Parameter mayMark: whether the reader may mark a patient's answers as seen.
    package static func all<P>(
        _ records: [ContributionRecord], _ c: Context<P>, _ connection: borrowing Connection,
        mayMark: (ID<Therapy>) -> Bool
    ) throws -> [UnseenAnswer] {
        if records.isEmpty { return [] }
        let keys = try AnswerKeys(of: records, c.keys, connection)
        return try records.compactMap { record in
            guard let key = keys[record], let therapy = record.therapyID,
                let questionnaire = try QuestionnaireStore.find(
                    record.questionnaireID, c.services.questionnaires, connection)
            else { return nil }
            let definition = questionnaire.definition
            let language = definition.language(asked: c.language.rawValue)
            let answers = try definition.readAnswers(JSON.parse(try record.answers(key).bytes))
            let lines = definition.questionsToBeSeen(answers).compactMap { question in
                answers[question.key].map { answer in
                    let words = ContributionPages.words(answer, question, language, c.texts, c.dates)
                    return c.texts[
                        "seen.line", ["question": question.text[language] ?? question.key, "answer": words]]
                }
            }
            return UnseenAnswer(
                sheet: record.id, patient: therapy, title: questionnaire.written(on: c.language),
                when: c.dates.short(record.completedAt), lines: lines,
                action: mayMark(therapy) ? "/patients/\(therapy)/contributions/\(record.id)/seen" : nil)
        }
    }
}
