import Files
import JSON
import Questionnaires
import Studies
import Wire
import Wording

/// The wide file in SPSS's format, with labels of variables and values.
struct ExportSAV: ExportWriter {
    private let list: VariableList
    private var columns: WideColumns
    private let shape: ExportShape
    private let words: ExportWords
    private var file: SavFile?
    /// What stands for a question that was not shown; nil where its text has no room for it, or may be an answer.
    private var missing: [SavFile.Cell?] = []
    private let dialect = CSVDialect.plain

    /// - Parameter shape: the number of occasions, and the lengths of texts, which the format states in its header.
    init(
        _ list: VariableList, _ definitions: [QuestionnaireDefinition], _ shape: ExportShape,
        _ words: ExportWords
    ) {
        self.list = list
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
        missing = list.variables.map(missing)
        let own = zip(list.variables, missing).map { variable, missing in
            let bytes = bytes(of: variable)
            let kind: SavFile.Kind =
                switch variable.kind {
                case .number: .number
                case .date: .day
                case .text: .text(bytes: missing == nil ? bytes : max(bytes, code.utf8.count))
                }
            return SavFile.Variable(
                name: variable.name, label: variable.label,
                values: variable.values + (missing == nil ? [] : [(list.notShown, list.notShownLabel)]),
                kind, isNominal: variable.isChoice, missing: missing)
        }
        let file = try SavFile(head + own, label: study.name, rows: shape.rows, seconds: now.seconds)
        self.file = file
        try sink.write(file.taken())
    }

    private func bytes(of variable: VariableList.Variable) -> Int {
        max(variable.textBytes, shape.bytes(variable.questionnaire, variable.item))
    }

    private var code: String { dialect.text(list.notShown) }

    private func missing(_ variable: VariableList.Variable) -> SavFile.Cell? {
        guard variable.canBeHidden, variable.kind != .date else { return nil }
        guard variable.kind == .text else { return .number(list.notShown) }
        // SPSS declares missing texts of at most eight bytes.
        let fits = max(bytes(of: variable), code.utf8.count) <= 8
        return fits && !shape.isAnsweredByCode(variable.questionnaire, variable.item) ? .text(code) : nil
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
        var own = zip(list.variables, columns.values(of: row)).map { variable, value -> SavFile.Cell in
            switch (variable.kind, value) {
            case (.text, _): .text(dialect.text(value))
            case (.date, .string(let day)): .day(day)
            case (.number, .number(let number)): .number(number)
            case (.number, .bool(let isTrue)): .number(isTrue ? 1 : 0)
            default: .missing
            }
        }
        for place in columns.hidden(in: row) { if let code = missing[place] { own[place] = code } }
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
