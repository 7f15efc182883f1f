import Files
import JSON
import Questionnaires
import Studies
import Wire
import Wording

/// The wide file in SPSS's format, with labels of variables and values.
struct ExportSAV: ExportWriter {
    private let variables: SavVariables
    private var columns: WideColumns
    private let shape: ExportShape
    private let words: ExportWords
    private var file: SavFile?
    /// What stands for a question that was not shown, by the column.
    private var missing: [SavFile.Cell?] = []

    /// - Parameter shape: the number of occasions, and the lengths of texts, which the format states in its header.
    init(
        _ list: VariableList, _ definitions: [QuestionnaireDefinition], _ shape: ExportShape,
        _ words: ExportWords
    ) {
        variables = SavVariables(list: list, shape: shape)
        columns = WideColumns(definitions)
        self.shape = shape
        self.words = words
    }

    mutating func begin(_ study: StudyRecord, _ now: Instant, _ sink: inout ExportSink) throws {
        let head = VariableList.head.map { variable in
            let kind: SavFile.Kind =
                switch variable.kind {
                case .number: .number
                case .moment: .moment
                case .text: .text(bytes: shape.head[variable.name] ?? 0)
                }
            return SavFile.Variable(name: variable.name, label: words.label(variable.name), kind)
        }
        missing = variables.list.variables.map(variables.missing)
        let own = variables.list.variables.map { variables.variable($0, named: $0.name, label: $0.label) }
        let file = try SavFile(head + own, label: study.name, rows: shape.rows, seconds: now.seconds)
        self.file = file
        try sink.write(file.taken())
    }

    mutating func begin(_ enrolment: EnrolmentRecord, _ sink: inout ExportSink) throws {}

    mutating func add(_ row: ExportRow, _ sink: inout ExportSink) throws {
        guard let file else { return }
        let head = row.head(as: SavFile.Cell.self)
        var own = zip(variables.list.variables, columns.values(of: row)).map { variables.cell($1, of: $0) }
        for place in columns.hidden(in: row) { if let code = missing[place] { own[place] = code } }
        try file.add(head + own)
        try sink.write(file.taken())
    }

    mutating func end(_ manifest: ExportManifest, _ sink: inout ExportSink) throws {
        try file?.end()
        if let file { try sink.write(file.taken()) }
    }
}

/// Moments go in as their seconds, without a text in between.
extension SavFile.Cell: HeadCell {
    init(text: String?) { self = .text(text ?? "") }
    init(number: Int?) { self = number.map { .number(Double($0)) } ?? .missing }
    init(moment: Instant?) {
        self = moment.map { .number(SavFile.seconds(since1970: $0.seconds)) } ?? .missing
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
