import Files
import JSON
import Questionnaires
import Wire
import Wording

/// The wide file as SPSS keeps it, with labels of variables and values.
struct ExportSAV: ExportWriter {
    private let list: VariableList
    private let columns: WideColumns
    private let rows: Int
    private let textBytes: [String: Int]
    private let language: Language
    private var file: SavFile?
    private let dialect = CSVDialect.plain

    /// - Parameters:
    ///   - rows: how many occasions there will be.
    ///   - textBytes: how long texts can be at most, by questionnaire: the format says so in front.
    init(
        _ list: VariableList, _ definitions: [QuestionnaireDefinition], rows: Int,
        textBytes: [String: Int], _ language: Language
    ) {
        self.textBytes = textBytes
        self.list = list
        columns = WideColumns(definitions)
        self.rows = rows
        self.language = language
    }

    mutating func begin(_ study: StudyRecord, _ now: Instant, _ sink: inout ExportSink) throws {
        let head = zip(VariableList.head, Codebook.head).map { variable, words in
            SavFile.Variable(
                name: variable.name, label: language == .german ? words.1 : words.2, values: [],
                isText: variable.isText)
        }
        let own = list.variables.map {
            SavFile.Variable(
                name: $0.name, label: $0.label, values: $0.values, isText: $0.isText,
                textBytes: textBytes[$0.questionnaire] ?? 0)
        }
        let file = try SavFile(head + own, label: study.name, rows: rows, seconds: now.seconds)
        self.file = file
        try sink.write(file.taken())
    }

    mutating func begin(_ enrolment: EnrolmentRecord, _ sink: inout ExportSink) throws {}

    mutating func add(_ row: ExportRow, _ sink: inout ExportSink) throws {
        guard let file else { return }
        let head = zip(VariableList.head, row.head).map { variable, text -> SavFile.Cell in
            if variable.isText { return .text(text) }
            return Double(text).map { .number($0) } ?? .missing
        }
        let own = zip(list.variables, columns.values(of: row)).map { variable, value -> SavFile.Cell in
            if variable.isText { return .text(dialect.text(value)) }
            switch value {
            case .number(let number): return .number(number)
            case .bool(let isTrue): return .number(isTrue ? 1 : 0)
            default: return .missing
            }
        }
        try file.add(head + own)
        try sink.write(file.taken())
    }

    mutating func end(_ manifest: ExportManifest, _ sink: inout ExportSink) throws {
        try file?.end()
        if let file { try sink.write(file.taken()) }
    }
}
