import Questionnaires
import Wire
import Wording

/// The meaning of a question's values: every one of a choice, yes and no, and both ends of a range that names them.
enum ValueLabels {
    /// Words of a questionnaire in its languages, or of the program, by their name.
    enum Words {
        case own(LocalizedText)
        case fixed(String)

        func text(in chosen: String, _ words: ExportWords) -> String? {
            switch self {
            case .own(let text): text[chosen]
            case .fixed(let name): words.label(name)
            }
        }

        /// In every language.
        func all(_ words: ExportWords) -> LocalizedText {
            switch self {
            case .own(let text): text
            case .fixed(let name): words.all(name)
            }
        }
    }

    static let yesNo = [(value: 0.0, words: Words.fixed("no")), (value: 1.0, words: Words.fixed("yes"))]

    static func of(_ question: QuestionnaireDefinition.Question) -> [(value: Double, words: Words)] {
        switch question.type {
        case .single: question.options.map { ($0.value, .own($0.text)) }
        case .yesNo: yesNo
        case .slider(let low, let high, _), .sam(_, let low, let high):
            [(low, question.minimumLabel), (high, question.maximumLabel)].compactMap { value, text in
                text.map { (value, .own($0)) }
            }
        case .multiple, .text, .number, .date: []
        }
    }
}
