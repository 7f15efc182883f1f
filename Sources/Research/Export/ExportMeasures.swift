import Files
import JSON
import Studies
import Web
import Wire
import Wording

/// A table of another area in SPSS's format.
struct ExportTableSAV: ExportWriter {
    private let columns: [StudyFile.Column]
    private let shape: ExportShape.Table
    private let language: Language
    private var file: SavFile?

    /// - Parameter shape: the number of rows, and the lengths of their texts.
    init(_ columns: [StudyFile.Column], _ shape: ExportShape.Table, _ words: ExportWords) {
        let participant = words.label("participant")
        self.columns = [StudyFile.Column("participant", participant, participant)] + columns
        self.shape = shape
        language = words.language
    }

    mutating func begin(_ study: StudyRecord, _ now: Instant, _ sink: inout ExportSink) throws {
        let variables = columns.enumerated().map { index, column in
            let kind: SavFile.Kind =
                switch column.kind {
                case .number: .number
                case .day: .day
                case .moment: .moment
                case .text: .text(bytes: shape.widths[index] ?? 0)
                }
            return SavFile.Variable(
                name: column.name, label: language == .german ? column.german : column.english, kind)
        }
        let file = try SavFile(variables, label: study.name, rows: shape.rows, seconds: now.seconds)
        self.file = file
        try sink.write(file.taken())
    }

    mutating func add(cells: [JSON], _ sink: inout ExportSink) throws {
        guard let file else { return }
        try file.add(
            zip(columns, cells).map { column, cell in
                switch column.kind {
                case .number: cell.number.map { .number($0) } ?? .missing
                case .day: cell.string.map { .day($0) } ?? .missing
                case .moment: cell.string.map { .moment($0) } ?? .missing
                case .text: cell.string.map { .text($0) } ?? .missing
                }
            })
        try sink.write(file.taken())
    }

    mutating func end(_ manifest: ExportManifest, _ sink: inout ExportSink) throws {
        try file?.end()
        if let file { try sink.write(file.taken()) }
    }

    mutating func begin(_ enrolment: EnrolmentRecord, _ sink: inout ExportSink) throws {}
    mutating func add(_ row: ExportRow, _ sink: inout ExportSink) throws {}
}

/// A list of documents, each with its participant in its header (Open mHealth).
struct ExportDocuments: ExportWriter {
    private var isFirst = true

    mutating func begin(_ study: StudyRecord, _ now: Instant, _ sink: inout ExportSink) throws {
        try sink.write("[")
    }

    mutating func add(cells: [JSON], _ sink: inout ExportSink) throws {
        guard cells.count == 2, case .object(let members) = cells[1] else { return }
        let all = members.map { member -> JSON.Member in
            guard member.key == "header", case .object(let header) = member.value else { return member }
            return .init("header", .object(header + [.init("user_id", cells[0])]))
        }
        if !isFirst { try sink.write(",\n") }
        isFirst = false
        try sink.write(try JSONWriter.bytes(of: JSON.object(all)))
    }

    mutating func end(_ manifest: ExportManifest, _ sink: inout ExportSink) throws { try sink.write("]\n") }
    mutating func begin(_ enrolment: EnrolmentRecord, _ sink: inout ExportSink) throws {}
    mutating func add(_ row: ExportRow, _ sink: inout ExportSink) throws {}
}
