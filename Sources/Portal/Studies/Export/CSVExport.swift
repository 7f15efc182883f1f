import HTTP
import Wire

/// How cells are told apart and numbers written.
struct CSVDialect: Sendable {
    let separator: Character
    let point: String

    static let plain = CSVDialect(separator: ",", point: ".")
    /// What spreadsheets set to German expect.
    static let german = CSVDialect(separator: ";", point: ",")

    func cell(_ text: String) -> String { CSV.cell(text, separator: separator) }

    /// A row with its line end.
    func line(_ cells: [String]) -> String { joined(cells) + "\r\n" }

    func joined(_ cells: [String]) -> String { cells.map(cell).joined(separator: String(separator)) }

    /// A number with as few digits as it needs; several with bars between.
    func text(_ value: JSON) -> String {
        switch value {
        case .null: ""
        case .string(let text): text
        case .number(let number): text(number)
        case .bool(let isTrue): isTrue ? "1" : "0"
        case .array(let values): values.map(text).joined(separator: "|")
        case .object: ""
        }
    }

    func text(_ number: Double) -> String {
        Int64(exactly: number).map { String($0) } ?? String(number).replacing(".", with: point)
    }

    /// The mark that lets a spreadsheet read umlauts.
    static let mark = "\u{FEFF}"
}

/// One row for every question of every occasion, and one for every score; a prompt without an answer is one row.
struct LongExport: ExportWriter {
    let dialect: CSVDialect

    static let columns = [
        "participant", "questionnaire", "version", "occasion", "prompted_at", "started_at", "completed_at",
        "timezone", "item", "kind", "value",
    ]

    mutating func begin(_ study: StudyRecord, _ now: Instant, _ sink: inout ExportSink) throws {
        try sink.write(CSVDialect.mark + dialect.line(Self.columns))
    }

    mutating func begin(_ enrolment: EnrolmentRecord, _ sink: inout ExportSink) throws {}

    mutating func add(_ row: ExportRow, _ sink: inout ExportSink) throws {
        guard let sheet = row.sheet else {
            return try sink.write(dialect.line(row.head + ["", "missed", ""]))
        }
        let head = dialect.joined(row.head) + String(dialect.separator)
        let add = { [dialect] (item: String, kind: String, value: String, sink: inout ExportSink) throws in
            let between = String(dialect.separator)
            try sink.write(
                head + dialect.cell(item) + between + kind + between + dialect.cell(value) + "\r\n")
        }
        for question in sheet.questionnaire.definition.questions {
            try add(question.key, "answer", sheet.answers[question.key].map(dialect.text) ?? "", &sink)
        }
        for score in sheet.scores {
            try add(score.scale, "score", score.value.map(dialect.text) ?? "", &sink)
        }
    }

    mutating func end(_ manifest: ExportManifest, _ sink: inout ExportSink) throws {}
}

/// One row for every occasion; answers and scores stand beside each other under the names of the codebook.
struct WideExport: ExportWriter {
    let dialect: CSVDialect
    private var variables = Variables()

    init(_ dialect: CSVDialect, _ definitions: [QuestionnaireDefinition]) {
        self.dialect = dialect
        for definition in definitions {
            for question in definition.questions { _ = variables.name(definition.key, question.key) }
            for scale in definition.scales { _ = variables.name(definition.key, scale.key, isScale: true) }
        }
    }

    mutating func begin(_ study: StudyRecord, _ now: Instant, _ sink: inout ExportSink) throws {
        try sink.write(CSVDialect.mark + dialect.line(LongExport.columns.dropLast(3) + variables.names))
    }

    mutating func begin(_ enrolment: EnrolmentRecord, _ sink: inout ExportSink) throws {}

    mutating func add(_ row: ExportRow, _ sink: inout ExportSink) throws {
        var values: [String: String] = [:]
        if let sheet = row.sheet {
            for question in sheet.questionnaire.definition.questions {
                guard let name = variables.known(row.questionnaire, question.key) else { continue }
                values[name] = sheet.answers[question.key].map(dialect.text)
            }
            for score in sheet.scores {
                guard let name = variables.known(row.questionnaire, score.scale, isScale: true) else {
                    continue
                }
                values[name] = score.value.map(dialect.text)
            }
        }
        try sink.write(dialect.line(row.head + variables.names.map { values[$0] ?? "" }))
    }

    mutating func end(_ manifest: ExportManifest, _ sink: inout ExportSink) throws {}
}

/// What every variable of the wide file means: one row for each, and one for each of its values.
struct Codebook: ExportWriter {
    let dialect: CSVDialect
    private let records: [QuestionnaireRecord]

    init(_ dialect: CSVDialect, _ records: [QuestionnaireRecord]) {
        (self.dialect, self.records) = (dialect, records)
    }

    static let columns = [
        "variable", "questionnaire", "version", "item", "type", "value", "label_de", "label_en",
    ]

    mutating func begin(_ study: StudyRecord, _ now: Instant, _ sink: inout ExportSink) throws {
        try sink.write(CSVDialect.mark + dialect.line(Self.columns))
        var variables = Variables()
        for record in records {
            let (definition, version) = (record.definition, String(record.version))
            for question in definition.questions {
                let name = variables.name(record.key, question.key)
                let head = [name, record.key, version, question.key, question.type.name]
                try sink.write(
                    dialect.line(head + ["", question.text["de"] ?? "", question.text["en"] ?? ""]))
                for option in question.options {
                    let value = dialect.text(option.value)
                    try sink.write(
                        dialect.line(head + [value, option.text["de"] ?? "", option.text["en"] ?? ""]))
                }
            }
            for scale in definition.scales {
                let name = variables.name(record.key, scale.key, isScale: true)
                let head = [name, record.key, version, scale.key, "score"]
                try sink.write(dialect.line(head + ["", scale.title["de"] ?? "", scale.title["en"] ?? ""]))
            }
        }
    }

    mutating func begin(_ enrolment: EnrolmentRecord, _ sink: inout ExportSink) throws {}
    mutating func add(_ row: ExportRow, _ sink: inout ExportSink) throws {}
    mutating func end(_ manifest: ExportManifest, _ sink: inout ExportSink) throws {}
}

extension ExportRow {
    /// What stands in front of every row: who, what, and when.
    fileprivate var head: [String] {
        guard let sheet else {
            return [participant, questionnaire, "", String(occasion), prompt?.text ?? "", "", "", ""]
        }
        return [
            participant, questionnaire, String(sheet.questionnaire.version), String(occasion),
            prompt?.text ?? "",
            sheet.record.startedAt.text, sheet.record.completedAt.text, sheet.record.timezone,
        ]
    }
}
