import Files
import JSON
import Questionnaires
import Studies
import Wire
import Wording

/// The wide file in SPSS's format, with labels of variables and values.
struct ExportSAV: ExportWriter {
    private let list: VariableList
    private let columns: WideColumns
    private let shape: ExportShape
    private let language: Language
    private var file: SavFile?
    private let dialect = CSVDialect.plain

    /// - Parameter shape: the number of occasions, and the lengths of texts, which the format states in its header.
    init(
        _ list: VariableList, _ definitions: [QuestionnaireDefinition], _ shape: ExportShape,
        _ language: Language
    ) {
        self.list = list
        columns = WideColumns(definitions)
        self.shape = shape
        self.language = language
    }

    mutating func begin(_ study: StudyRecord, _ now: Instant, _ sink: inout ExportSink) throws {
        let head = zip(VariableList.head, Codebook.head).map { variable, words in
            let kind: SavFile.Kind =
                switch variable.kind {
                case .number: .number
                case .moment: .moment
                case .text: .text(bytes: shape.head[variable.name] ?? 0)
                }
            return SavFile.Variable(
                name: variable.name, label: language == .german ? words.1 : words.2, kind)
        }
        let own = list.variables.map { variable in
            let bytes = max(variable.textBytes, shape.bytes(variable.questionnaire, variable.item))
            let kind: SavFile.Kind =
                switch variable.kind {
                case .number: .number
                case .date: .day
                case .text: .text(bytes: bytes)
                }
            return SavFile.Variable(
                name: variable.name, label: variable.label, values: variable.values, kind,
                isNominal: variable.isChoice)
        }
        let file = try SavFile(head + own, label: study.name, rows: shape.rows, seconds: now.seconds)
        self.file = file
        try sink.write(file.taken())
    }

    mutating func begin(_ enrolment: EnrolmentRecord, _ sink: inout ExportSink) throws {}

    mutating func add(_ row: ExportRow, _ sink: inout ExportSink) throws {
        guard let file else { return }
        let head = zip(VariableList.head, row.head).map { variable, text -> SavFile.Cell in
            switch variable.kind {
            case .text: .text(text)
            case .number: Double(text).map { .number($0) } ?? .missing
            case .moment: .moment(text)
            }
        }
        let own = zip(list.variables, columns.values(of: row)).map { variable, value -> SavFile.Cell in
            switch (variable.kind, value) {
            case (.text, _): .text(dialect.text(value))
            case (.date, .string(let day)): .day(day)
            case (.number, .number(let number)): .number(number)
            case (.number, .bool(let isTrue)): .number(isTrue ? 1 : 0)
            default: .missing
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

extension SavFile.Cell {
    /// A day written as in ISO 8601; missing for any other text.
    static func day(_ text: String) -> SavFile.Cell {
        LocalDate(text).map { .number(SavFile.seconds(since1970: $0.daysSince1970 * 86_400)) } ?? .missing
    }

    static func moment(_ text: String) -> SavFile.Cell {
        Instant(text).map { .number(SavFile.seconds(since1970: $0.seconds)) } ?? .missing
    }
}
