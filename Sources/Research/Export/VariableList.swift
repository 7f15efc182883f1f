import Instruments
import Questionnaires
import Wire
import Wording

/// The wide file's variables with their labels, in its order, for the SPSS file and both syntax files.
struct VariableList {
    /// The type of a column, over all versions of its question.
    enum Kind: Equatable { case number, text, date }

    struct Variable {
        /// The questionnaire's key, and the question's or scale's.
        let questionnaire: String
        let item: String
        let name: String
        /// The words of the newest version, and beside them those of earlier ones that differ.
        var wordings: Wordings
        /// The meaning of its values: all of them, or those at both ends.
        var meanings: [(value: Double, wordings: Wordings)]
        var kind: Kind
        /// Whether every value has a label: then it is one of a few, not a measure.
        let isChoice: Bool
        /// The most bytes its texts can have, as far as that follows from the questionnaire.
        var textBytes = 0
        /// Whether the lengths of its texts follow from the answers alone: words, or several types in one column.
        var isMeasured = false
        /// Whether its section has a condition in some version.
        var canBeHidden = false

        var label: String { wordings.text(bytes: 250) }
        var values: [(value: Double, label: String)] {
            meanings.map { value, words in
                // An end of a range is none where the newest version has another one.
                let isLater = !isChoice && words.newest != wordings.newest
                return (value, words.text(bytes: Wordings.valueBytes, namesNewest: isLater))
            }
        }
    }

    private(set) var variables: [Variable] = []
    private var places: [String: Int] = [:]
    private let words: ExportWords

    /// What stands in the SPSS file for a question that was not shown.
    let notShown: Double
    var notShownLabel: String { words.label("not_shown") }

    /// - Parameters:
    ///   - records: every version, the newest first, whose words count.
    ///   - others: of which only scales are in the file: what stands for a question that was not shown does not hang on them.
    ///   - fixed: with the language of the labels; a questionnaire without it is labelled in its own.
    init(
        _ records: [QuestionnaireRecord], and others: [QuestionnaireRecord] = [], _ fixed: ExportWords
    ) {
        words = fixed
        notShown = NotShown.code(records.map(\.definition))
        var names = ExportVariables(records.map(\.definition))
        for record in records + others {
            let words = Words(record, fixed)
            let definition = record.definition
            for section in definition.sections {
                for question in section.questions {
                    let name = names.name(definition.key, question.key)
                    var variable = variable(question, name, words)
                    variable.canBeHidden = section.visibleIf != nil
                    add(variable)
                    for option in question.choices {
                        let name = names.name(definition.key, question.key, option.value)
                        var variable = self.variable(question, option, name, words)
                        variable.canBeHidden = section.visibleIf != nil
                        add(variable)
                    }
                }
            }
            for scale in definition.scales {
                let name = names.name(definition.key, scale.key, isScale: true)
                add(
                    Variable(
                        questionnaire: definition.key, item: scale.key, name: name,
                        wordings: words.of(scale.title, scale.key), meanings: [], kind: .number,
                        isChoice: false))
            }
        }
    }

    /// Adds the variables of an older version; a variable with another type in it becomes text.
    private mutating func add(_ variable: Variable) {
        guard let place = places[variable.name] else {
            places[variable.name] = variables.count
            return variables.append(variable)
        }
        variables[place].wordings.add(variable.wordings)
        for (value, words) in variable.meanings {
            if let known = variables[place].meanings.firstIndex(where: { $0.value == value }) {
                variables[place].meanings[known].wordings.add(words)
            } else {
                variables[place].meanings.append((value, words))
            }
        }
        variables[place].canBeHidden = variables[place].canBeHidden || variable.canBeHidden
        variables[place].textBytes = max(variables[place].textBytes, variable.textBytes)
        variables[place].isMeasured = variables[place].isMeasured || variable.isMeasured
        if variables[place].kind != variable.kind {
            variables[place].kind = .text
            variables[place].isMeasured = true
        }
    }

    /// The words of one version in the language of the file.
    private struct Words {
        let key: String
        let version: Int
        let chosen: String
        let fixed: ExportWords

        init(_ record: QuestionnaireRecord, _ fixed: ExportWords) {
            key = record.key
            version = record.version
            chosen = record.definition.language(asked: fixed.language.rawValue)
            self.fixed = fixed
        }

        func of(_ text: QuestionnaireDefinition.Text, _ other: String) -> Wordings {
            Wordings(text[chosen] ?? other, version)
        }

        func of(_ words: ValueLabels.Words, _ value: Double) -> Wordings {
            Wordings(words.text(in: chosen, fixed) ?? CSVDialect.plain.text(value), version)
        }
    }

    private func variable(
        _ question: QuestionnaireDefinition.Question, _ name: String, _ words: Words
    ) -> Variable {
        let all = question.options.map { CSVDialect.plain.text($0.value).utf8.count + 1 }
        return Variable(
            questionnaire: words.key, item: question.key, name: name,
            wordings: words.of(question.text, question.key),
            meanings: ValueLabels.of(question).map { ($0.value, words.of($0.words, $0.value)) },
            kind: Self.kind(question.type),
            isChoice: question.type == .single || question.type == .yesNo,
            textBytes: question.isMultiple ? max(all.reduce(0, +) - 1, 1) : 0,
            isMeasured: question.type == .text)
    }

    private func variable(
        _ question: QuestionnaireDefinition.Question, _ option: QuestionnaireDefinition.Option,
        _ name: String,
        _ words: Words
    ) -> Variable {
        let choice = option.text[words.chosen] ?? CSVDialect.plain.text(option.value)
        let label = "\(choice) (\(question.text[words.chosen] ?? question.key))"
        return Variable(
            questionnaire: words.key, item: question.key, name: name,
            wordings: Wordings(label, words.version),
            meanings: ValueLabels.yesNo.map { ($0.value, words.of($0.words, $0.value)) },
            kind: .number, isChoice: true)
    }

    /// Several choices share one cell, separated by bars.
    private static func kind(_ type: QuestionnaireDefinition.Kind) -> Kind {
        switch type {
        case .multiple, .text: .text
        case .date: .date
        default: .number
        }
    }

    /// The type of the first columns in every row.
    enum HeadKind: String { case text, number, moment }
    static let head = ExportLong.head.map { name -> (name: String, kind: HeadKind) in
        switch name {
        case "version", "occasion", "consent_version", "answered_together": (name, .number)
        case "prompted_at", "started_at", "completed_at", "event_started_at", "event_ended_at":
            (name, .moment)
        default: (name, .text)
        }
    }
}
