import Files
import JSON

/// How the wide file's variables stand in SPSS's format.
struct SavVariables {
    let list: VariableList
    let shape: ExportShape
    private let dialect = CSVDialect.plain

    init(list: VariableList, shape: ExportShape) {
        self.list = list
        self.shape = shape
    }

    private var code: String { dialect.text(list.notShown) }

    private func bytes(of variable: VariableList.Variable) -> Int {
        max(variable.textBytes, shape.bytes(variable.questionnaire, variable.item))
    }

    /// What stands for a question that was not shown; nil where its text has no room for it, or may be an answer.
    func missing(_ variable: VariableList.Variable) -> SavFile.Cell? {
        guard variable.canBeHidden, variable.kind != .date else { return nil }
        guard variable.kind == .text else { return .number(list.notShown) }
        // SPSS declares missing texts of at most eight bytes.
        let fits = max(bytes(of: variable), code.utf8.count) <= 8
        return fits && !shape.isAnsweredByCode(variable.questionnaire, variable.item) ? .text(code) : nil
    }

    func variable(
        _ variable: VariableList.Variable, named name: String, label: String
    ) -> SavFile.Variable {
        let missing = missing(variable)
        let bytes = bytes(of: variable)
        let kind: SavFile.Kind =
            switch variable.kind {
            case .number: .number
            case .date: .day
            case .text: .text(bytes: missing == nil ? bytes : max(bytes, code.utf8.count))
            }
        return SavFile.Variable(
            name: name, label: label,
            values: variable.values + (missing == nil ? [] : [(list.notShown, list.notShownLabel)]),
            kind, isNominal: variable.isChoice, missing: missing)
    }

    func cell(_ value: JSON, of variable: VariableList.Variable) -> SavFile.Cell {
        switch (variable.kind, value) {
        case (.text, _): .text(dialect.text(value))
        case (.date, .string(let day)): .day(day)
        case (.number, .number(let number)): .number(number)
        case (.number, .bool(let isTrue)): .number(isTrue ? 1 : 0)
        default: .missing
        }
    }
}
