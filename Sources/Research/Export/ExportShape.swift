import JSON
import Questionnaires

/// The header of an SPSS file: the number of its rows, and the lengths of its texts.
struct ExportShape: Sendable {
    /// A file filled by other areas.
    struct Table: Sendable {
        var rows = 0
        /// By the index of the column; the participant is the first.
        var widths: [Int: Int] = [:]

        mutating func add(_ row: [JSON], of participant: String) {
            rows += 1
            for (column, cell) in ([.string(participant)] + row).enumerated() {
                widths[column] = max(widths[column] ?? 0, cell.string?.utf8.count ?? 0)
            }
        }
    }

    /// The number of occasions.
    var rows = 0
    /// The number of participants, by their codenames.
    var people = 0
    /// The lengths of texts in the first columns, in bytes, by their column.
    var head: [String: Int] = [:]
    /// The longest answers in bytes, by their question.
    private var texts: [String: Int] = [:]
    /// The text that may stand for a question that was not shown, and the questions that were answered by just that.
    var coded = ""
    private var isAnswered: Set<String> = []
    /// By the name of the file.
    var tables: [String: Table] = [:]

    init() {}

    func bytes(_ questionnaire: String, _ question: String) -> Int {
        texts["\(questionnaire)/\(question)"] ?? 0
    }

    /// Whether an answer is the text that may stand for a question that was not shown.
    func isAnsweredByCode(_ questionnaire: String, _ question: String) -> Bool {
        isAnswered.contains("\(questionnaire)/\(question)")
    }

    mutating func widen(_ column: String, _ text: String) {
        head[column] = max(head[column] ?? 0, text.utf8.count)
    }

    /// The texts of one sheet.
    mutating func add(_ answers: JSON, _ definition: QuestionnaireDefinition) {
        for question in definition.questions {
            guard let answer = answers[question.key] else { continue }
            let place = "\(definition.key)/\(question.key)"
            let text = CSVDialect.plain.text(answer)
            texts[place] = max(texts[place] ?? 0, text.utf8.count)
            if text == coded { isAnswered.insert(place) }
        }
    }
}
