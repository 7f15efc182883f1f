import Questionnaires
import Wire
import Wording

/// The names and labels of the wide file's variables, in its order; what both syntax files are written from.
struct VariableList {
    struct Variable {
        /// The questionnaire's key.
        let questionnaire: String
        let name: String
        let label: String
        /// What its values mean; empty where they are measures.
        let values: [(value: Double, label: String)]
        let isText: Bool
    }

    let variables: [Variable]

    /// - Parameter language: of the labels; a questionnaire without it is labelled in its own.
    init(_ definitions: [QuestionnaireDefinition], _ language: Language) {
        var names = ExportVariables()
        var variables: [Variable] = []
        var known: Set<String> = []
        for definition in definitions {
            let chosen = definition.language(asked: language.rawValue)
            for question in definition.questions {
                let name = names.name(definition.key, question.key)
                guard known.insert(name).inserted else { continue }
                variables.append(
                    Variable(
                        questionnaire: definition.key, name: name,
                        label: question.text[chosen] ?? question.key,
                        values: Self.values(question, chosen), isText: Self.isText(question.type)))
            }
            for scale in definition.scales {
                let name = names.name(definition.key, scale.key, isScale: true)
                guard known.insert(name).inserted else { continue }
                variables.append(
                    Variable(
                        questionnaire: definition.key, name: name,
                        label: scale.title[chosen] ?? scale.key, values: [], isText: false))
            }
        }
        self.variables = variables
    }

    private static func values(
        _ question: QuestionnaireDefinition.Question, _ language: String
    ) -> [(value: Double, label: String)] {
        guard question.type == .single else { return [] }
        return question.options.map { ($0.value, $0.text[language] ?? String($0.value)) }
    }

    /// Several choices stand in one cell with bars between.
    private static func isText(_ type: QuestionnaireDefinition.Kind) -> Bool {
        switch type {
        case .multiple, .text, .date: true
        default: false
        }
    }

    /// What stands in front of the variables in every row, and whether it is text.
    static let head = ExportLong.columns.dropLast(3).map {
        (name: $0, isText: !["version", "occasion"].contains($0))
    }
}

/// Opens the file of SPSS, and names its labels for whoever wants to change them. It does not read the wide file: texts
/// may have several lines, and no syntax reads those.
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

/// Reads the wide file into R: factors with their labels, and the label of every variable.
struct ExportR: ExportWriter {
    let list: VariableList

    mutating func begin(_ study: StudyRecord, _ now: Instant, _ sink: inout ExportSink) throws {
        try sink.write("# Reads \(study.name)-wide.csv from the same folder.\n")
        try sink.write(
            "data <- read.csv(\(Self.quoted(study.name + "-wide.csv")), fileEncoding = \"UTF-8-BOM\", na.strings = \"\", check.names = FALSE)\n"
        )
        for variable in list.variables {
            let column = "data[[\(Self.quoted(variable.name))]]"
            if !variable.values.isEmpty {
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
