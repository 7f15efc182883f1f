import HTTP
import Wire

/// One row for every question of every occasion, and one for every score; a prompt without an answer is one row.
struct CSVExport: ExportWriter {
    static let columns = [
        "participant", "questionnaire", "version", "occasion", "prompted_at", "started_at", "completed_at",
        "timezone", "item", "kind", "value",
    ]

    mutating func begin(_ study: StudyRecord, _ now: Instant, _ sink: inout ExportSink) throws {
        // The mark that lets a spreadsheet read umlauts.
        try sink.write("\u{FEFF}" + Self.columns.joined(separator: ",") + "\r\n")
    }

    mutating func begin(_ enrolment: EnrolmentRecord, _ sink: inout ExportSink) throws {}

    mutating func add(_ row: ExportRow, _ sink: inout ExportSink) throws {
        let prompt = row.prompt?.text ?? ""
        guard let sheet = row.sheet else {
            return try line(
                [
                    row.participant, row.questionnaire, "", String(row.occasion), prompt, "", "", "", "",
                    "missed", "",
                ], &sink)
        }
        let head = [
            row.participant, row.questionnaire, String(sheet.questionnaire.version), String(row.occasion),
            prompt,
            sheet.record.startedAt.text, sheet.record.completedAt.text, sheet.record.timezone,
        ]
        for question in sheet.questionnaire.definition.questions {
            let value = sheet.answers[question.key].map(Self.text) ?? ""
            try line(head + [question.key, "answer", value], &sink)
        }
        for score in sheet.scores {
            try line(head + [score.scale, "score", score.value.map(Self.text) ?? ""], &sink)
        }
    }

    mutating func end(_ manifest: ExportManifest, _ sink: inout ExportSink) throws {}

    private func line(_ cells: [String], _ sink: inout ExportSink) throws {
        try sink.write(cells.map(CSV.cell).joined(separator: ",") + "\r\n")
    }

    /// A number with a point and as short as it can be; several with bars between.
    private static func text(_ value: JSON) -> String {
        switch value {
        case .null: ""
        case .string(let text): text
        case .number(let number): Self.text(number)
        case .bool(let isTrue): isTrue ? "1" : "0"
        case .array(let values): values.map(text).joined(separator: "|")
        case .object: ""
        }
    }

    private static func text(_ number: Double) -> String {
        Int64(exactly: number).map { String($0) } ?? String(number)
    }
}
