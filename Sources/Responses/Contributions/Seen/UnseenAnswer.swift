import Database
import Instruments
import JSON
import Questionnaires
import Records
import Therapies
import Web
import Wire
import Wording

/// Answers of one sheet that have to be seen, in words.
package struct UnseenAnswer: Encodable, Sendable {
    package let sheet: ID<ContributionRecord>
    package let patient: ID<Therapy>
    package let title: String
    /// Who it is, on pages about several people.
    package var name: PatientName?
    package let when: String
    /// Question and answer, one a line.
    package let lines: [String]
    /// Where saying that one has seen them goes; nil for a reader who may only read.
    package let action: String?

    package static let example = UnseenAnswer(
        sheet: "5a1c9a0e-98a5-4a9f-8d3e-000000000001", patient: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11",
        title: "Wohlbefinden in fünf Fragen", when: "heute 07:12", lines: ["Ich kam zur Ruhe.: nie (0)"],
        action: "/patients/x/contributions/y/seen")

    /// Those of the one patient whose file is open.
    package static func all(
        _ records: [ContributionRecord], _ c: Context<Caseload>, _ connection: borrowing Connection
    ) throws -> [UnseenAnswer] {
        try all(records, c, connection) { _ in c.proof.standing.mayAct }
    }

    /// Opens the sheets and says what in them has to be seen, by the version that was answered.
    /// - Parameter mayMark: whether the reader may say of a patient's that they have seen them.
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
                sheet: record.id, patient: therapy, title: questionnaire.title(c.language),
                when: c.dates.short(record.completedAt), lines: lines,
                action: mayMark(therapy) ? "/patients/\(therapy)/contributions/\(record.id)/seen" : nil)
        }
    }
}
