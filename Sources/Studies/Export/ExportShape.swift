import JSON
import Questionnaires
import Responses

/// What a file of SPSS says before its first row: how many there will be, and how long its texts are.
struct ExportShape: Sendable {
    /// A file that areas above the studies fill.
    struct Table: Sendable {
        var rows = 0
        /// By the number of the column; the participant is the first.
        var widths: [Int: Int] = [:]

        mutating func add(_ row: [JSON], of participant: String) {
            rows += 1
            for (column, cell) in ([.string(participant)] + row).enumerated() {
                widths[column] = max(widths[column] ?? 0, cell.string?.utf8.count ?? 0)
            }
        }
    }

    /// Of occasions.
    var rows = 0
    /// How long texts in front of every row are, in bytes, by their column.
    var head: [String: Int] = [:]
    /// The longest answers in bytes, by the place of their question.
    private var texts: [String: Int] = [:]
    /// By the name of the file.
    var tables: [String: Table] = [:]

    init() {}

    func bytes(_ questionnaire: String, _ question: String) -> Int {
        texts["\(questionnaire)/\(question)"] ?? 0
    }

    mutating func widen(_ column: String, _ text: String) {
        head[column] = max(head[column] ?? 0, text.utf8.count)
    }

    /// What somebody wrote in one sheet.
    mutating func add(_ answers: JSON, _ definition: QuestionnaireDefinition) {
        for question in definition.questions {
            guard let answer = answers[question.key] else { continue }
            let place = "\(definition.key)/\(question.key)"
            texts[place] = max(texts[place] ?? 0, CSVDialect.plain.text(answer).utf8.count)
        }
    }
}
