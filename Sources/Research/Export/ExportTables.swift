import Contributions
import Instruments
import JSON
import Questionnaires
import Studies
import Wire

/// A file that is not a list of occasions: its rows come from elsewhere, one person after the other.
struct ExportTable: ExportWriter {
    let columns: [String]
    private static let dialect = CSVDialect.plain

    init(columns: [String]) { self.columns = columns }

    /// A row with its line end.
    static func line(_ row: [JSON]) -> [UInt8] { dialect.line(row.map(dialect.text)) }

    mutating func begin(_ study: StudyRecord, _ now: Instant, _ sink: inout ExportSink) throws {
        try sink.write(CSVDialect.mark + Self.dialect.line(columns))
    }

    mutating func begin(_ enrolment: EnrolmentRecord, _ sink: inout ExportSink) throws {}
    mutating func add(_ row: ExportRow, _ sink: inout ExportSink) throws {}
    mutating func end(_ manifest: ExportManifest, _ sink: inout ExportSink) throws {}
}

/// The former states of a continued profile (SN-4): one row for every answer that was given, changed or removed.
enum ExportChanges {
    static let columns = ["questionnaire", "version", "item", "changed_at", "value"]

    static func rows(_ change: LivingChange, _ version: QuestionnaireRecord) -> [[JSON]] {
        version.definition.questions.compactMap { question in
            guard let answer = change.answers[question.key] else { return nil }
            return [
                .string(version.key), .number(Double(version.version)), .string(question.key),
                change.answeredAt[question.key] ?? .null, answer,
            ]
        }
    }
}
