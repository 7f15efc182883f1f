import Contributions
import JSON
import Studies
import Wire

/// Readings of sensors beside the answers (TYS-7): one row for each.
struct ExportSensors: ExportWriter {
    static let columns = [
        "participant", "questionnaire", "occasion", "sensor", "measured_at", "latitude", "longitude",
        "altitude", "amplitude",
    ]
    private let dialect = CSVDialect.plain
    /// The number of positions written.
    private(set) var positions = 0

    mutating func begin(_ study: StudyRecord, _ now: Instant, _ sink: inout ExportSink) throws {
        try sink.write(CSVDialect.mark + dialect.line(Self.columns))
    }

    mutating func begin(_ enrolment: EnrolmentRecord, _ sink: inout ExportSink) throws {}

    mutating func add(_ row: ExportRow, _ sink: inout ExportSink) throws {
        guard let sensors = try row.sheet?.readDetails()?["sensors"], case .object(let members) = sensors
        else { return }
        for member in members {
            let readings = member.value.array ?? []
            if member.key == "gps" { positions += readings.count }
            for reading in readings {
                let head = [row.participant, row.questionnaire, String(row.occasion), member.key]
                let values = Self.columns.dropFirst(4).map { reading[$0].map(dialect.text) ?? "" }
                try sink.write(dialect.line(head + values))
            }
        }
    }

    mutating func end(_ manifest: ExportManifest, _ sink: inout ExportSink) throws {}
}

/// When each question was answered, where phones have reported it.
struct ExportTimes: ExportWriter {
    static let columns = ["participant", "questionnaire", "occasion", "item", "answered_at"]
    private let dialect = CSVDialect.plain

    mutating func begin(_ study: StudyRecord, _ now: Instant, _ sink: inout ExportSink) throws {
        try sink.write(CSVDialect.mark + dialect.line(Self.columns))
    }

    mutating func begin(_ enrolment: EnrolmentRecord, _ sink: inout ExportSink) throws {}

    mutating func add(_ row: ExportRow, _ sink: inout ExportSink) throws {
        guard let times = try row.sheet?.readDetails()?["answered_at"], case .object(let members) = times
        else { return }
        for member in members where member.value != .null {
            let head = [row.participant, row.questionnaire, String(row.occasion), member.key]
            try sink.write(dialect.line(head + [dialect.text(member.value)]))
        }
    }

    mutating func end(_ manifest: ExportManifest, _ sink: inout ExportSink) throws {}
}

/// What became of each prompt, and when (ST-3): one row for each, none for what was filled in at will. A moment is empty where nothing
/// is known of it; what was pushed or shown was not necessarily seen.
struct ExportPrompts: ExportWriter {
    static let columns = [
        "participant", "questionnaire", "occasion", "item_id", "time_point", "prompt_state", "prompted_at",
        "pushed_at", "shown_at", "started_at", "completed_at", "received_at", "seconds_to_start",
        "seconds_to_complete",
    ]
    private let dialect = CSVDialect.plain

    mutating func begin(_ study: StudyRecord, _ now: Instant, _ sink: inout ExportSink) throws {
        try sink.write(CSVDialect.mark + dialect.line(Self.columns))
    }

    mutating func begin(_ enrolment: EnrolmentRecord, _ sink: inout ExportSink) throws {}

    mutating func add(_ row: ExportRow, _ sink: inout ExportSink) throws {
        guard let prompt = row.prompt, let item = row.item else { return }
        let sheet = row.sheet?.record
        let moments = [
            prompt, row.reminder?.pushedAt, row.reminder?.shownAt, sheet?.startedAt, sheet?.completedAt,
            sheet?.receivedAt,
        ]
        let waits = [sheet?.startedAt, sheet?.completedAt].map { moment in
            // Paper knows its day only, and what is open for days is no moment.
            sheet?.isPaper == true || item.isWindow ? nil : moment.map { $0.seconds - prompt.seconds }
        }
        let head = [row.participant, row.questionnaire, String(row.occasion), item.text, item.column]
        try sink.write(
            dialect.line(
                head + [row.state?.rawValue ?? ""] + moments.map { $0?.text ?? "" }
                    + waits.map { $0.map { String($0) } ?? "" }))
    }

    mutating func end(_ manifest: ExportManifest, _ sink: inout ExportSink) throws {}
}

extension ExportSheet {
    fileprivate func readDetails() throws -> JSON? { try details.map { try JSON.parse($0.bytes) } }
}
