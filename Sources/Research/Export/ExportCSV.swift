import Contributions
import Instruments
import JSON
import Questionnaires
import Records
import Studies
import Web
import Wire

/// The separator of cells and the decimal point.
struct CSVDialect: Sendable {
    let separator: UInt8
    let point: String

    static let plain = CSVDialect(separator: CSV.comma, point: ".")
    /// As spreadsheets set to German expect.
    static let german = CSVDialect(separator: UInt8(ascii: ";"), point: ",")

    /// A row with its line end.
    func line(_ cells: some Sequence<String>) -> [UInt8] { joined(cells) + CSV.lineEnd }

    func joined(_ cells: some Sequence<String>) -> [UInt8] {
        var bytes: [UInt8] = []
        append(cells, to: &bytes)
        return bytes
    }

    func append(_ cells: some Sequence<String>, to bytes: inout [UInt8]) {
        CSV.append(cells: cells, separator: separator, to: &bytes)
    }

    /// A number with the digits it needs; several separated by bars.
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
        if let whole = Int64(exactly: number) { return String(whole) }
        return point == "." ? String(number) : String(number).replacing(".", with: point)
    }

    /// The same as a cell: whole numbers are written without making a text.
    func append(_ value: JSON, to bytes: inout [UInt8]) {
        if case .null = value { return }
        if case .number(let number) = value, let whole = Int(exactly: number) {
            if (0...9).contains(whole) { return bytes.append(UInt8(ascii: "0") + UInt8(whole)) }
            bytes.append(contentsOf: String(whole).utf8)
        } else {
            CSV.append(text(value), separator: separator, to: &bytes)
        }
    }

    /// Values behind the first columns, with the end of the line.
    func append(further values: [JSON], to bytes: inout [UInt8]) {
        for value in values {
            bytes.append(separator)
            append(value, to: &bytes)
        }
        bytes += CSV.lineEnd
    }

    /// The byte order mark, by which spreadsheets recognise UTF-8.
    static let mark: [UInt8] = Array("\u{FEFF}".utf8)
}

/// One row for every question of every occasion, and one for every score; a prompt without an answer is one row.
struct ExportLong: ExportWriter {
    let dialect: CSVDialect
    /// The middle of a row, by version: the questions as bytes, in their order.
    private var items: [ID<QuestionnaireVersion>: [[UInt8]]] = [:]

    init(_ dialect: CSVDialect) { self.dialect = dialect }

    /// The columns that the wide file has as well.
    static let head =
        [
            "participant", "arm", "questionnaire", "version", "occasion", "prompted_at", "started_at",
            "completed_at", "timezone", "source", "consent_version",
        ] + added
    /// What was added stands last in the long file: readers by position find the others where they were.
    private static let added = [
        "prompt_state", "item_id", "time_point", "answered_together", "event_started_at", "event_ended_at",
    ]
    static let columns: [String] =
        head.dropLast(added.count) + ["item", "kind", "value", "shown"] + head.suffix(added.count)

    mutating func begin(_ study: StudyRecord, _ now: Instant, _ sink: inout ExportSink) throws {
        try sink.write(CSVDialect.mark + dialect.line(Self.columns))
    }

    mutating func begin(_ enrolment: EnrolmentRecord, _ sink: inout ExportSink) throws {}

    mutating func add(_ row: ExportRow, _ sink: inout ExportSink) throws {
        let cells = row.head(as: String.self)
        let first = cells.dropLast(Self.added.count)
        let last = cells.suffix(Self.added.count)
        guard let sheet = row.sheet else {
            let state = row.state?.rawValue ?? ""
            return try sink.write(dialect.line(first + ["", state, "", ""] + last))
        }
        let between = [dialect.separator]
        let head = dialect.joined(first) + between
        let asked = middles(of: sheet.questionnaire)
        let hidden = sheet.hidden
        let end = between + dialect.line(last)
        let shown = between + [UInt8(ascii: "1")] + end
        let notShown = between + [UInt8(ascii: "0")] + end
        var bytes: [UInt8] = []
        bytes.reserveCapacity((head.count + shown.count + 40) * (asked.count + sheet.scores.count))
        for (index, question) in sheet.questionnaire.definition.questions.enumerated() {
            bytes += head
            bytes += asked[index]
            dialect.append(sheet.answer(index, question.key), to: &bytes)
            bytes += !hidden.isEmpty && hidden[index] ? notShown : shown
        }
        for score in sheet.scores {
            bytes += head
            bytes += middle(score.scale, "score")
            if let value = score.value { dialect.append(.number(value), to: &bytes) }
            bytes += between
            bytes += end
        }
        try sink.write(bytes)
    }

    private mutating func middles(of questionnaire: QuestionnaireRecord) -> [[UInt8]] {
        if let known = items[questionnaire.id] { return known }
        let made = questionnaire.definition.questions.map { middle($0.key, "answer") }
        items[questionnaire.id] = made
        return made
    }

    private func middle(_ item: String, _ kind: String) -> [UInt8] {
        dialect.joined([item, kind, ""])
    }

    mutating func end(_ manifest: ExportManifest, _ sink: inout ExportSink) throws {}
}

/// One row for every occasion; answers and scores are side by side under the names of the codebook.
struct ExportWide: ExportWriter {
    let dialect: CSVDialect
    private var columns: WideColumns

    init(_ dialect: CSVDialect, _ definitions: [QuestionnaireDefinition]) {
        self.dialect = dialect
        columns = WideColumns(definitions)
    }

    mutating func begin(_ study: StudyRecord, _ now: Instant, _ sink: inout ExportSink) throws {
        try sink.write(CSVDialect.mark + dialect.line(ExportLong.head + columns.names))
    }

    mutating func begin(_ enrolment: EnrolmentRecord, _ sink: inout ExportSink) throws {}

    mutating func add(_ row: ExportRow, _ sink: inout ExportSink) throws {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(200 + 2 * columns.names.count)
        dialect.append(row.head(as: String.self), to: &bytes)
        dialect.append(further: columns.values(of: row), to: &bytes)
        try sink.write(bytes)
    }

    mutating func end(_ manifest: ExportManifest, _ sink: inout ExportSink) throws {}
}

extension ExportRow {
    /// The source of a sheet.
    static let sources = ["device", "paper"]

    /// The first columns of every row: participant, questionnaire, time.
    func head<Cell: HeadCell>(as cell: Cell.Type) -> [Cell] {
        let record = sheet?.record
        return [
            Cell(text: participant), Cell(text: arm), Cell(text: questionnaire),
            Cell(number: sheet?.questionnaire.version), Cell(number: occasion), Cell(moment: prompt),
            Cell(moment: tellsWay ? record?.startedAt : nil), Cell(moment: completedAt),
            Cell(text: timezone),
            Cell(text: tellsWay ? record.map { Self.sources[$0.isPaper ? 1 : 0] } : nil),
            Cell(number: record?.consentVersion),
            Cell(text: state?.rawValue), Cell(text: item?.text), Cell(text: item?.column),
            Cell(number: record == nil || item == nil ? nil : isTogether.map { $0 ? 1 : 0 }),
            Cell(moment: record == nil ? nil : event?.startedAt),
            Cell(moment: record == nil ? nil : event?.endedAt),
        ]
    }

    /// What stands for the time point of a questionnaire that stands at none.
    static let studyWide = "study"
}

/// A cell of the first columns: what is text in some files is a number in others.
protocol HeadCell {
    init(text: String?)
    init(number: Int?)
    init(moment: Instant?)
}

extension String: HeadCell {
    init(text: String?) { self = text ?? "" }
    init(number: Int?) { self = number.map { String($0) } ?? "" }
    init(moment: Instant?) { self = moment?.text ?? "" }
}
