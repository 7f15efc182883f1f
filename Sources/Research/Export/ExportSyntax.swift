import Studies
import Wire

/// Opens the SPSS file and lists its labels for editing. Not the wide file: no syntax reads texts of several lines.
struct ExportSPSS: ExportWriter {
    let list: VariableList

    mutating func begin(_ study: StudyRecord, _ now: Instant, _ sink: inout ExportSink) throws {
        try sink.write("* Opens \(study.name).sav from the same folder.\n")
        try sink.write("GET FILE='\(study.name).sav'.\n")
        for variable in list.variables {
            try sink.write("VARIABLE LABELS \(variable.name) \(Self.quoted(variable.label)).\n")
            guard !variable.values.isEmpty else { continue }
            let values = variable.values.map { "\(CSVDialect.plain.text($0.value)) \(Self.quoted($0.label))" }
            try sink.write("VALUE LABELS \(variable.name) \(values.joined(separator: " ")).\n")
        }
        try sink.write("EXECUTE.\n")
    }

    mutating func begin(_ enrolment: EnrolmentRecord, _ sink: inout ExportSink) throws {}
    mutating func add(_ row: ExportRow, _ sink: inout ExportSink) throws {}
    mutating func end(_ manifest: ExportManifest, _ sink: inout ExportSink) throws {}

    /// Labels of variables end at 120 characters; a quote inside is doubled.
    private static func quoted(_ text: String) -> String {
        let line = String(text.map { $0.isNewline ? " " : $0 }.prefix(110))
        return "'" + line.replacing("'", with: "''") + "'"
    }
}

/// Reads the wide file into R: factors with their labels, dates and moments as such, and the label of every variable.
struct ExportR: ExportWriter {
    let list: VariableList

    mutating func begin(_ study: StudyRecord, _ now: Instant, _ sink: inout ExportSink) throws {
        try sink.write("# Reads \(study.name)-wide.csv from the same folder.\n")
        try sink.write(
            "data <- read.csv(\(Self.quoted(study.name + "-wide.csv")), fileEncoding = \"UTF-8-BOM\", na.strings = \"\", check.names = FALSE)\n"
        )
        for (name, kind) in VariableList.head where kind == .moment {
            let column = "data[[\(Self.quoted(name))]]"
            try sink.write(
                "\(column) <- as.POSIXct(\(column), format = \"%Y-%m-%dT%H:%M:%OSZ\", tz = \"UTC\")\n")
        }
        for variable in list.variables {
            let column = "data[[\(Self.quoted(variable.name))]]"
            if variable.kind == .date {
                try sink.write("\(column) <- as.Date(\(column), format = \"%Y-%m-%d\")\n")
            }
            if variable.isChoice {
                let levels = variable.values.map { CSVDialect.plain.text($0.value) }.joined(separator: ", ")
                let labels = variable.values.map { Self.quoted($0.label) }.joined(separator: ", ")
                try sink.write(
                    "\(column) <- factor(\(column), levels = c(\(levels)), labels = c(\(labels)))\n")
            }
            try sink.write("attr(\(column), \"label\") <- \(Self.quoted(variable.label))\n")
        }
    }

    mutating func begin(_ enrolment: EnrolmentRecord, _ sink: inout ExportSink) throws {}
    mutating func add(_ row: ExportRow, _ sink: inout ExportSink) throws {}
    mutating func end(_ manifest: ExportManifest, _ sink: inout ExportSink) throws {}

    private static func quoted(_ text: String) -> String {
        let line = String(text.map { $0.isNewline ? " " : $0 })
        return "\"" + line.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
