import Instruments
import Questionnaires
import Studies
import Web
import Wire

/// The meaning of the wide file's variables: a row for each, and for each of its values, in every version.
struct Codebook: ExportWriter {
    let dialect: CSVDialect
    private let records: [QuestionnaireRecord]
    private let timePoints: TimePointTable
    /// Files filled by other areas; each names the files of its columns.
    private let more: [StudyFile]
    /// Those of the words beside German and English, whose columns come last.
    private let languages: [String]
    private let notShown: Double
    private let words: ExportWords

    init(
        _ dialect: CSVDialect, _ records: [QuestionnaireRecord], _ timePoints: TimePointTable,
        and more: [StudyFile], in words: ExportWords
    ) {
        self.dialect = dialect
        self.words = words
        self.records = records
        self.timePoints = timePoints
        self.more = more
        let texts = records.flatMap { record in
            record.definition.scales.map(\.title)
                + record.definition.sections.flatMap { [$0.text] + $0.questions.flatMap(\.words) }
        }
        languages = Set(texts.flatMap(\.languages)).subtracting(["de", "en"]).sorted()
        notShown = NotShown.code(records.map(\.definition))
    }

    private var allColumns: [String] {
        Self.columns
            + languages.flatMap { code in
                ["label", "section", "minimum_label", "maximum_label"].map { "\($0)_\(code)" }
            }
    }

    static let columns = [
        "variable", "questionnaire", "version", "item", "type", "value", "label_de", "label_en",
        "section_de", "section_en", "condition", "required", "minimum", "maximum", "step",
        "minimum_label_de", "minimum_label_en", "maximum_label_de", "maximum_label_en", "rule", "reversed",
        "needed",
    ]

    /// A row: missing facts stay empty.
    private struct Row {
        private var cells: [String: String] = [:]

        subscript(column: String) -> String? {
            get { cells[column] }
            set { cells[column] = newValue }
        }

        subscript(text column: String) -> QuestionnaireDefinition.Text? {
            get { nil }
            set {
                for (language, text) in newValue?.translations ?? [] { cells["\(column)_\(language)"] = text }
            }
        }

        func all(_ columns: [String]) -> [String] { columns.map { cells[$0] ?? "" } }
    }

    mutating func begin(_ study: StudyRecord, _ now: Instant, _ sink: inout ExportSink) throws {
        try sink.write(CSVDialect.mark + dialect.line(allColumns))
        for variable in VariableList.head {
            try write(variable.name, variable.kind.rawValue, words.all(variable.name), &sink)
        }
        var variables = ExportVariables(records.map(\.definition))
        for record in records {
            for section in record.definition.sections {
                for question in section.questions {
                    try write(question, in: section, of: record, &variables, &sink)
                }
            }
            for scale in record.definition.scales {
                let name = variables.name(record.key, scale.key, isScale: true)
                try write(scale, row(name, record, scale.key, "score"), record.definition, &sink)
            }
        }
        for column in TimePointRows(timePoints, records, words).all {
            try write(column.name, "column", column.label, item: column.item, rule: column.rule, &sink)
        }
        for file in more {
            for column in file.columns {
                try write(
                    "\(file.name).\(column.name)", "column",
                    ["de": column.german, "en": column.english], item: column.name, &sink)
            }
        }
    }

    private func write(
        _ name: String, _ type: String, _ label: LocalizedText, item: String = "", rule: String? = nil,
        _ sink: inout ExportSink
    ) throws {
        var row = Row()
        row["rule"] = rule
        row["variable"] = name
        row["item"] = item
        row["type"] = type
        row[text: "label"] = label
        try sink.write(dialect.line(row.all(allColumns)))
    }

    private func row(_ name: String, _ record: QuestionnaireRecord, _ item: String, _ type: String) -> Row {
        var row = Row()
        row["variable"] = name
        row["questionnaire"] = record.key
        row["version"] = String(record.version)
        row["item"] = item
        row["type"] = type
        return row
    }

    private func write(
        _ values: [(value: Double, words: ValueLabels.Words)], of row: Row, _ sink: inout ExportSink
    )
        throws
    {
        for (value, meaning) in values {
            var line = row
            line["value"] = dialect.text(value)
            line[text: "label"] = meaning.all(words)
            try sink.write(dialect.line(line.all(allColumns)))
        }
    }

    private func write(
        _ question: QuestionnaireDefinition.Question, in section: QuestionnaireDefinition.Section,
        of record: QuestionnaireRecord, _ variables: inout ExportVariables, _ sink: inout ExportSink
    ) throws {
        let plain = row(
            variables.name(record.key, question.key), record, question.key, question.type.name)
        var line = plain
        line[text: "label"] = question.text
        line[text: "section"] = section.text
        line["condition"] = section.visibleIf.map { CodebookRules(dialect: dialect).text($0) }
        line["required"] = question.isRequired ? "1" : "0"
        let limits = question.type.limits
        line["minimum"] = limits.minimum.map(dialect.text)
        line["maximum"] = limits.maximum.map(dialect.text)
        line["step"] = limits.step.map(dialect.text)
        line[text: "minimum_label"] = question.minimumLabel
        line[text: "maximum_label"] = question.maximumLabel
        try sink.write(dialect.line(line.all(allColumns)))
        // For many choices the text of this variable holds the values, and each has a variable of its own.
        let values = question.choices.map { ($0.value, ValueLabels.Words.own($0.text)) }
        let hidden =
            section.visibleIf == nil || question.type == .date
            ? [] : [(value: notShown, words: NotShown.words)]
        try write(ValueLabels.of(question) + values + hidden, of: plain, &sink)
        for option in question.choices {
            let name = variables.name(record.key, question.key, option.value)
            let choice = row(name, record, question.key, "choice")
            var line = choice
            line[text: "label"] = option.text.followed(by: question.text)
            line[text: "section"] = section.text
            line["rule"] = "\(question.key) contains \(dialect.text(option.value))"
            try sink.write(dialect.line(line.all(allColumns)))
            try write(ValueLabels.yesNo + hidden, of: choice, &sink)
        }
    }

    private func write(
        _ scale: Scale, _ row: Row, _ definition: QuestionnaireDefinition, _ sink: inout ExportSink
    ) throws {
        var line = row
        line[text: "label"] = scale.title
        line["minimum"] = scale.range.map { dialect.text($0.lowerBound) }
        line["maximum"] = scale.range.map { dialect.text($0.upperBound) }
        line["rule"] = CodebookRules(dialect: dialect).text(scale, definition)
        line["reversed"] = scale.items.filter(scale.reversed.contains).joined(separator: "|")
        line["needed"] = String(scale.needed)
        try sink.write(dialect.line(line.all(allColumns)))
    }

    mutating func begin(_ enrolment: EnrolmentRecord, _ sink: inout ExportSink) throws {}
    mutating func add(_ row: ExportRow, _ sink: inout ExportSink) throws {}
    mutating func end(_ manifest: ExportManifest, _ sink: inout ExportSink) throws {}
}

extension QuestionnaireDefinition.Kind {
    /// The bounds and steps of an answer; for many choices, how many.
    fileprivate var limits: (minimum: Double?, maximum: Double?, step: Double?) {
        switch self {
        case .slider(let low, let high, let step): (low, high, step)
        case .sam(_, let low, let high): (low, high, 1)
        case .number(let low, let high): (low, high, nil)
        case .multiple(let least, let most): (least.map(Double.init), most.map(Double.init), nil)
        case .single, .yesNo, .text, .date: (nil, nil, nil)
        }
    }
}

extension QuestionnaireDefinition.Question {
    /// All words of it.
    fileprivate var words: [LocalizedText] {
        [text] + options.map(\.text) + [minimumLabel, maximumLabel].compactMap(\.self)
    }
}
