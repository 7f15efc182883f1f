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
        let label: String
        /// The meaning of its values: all of them, or those at both ends.
        var values: [(value: Double, label: String)]
        var kind: Kind
        /// Whether every value has a label: then it is one of a few, not a measure.
        let isChoice: Bool
        /// The most bytes its texts can have, as far as that follows from the questionnaire.
        var textBytes = 0
        /// Whether the lengths of its texts follow from the answers alone: words, or several types in one column.
        var isMeasured = false
    }

    private(set) var variables: [Variable] = []
    private var places: [String: Int] = [:]
    private let language: Language

    /// - Parameters:
    ///   - definitions: every version, the newest first, whose words count.
    ///   - language: of the labels; a questionnaire without it is labelled in its own.
    init(_ definitions: [QuestionnaireDefinition], _ language: Language) {
        self.language = language
        var names = ExportVariables(definitions)
        for definition in definitions {
            let chosen = definition.language(asked: language.rawValue)
            for question in definition.questions {
                let name = names.name(definition.key, question.key)
                add(variable(question, definition.key, name, chosen))
                for option in question.choices {
                    let name = names.name(definition.key, question.key, option.value)
                    add(variable(question, option, definition.key, name, chosen))
                }
            }
            for scale in definition.scales {
                add(
                    Variable(
                        questionnaire: definition.key, item: scale.key,
                        name: names.name(definition.key, scale.key, isScale: true),
                        label: scale.title[chosen] ?? scale.key, values: [], kind: .number, isChoice: false))
            }
        }
    }

    /// Adds the variables of an older version; a variable with another type in it becomes text.
    private mutating func add(_ variable: Variable) {
        guard let place = places[variable.name] else {
            places[variable.name] = variables.count
            return variables.append(variable)
        }
        let known = variables[place].values.map(\.value)
        variables[place].values += variable.values.filter { !known.contains($0.value) }
        variables[place].textBytes = max(variables[place].textBytes, variable.textBytes)
        variables[place].isMeasured = variables[place].isMeasured || variable.isMeasured
        if variables[place].kind != variable.kind {
            variables[place].kind = .text
            variables[place].isMeasured = true
        }
    }

    private func variable(
        _ question: QuestionnaireDefinition.Question, _ key: String, _ name: String, _ chosen: String
    ) -> Variable {
        let all = question.options.map { CSVDialect.plain.text($0.value).utf8.count + 1 }
        return Variable(
            questionnaire: key, item: question.key, name: name, label: question.text[chosen] ?? question.key,
            values: ValueLabels.of(question).map { value, words in
                (value, words.text(in: chosen, language) ?? CSVDialect.plain.text(value))
            }, kind: Self.kind(question.type),
            isChoice: question.type == .single || question.type == .yesNo,
            textBytes: question.isMultiple ? max(all.reduce(0, +) - 1, 1) : 0,
            isMeasured: question.type == .text)
    }

    private func variable(
        _ question: QuestionnaireDefinition.Question, _ option: QuestionnaireDefinition.Option, _ key: String,
        _ name: String, _ chosen: String
    ) -> Variable {
        let words = option.text[chosen] ?? CSVDialect.plain.text(option.value)
        return Variable(
            questionnaire: key, item: question.key, name: name,
            label: "\(words) (\(question.text[chosen] ?? question.key))",
            values: ValueLabels.yesNo.map { ($0.value, $0.words.text(in: chosen, language) ?? "") },
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
    enum HeadKind { case text, number, moment }
    static let head = ExportLong.columns.dropLast(3).map { name -> (name: String, kind: HeadKind) in
        switch name {
        case "version", "occasion", "consent_version": (name, .number)
        case "prompted_at", "started_at", "completed_at": (name, .moment)
        default: (name, .text)
        }
    }
}

/// The meaning of a question's values: every one of a choice, yes and no, and both ends of a range that names them.
enum ValueLabels {
    /// Words of a questionnaire in its languages, or of the program in the language of the file.
    struct Words {
        let german: String?
        let english: String?
        private let own: QuestionnaireDefinition.Text?

        init(_ own: QuestionnaireDefinition.Text) {
            self.own = own
            german = own["de"]
            english = own["en"]
        }

        init(german: String, english: String) { (own, self.german, self.english) = (nil, german, english) }

        func text(in chosen: String, _ language: Language) -> String? {
            if let own { return own[chosen] }
            return language == .german ? german : english
        }
    }

    static let yesNo = [
        (value: 0.0, words: Words(german: "nein", english: "no")),
        (value: 1.0, words: Words(german: "ja", english: "yes")),
    ]

    static func of(_ question: QuestionnaireDefinition.Question) -> [(value: Double, words: Words)] {
        switch question.type {
        case .single: question.options.map { ($0.value, Words($0.text)) }
        case .yesNo: yesNo
        case .slider(let low, let high, _), .sam(_, let low, let high):
            [(low, question.minimumLabel), (high, question.maximumLabel)].compactMap { value, text in
                text.map { (value, Words($0)) }
            }
        case .multiple, .text, .number, .date: []
        }
    }
}
