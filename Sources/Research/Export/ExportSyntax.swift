import Studies
import Wire
import Wording

/// Opens the SPSS file and lists its labels for editing. Not the wide file: no syntax reads texts of several lines.
/// Begins with a byte order mark, by which SPSS recognises UTF-8, and has no line of more than 250 bytes.
struct ExportSPSS: ExportWriter {
    let list: VariableList

    mutating func begin(_ study: StudyRecord, _ now: Instant, _ sink: inout ExportSink) throws {
        try sink.write(CSVDialect.mark)
        try sink.write("* Opens \(study.name).sav from the same folder.\n")
        try sink.write("GET FILE='\(study.name).sav'.\n")
        for variable in list.variables {
            try sink.write("VARIABLE LABELS \(variable.name)\n\(Self.label(of: variable)).\n")
            let hidden =
                variable.canBeHidden && variable.kind == .number
                ? [(value: list.notShown, label: list.notShownLabel)] : []
            guard variable.kind != .text, !(variable.values + hidden).isEmpty else { continue }
            let values = (variable.values + hidden).map {
                "\n  \(CSVDialect.plain.text($0.value)) '\(Self.doubled($0.label.inOneLine.prefix(bytes: Wordings.valueBytes)))'"
            }
            try sink.write("VALUE LABELS \(variable.name)\(values.joined()).\n")
        }
        try sink.write("EXECUTE.\n")
    }

    mutating func begin(_ enrolment: EnrolmentRecord, _ sink: inout ExportSink) throws {}
    mutating func add(_ row: ExportRow, _ sink: inout ExportSink) throws {}
    mutating func end(_ manifest: ExportManifest, _ sink: inout ExportSink) throws {}

    private static let doubled = Escaping(["'": "''"])

    /// The label of a variable in pieces of a line each, as long as the format of the file allows.
    private static func label(of variable: VariableList.Variable) -> String {
        var rest = variable.label.inOneLine.prefix(bytes: 250)
        var pieces: [String] = []
        repeat {
            let piece = rest.prefix(bytes: Wordings.valueBytes)
            pieces.append("  '\(doubled(piece))'")
            rest = String(decoding: rest.utf8.dropFirst(piece.utf8.count), as: UTF8.self)
        } while !rest.isEmpty
        return pieces.joined(separator: " +\n")
    }
}

/// Reads the wide file into R: every column in the class that it has, factors with their labels, dates and moments as
/// such, and the label of every variable. R guesses nothing: of a postcode it would make a number.
struct ExportR: ExportWriter {
    let list: VariableList

    mutating func begin(_ study: StudyRecord, _ now: Instant, _ sink: inout ExportSink) throws {
        let head = VariableList.head.map { ($0.name, $0.kind == .number ? "numeric" : "character") }
        let own = list.variables.map { ($0.name, $0.kind == .number ? "numeric" : "character") }
        let classes = (head + own).map { "  \(Self.quoted($0)) = \"\($1)\"" }.joined(separator: ",\n")
        try sink.write("# Reads \(study.name)-wide.csv from the same folder.\n")
        try sink.write(
            """
            data <- read.csv(\(Self.quoted(study.name + "-wide.csv")), fileEncoding = "UTF-8-BOM", na.strings = "", check.names = FALSE, colClasses = c(
            \(classes)))

            """)
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
            if variable.isChoice, variable.kind == .number {
                let levels = variable.values.map { CSVDialect.plain.text($0.value) }.joined(separator: ", ")
                let labels = Self.distinct(variable.values).map(Self.quoted).joined(separator: ", ")
                try sink.write(
                    "\(column) <- factor(\(column), levels = c(\(levels)), labels = c(\(labels)))\n")
            }
            try sink.write("attr(\(column), \"label\") <- \(Self.quoted(variable.label))\n")
        }
    }

    mutating func begin(_ enrolment: EnrolmentRecord, _ sink: inout ExportSink) throws {}
    mutating func add(_ row: ExportRow, _ sink: inout ExportSink) throws {}
    mutating func end(_ manifest: ExportManifest, _ sink: inout ExportSink) throws {}

    private static let escaped = Escaping(["\\": "\\\\", "\"": "\\\""])

    private static func quoted(_ text: String) -> String { "\"" + visible(escaped(text.inOneLine)) + "\"" }

    /// R refuses scripts with signs of direction, which may make a line look like another one, and takes their numbers.
    private static func visible(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: \.isDirection) else { return text }
        return text.unicodeScalars.map { sign in
            sign.isDirection ? "\\u" + String(sign.value, radix: 16) : String(sign)
        }.joined()
    }

    /// The labels of a factor. R makes one level of values that share their words: those get their value behind them.
    private static func distinct(_ values: [(value: Double, label: String)]) -> [String] {
        let words = values.map { Array($0.label.inOneLine.utf8) }
        let counts = Dictionary(words.map { ($0, 1) }, uniquingKeysWith: +)
        var labels = zip(values, words).map { entry, bytes in
            let label = entry.label.inOneLine
            return counts[bytes] == 1 ? label : "\(label) (\(CSVDialect.plain.text(entry.value)))"
        }
        // "a (2)" may be the words of another value.
        while Set(labels.map { Array($0.utf8) }).count < labels.count {
            labels = zip(values, labels).map { "\($1) (\(CSVDialect.plain.text($0.value)))" }
        }
        return labels
    }
}

extension Unicode.Scalar {
    /// Embeddings, overrides and isolates of the direction of writing, and their ends.
    fileprivate var isDirection: Bool {
        (0x202a...0x202e).contains(value) || (0x2066...0x2069).contains(value)
    }
}
