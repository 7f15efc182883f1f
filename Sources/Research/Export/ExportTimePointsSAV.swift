import Files
import JSON
import Studies
import Therapies
import Wire
import Wording

/// The file of one row a participant in SPSS's format.
struct ExportTimePointsSAV: ExportWriter {
    private let variables: SavVariables
    private let words: ExportWords
    private var table: TimePointTable
    private var person: EnrolmentRecord?
    private var file: SavFile?

    init(_ table: TimePointTable, _ variables: SavVariables, _ words: ExportWords) {
        self.table = table
        self.variables = variables
        self.words = words
    }

    private func variable(of column: TimePointTable.Column) -> VariableList.Variable {
        variables.list.variables[column.place]
    }

    mutating func begin(_ study: StudyRecord, _ now: Instant, _ sink: inout ExportSink) throws {
        let head = ExportTimePoints.head.map { name in
            SavFile.Variable(
                name: name, label: words.label(name), .text(bytes: variables.shape.head[name] ?? 0))
        }
        let own = table.columns.map { column in
            let variable = variable(of: column)
            let label = [column.title?.text(in: words.language), variable.label].compactMap(\.self)
            return variables.variable(
                variable, named: column.name, label: label.joined(separator: ": ").prefix(bytes: 250))
        }
        let file = try SavFile(
            head + own, label: study.name, rows: variables.shape.people, seconds: now.seconds)
        self.file = file
        try sink.write(file.taken())
    }

    mutating func begin(_ enrolment: EnrolmentRecord, _ sink: inout ExportSink) throws {
        try finish(&sink)
        person = enrolment
    }

    mutating func add(_ row: ExportRow, _ sink: inout ExportSink) throws { table.add(row) }

    mutating func end(_ manifest: ExportManifest, _ sink: inout ExportSink) throws {
        try finish(&sink)
        try file?.end()
        if let file { try sink.write(file.taken()) }
    }

    private mutating func finish(_ sink: inout ExportSink) throws {
        guard let person, let file else { return }
        let (values, hidden) = table.taken(of: person.id)
        var cells = zip(table.columns, values).map { variables.cell($1, of: variable(of: $0)) }
        for place in hidden {
            if let code = variables.missing(variable(of: table.columns[place])) { cells[place] = code }
        }
        try file.add([.text(person.codename), .text(person.arm?.rawValue ?? "")] + cells)
        try sink.write(file.taken())
    }
}
