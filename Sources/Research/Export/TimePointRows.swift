import Instruments
import Questionnaires
import Studies
import Wire

/// What the codebook says of the file of one row a participant: its columns, named after it, and by a rule which of several values they are.
struct TimePointRows {
    struct Row {
        let name: String
        let item: String
        let label: LocalizedText
        let rule: String
    }

    private(set) var all: [Row] = []
    /// Of the wide file's columns, in their newest version.
    private var labels: [String: LocalizedText] = [:]

    /// - Parameter records: every version, the newest first.
    init(_ table: TimePointTable, _ records: [QuestionnaireRecord], _ words: ExportWords) {
        var variables = ExportVariables(records.map(\.definition))
        for record in records + table.therapies.records {
            for question in record.definition.questions {
                note(variables.name(record.key, question.key), question.text)
                for option in question.choices {
                    let name = variables.name(record.key, question.key, option.value)
                    note(name, option.text.followed(by: question.text))
                }
            }
            for scale in record.definition.scales {
                note(variables.name(record.key, scale.key, isScale: true), scale.title)
            }
        }
        let without = table.leftOut.isEmpty ? "" : "without \(table.leftOut.joined(separator: ", "))"
        add("participant", words.all("time_points"), without)
        for column in table.columns {
            let label = labels[column.base] ?? [:]
            add(
                column.name, column.title.map { label.followed(by: $0) } ?? label,
                "\(column.value.rawValue)(\(column.base))" + (column.source == .therapy ? " of therapy" : ""))
        }
    }

    private mutating func note(_ name: String, _ text: LocalizedText) {
        if labels[name] == nil { labels[name] = text }
    }

    private mutating func add(_ column: String, _ label: LocalizedText, _ rule: String) {
        let file = StudyExport.Format.timePoints.rawValue
        all.append(Row(name: "\(file).\(column)", item: column, label: label, rule: rule))
    }
}

extension LocalizedText {
    /// Each translation followed by another text's in brackets.
    func followed(by other: LocalizedText) -> LocalizedText {
        LocalizedText(
            translations: translations.map { language, text in
                (language, other[language].map { "\(text) (\($0))" } ?? text)
            })
    }
}
