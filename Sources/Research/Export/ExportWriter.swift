import JSON
import Studies
import Wire

/// A format to write a study in.
protocol ExportWriter {
    mutating func begin(_ study: StudyRecord, _ now: Instant, _ sink: inout ExportSink) throws
    mutating func begin(_ enrolment: EnrolmentRecord, _ sink: inout ExportSink) throws
    mutating func add(_ row: ExportRow, _ sink: inout ExportSink) throws
    /// A row of what areas above the studies tell: the participant comes first.
    mutating func add(cells: [JSON], _ sink: inout ExportSink) throws
    /// What a participant has noted with buttons, before their rows.
    mutating func note(_ events: [StudyEventRecord], of person: ParticipantPrompts)
    mutating func end(_ manifest: ExportManifest, _ sink: inout ExportSink) throws
}

extension ExportWriter {
    mutating func note(_ events: [StudyEventRecord], of person: ParticipantPrompts) {}

    mutating func add(cells: [JSON], _ sink: inout ExportSink) throws {
        try sink.write(ExportTable.line(cells))
    }
}
