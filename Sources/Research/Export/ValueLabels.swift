import Questionnaires
import Wire
import Wording

/// The meaning of a question's values: every one of a choice, yes and no, and both ends of a range that names them.
enum ValueLabels {
    /// Words of a questionnaire in its languages, or of the program in the language of the file.
    struct Words {
        let text: QuestionnaireDefinition.Text
        private let isOwn: Bool

        init(_ own: QuestionnaireDefinition.Text) {
            text = own
            isOwn = true
        }

        init(german: String, english: String) {
            text = .init(translations: [("de", german), ("en", english)])
            isOwn = false
        }

        func text(in chosen: String, _ language: Language) -> String? {
            text[isOwn ? chosen : language == .german ? "de" : "en"]
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
