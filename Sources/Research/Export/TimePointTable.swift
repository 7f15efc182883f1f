import Contributions
import Instruments
import JSON
import Questionnaires
import Records
import Studies
import Therapies
import Wire

/// The file of one row a participant (ST-4): the columns of the wide file, once for each time point at which their questionnaire stands.
/// What stands at none is in it as `study` if it is asked once. What is asked repeatedly has its scales alone. Outcomes of the therapy have
/// their scale at their time point, behind all others.
struct TimePointTable: Sendable {
    struct Column: Sendable {
        /// That of the wide file, and the time point.
        let name: String
        /// In the wide file.
        let place: Int
        let base: String
        /// Nil for one of a question.
        let scale: String?
        /// The title of the time point; nil for none.
        let title: LocalizedText?
        let value: TrialDesign.Outcome.Value
        var source = TrialDesign.Outcome.Source.study
    }

    /// The outcomes of the therapy with their values, and what names their columns.
    struct OfTherapies: Sendable {
        var outcomes: [(outcome: TrialDesign.Outcome, values: [ID<Enrolment>: Double])] = []
        /// Every version of their questionnaires that the study does not ask at all.
        var records: [QuestionnaireRecord] = []
    }

    private struct Sheet {
        let at: Instant
        /// One for each column of its questionnaire there.
        let values: [JSON]
        let hidden: Set<Int>
    }

    let columns: [Column]
    /// The keys of the questionnaires that are asked repeatedly at no time point.
    let leftOut: [String]
    let therapies: OfTherapies
    /// The place of the first column of the therapy.
    private let own: Int
    private let places: [ID<StudyItem>: Range<Int>]
    private var wide: WideColumns
    private var sheets: [ID<StudyItem>: [Sheet]] = [:]

    init(
        _ items: [StudyItem], _ definitions: [QuestionnaireDefinition], in study: StudyRecord,
        groups: TrialDesign?, therapies: OfTherapies = OfTherapies()
    ) {
        wide = WideColumns(definitions, and: therapies.records.map(\.definition))
        var columns: [Column] = []
        var places: [ID<StudyItem>: Range<Int>] = [:]
        for item in items where item.timePoint != nil || item.isOnetime {
            let first = columns.count
            let ending = Self.ending(item.timePoint)
            for (place, scale) in wide.columns(of: item.key) where scale != nil || item.isOnetime {
                columns.append(
                    Column(
                        name: "\(wide.names[place]).\(ending)", place: place, base: wide.names[place],
                        scale: scale, title: item.timePoint.flatMap { study.timePoints[$0]?.title },
                        value: scale.map { TrialDesign.value(of: $0, at: item, in: groups) } ?? .first))
            }
            places[item.id] = first..<columns.count
        }
        own = columns.count
        var found: [(outcome: TrialDesign.Outcome, values: [ID<Enrolment>: Double])] = []
        for (outcome, values) in therapies.outcomes {
            guard let point = outcome.timePoint.flatMap({ study.timePoints[$0] }),
                let place = wide.columns(of: outcome.key).first(where: { $0.scale == outcome.scale })?.place
            else { continue }
            columns.append(
                Column(
                    name: "\(wide.names[place]).\(Self.ending(point.key))", place: place,
                    base: wide.names[place], scale: outcome.scale, title: point.title,
                    value: TrialDesign.value(of: outcome, at: point), source: .therapy))
            found.append((outcome, values))
        }
        self.therapies = OfTherapies(outcomes: found, records: therapies.records)
        self.columns = columns
        self.places = places
        leftOut = items.filter { places[$0.id] == nil }.map(\.key)
    }

    /// Statistics programs take no hyphen in a name, and the key of a time point has no underscore.
    private static func ending(_ timePoint: String?) -> String {
        timePoint?.replacing("-", with: "_") ?? ExportRow.studyWide
    }

    mutating func add(_ row: ExportRow) {
        guard let sheet = row.sheet, let item = row.item, let own = places[item.id], !own.isEmpty
        else { return }
        let all = wide.values(of: row)
        sheets[item.id, default: []].append(
            Sheet(
                at: sheet.record.completedAt, values: columns[own].map { all[$0.place] },
                hidden: Set(wide.hidden(in: row))))
    }

    /// The row of one participant; then it begins with the next.
    /// - Returns: the values, and the columns whose question was not shown.
    mutating func taken(of person: ID<Enrolment>) -> (values: [JSON], hidden: [Int]) {
        var values = [JSON](repeating: .null, count: columns.count)
        for (index, one) in therapies.outcomes.enumerated() {
            values[own + index] = one.values[person].map { .number($0) } ?? .null
        }
        var hidden: [Int] = []
        for (item, given) in sheets {
            guard let own = places[item] else { continue }
            let sheets = given.sorted { $0.at < $1.at }
            for place in own {
                let column = columns[place]
                if column.scale != nil {
                    let numbers = sheets.compactMap { $0.values[place - own.lowerBound].number }
                    values[place] = column.value.of(numbers).map { .number($0) } ?? .null
                } else if let first = sheets.first {
                    values[place] = first.values[place - own.lowerBound]
                    if first.hidden.contains(column.place) { hidden.append(place) }
                }
            }
        }
        sheets = [:]
        return (values, hidden)
    }
}

/// One row for each participant, as comma-separated values.
struct ExportTimePoints: ExportWriter {
    let dialect: CSVDialect
    private var table: TimePointTable
    private var person: EnrolmentRecord?

    static let head = ["participant", "arm"]

    init(_ dialect: CSVDialect, _ table: TimePointTable) {
        self.dialect = dialect
        self.table = table
    }

    mutating func begin(_ study: StudyRecord, _ now: Instant, _ sink: inout ExportSink) throws {
        try sink.write(CSVDialect.mark + dialect.line(Self.head + table.columns.map(\.name)))
    }

    mutating func begin(_ enrolment: EnrolmentRecord, _ sink: inout ExportSink) throws {
        try finish(&sink)
        person = enrolment
    }

    mutating func add(_ row: ExportRow, _ sink: inout ExportSink) throws { table.add(row) }

    mutating func end(_ manifest: ExportManifest, _ sink: inout ExportSink) throws { try finish(&sink) }

    private mutating func finish(_ sink: inout ExportSink) throws {
        guard let person else { return }
        var bytes = dialect.joined([person.codename, person.arm?.rawValue ?? ""])
        dialect.append(further: table.taken(of: person.id).values, to: &bytes)
        try sink.write(bytes)
    }
}
