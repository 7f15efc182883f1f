import Psychometrics
import Questionnaires
import Wire
import Wording

/// A section on paper: a table where all its questions offer the same few answers, else one question below the other.
package struct BlankPart: Encodable, Sendable {
    package let text: String?
    /// When it is to be filled in, in the numbers and words of the form; nil for always.
    package let condition: String?
    /// The heads of the table's columns; empty without a table.
    package let columns: [String]
    package let isTable: Bool
    package let questions: [BlankQuestion]
}

/// A question on paper.
package struct BlankQuestion: Encodable, Sendable {
    package let number: String
    package let text: String
    package let hint: String?
    /// Answers with a box each.
    package var choices: [String] = []
    /// Boxes in a row between two labels.
    var isRow = false
    /// A line to put a mark on.
    var isLine = false
    /// Empty lines to write on.
    var isWords = false
    /// Room for a number or a date.
    package var room: String?
    package var low: String?
    package var high: String?
}

/// The values of answers for the scoring key.
package struct BlankValues: Encodable, Sendable {
    /// The numbers of the questions that offer them.
    let questions: String
    let values: String
}

/// Draws sections and questions as they stand on paper. Questions have numbers there; keys mean nothing to readers.
struct BlankDrawing {
    private let definition: QuestionnaireDefinition
    let language: String
    private let texts: Texts
    private let numbers: [String: String]

    /// More columns do not fit beside a statement on A4.
    private static let mostColumns = 7
    /// More boxes in a row are a line.
    private static let mostBoxes = 11

    init(_ definition: QuestionnaireDefinition, _ language: String, _ texts: Texts) {
        self.definition = definition
        self.language = language
        self.texts = texts
        let numbered = definition.questions.enumerated().map { ($1.key, String($0 + 1)) }
        numbers = Dictionary(numbered, uniquingKeysWith: { first, _ in first })
    }

    func number(_ key: String) -> String { numbers[key] ?? key }

    func part(_ section: QuestionnaireDefinition.Section) -> BlankPart {
        let isTable =
            section.questions.count > 1 && section.options.count <= Self.mostColumns
            && section.questions.allSatisfy { $0.type == .single && !$0.hasOwnOptions }
        return BlankPart(
            text: section.text[language].flatMap { $0.isEmpty ? nil : $0 },
            condition: section.visibleIf.map { texts["blank.only_if", ["condition": words($0)]] },
            columns: isTable ? section.options.map { $0.text[language] ?? "" } : [], isTable: isTable,
            questions: section.questions.map(question))
    }

    private func question(_ question: QuestionnaireDefinition.Question) -> BlankQuestion {
        var blank = BlankQuestion(
            number: number(question.key), text: question.text[language] ?? question.key,
            hint: PhoneDrawing(form: nil, errors: .init(), language: language, texts: texts).hint(question))
        blank.low = question.minimumLabel?[language]
        blank.high = question.maximumLabel?[language]
        switch question.type {
        case .single, .multiple: blank.choices = question.options.map { $0.text[language] ?? "" }
        case .yesNo: blank.choices = [texts["contributions.yes"], texts["contributions.no"]]
        case .slider(let minimum, let maximum, let step):
            scale(minimum, maximum, step, &blank)
        case .sam(_, let minimum, let maximum): scale(minimum, maximum, 1, &blank)
        case .text: blank.isWords = true
        case .number(let minimum, let maximum): blank.room = range(minimum, maximum)
        case .date: blank.room = texts["blank.date_room"]
        }
        return blank
    }

    /// Steps that have room get a box each; others are a line between the ends.
    private func scale(_ minimum: Double, _ maximum: Double, _ step: Double, _ blank: inout BlankQuestion) {
        if (maximum - minimum) / step < Double(Self.mostBoxes) {
            blank.isRow = true
            blank.choices = stride(from: minimum, through: maximum, by: step).map { texts.number($0) }
        } else {
            blank.isLine = true
            blank.low = [texts.number(minimum), blank.low].compactMap(\.self).joined(separator: " ")
            blank.high = [texts.number(maximum), blank.high].compactMap(\.self).joined(separator: " ")
        }
    }

    private func range(_ minimum: Double?, _ maximum: Double?) -> String {
        switch (minimum, maximum) {
        case (let minimum?, let maximum?):
            texts["blank.between", ["n": texts.number(minimum), "m": texts.number(maximum)]]
        case (let minimum?, nil): texts["blank.from", ["n": texts.number(minimum)]]
        case (nil, let maximum?): texts["blank.up_to", ["m": texts.number(maximum)]]
        // Not empty: an empty text would leave the room out of the form.
        case (nil, nil): "\u{A0}"
        }
    }

    // MARK: Conditions

    private func words(_ condition: Condition) -> String {
        switch condition {
        case .equals(let key, let value): asked(key, answer(key, value))
        case .anyOf(let key, let values):
            asked(key, values.map { answer(key, $0) }.joined(separator: " \(texts["questionnaires.or"]) "))
        case .atLeast(let key, let value):
            asked(key, texts["blank.at_least", ["answer": answer(key, value)]])
        case .all(let parts): parts.map(words).joined(separator: " \(texts["questionnaires.and"]) ")
        case .any(let parts):
            "(\(parts.map(words).joined(separator: " \(texts["questionnaires.or"]) ")))"
        case .not(let part): "\(texts["questionnaires.not"]) (\(words(part)))"
        }
    }

    private func asked(_ key: String, _ answer: String) -> String {
        texts["blank.answered", ["n": number(key), "answer": answer]]
    }

    private func answer(_ key: String, _ value: Double) -> String {
        let question = definition.question(key)
        if question?.type == .yesNo {
            return texts[value == 0 ? "contributions.no" : "contributions.yes"]
        }
        let option = question?.options.first { Threshold(.equals, $0.value).isMet(by: value) }
        return option?.text[language] ?? texts.number(value)
    }

    // MARK: Scoring

    /// The value of each answer, questions with the same answers together, in the order of the form.
    var values: [BlankValues] {
        var groups: [(offered: [QuestionnaireDefinition.Option], numbers: [String])] = []
        for question in definition.questions where !question.options.isEmpty {
            if let index = groups.firstIndex(where: { $0.offered == question.options }) {
                groups[index].numbers.append(number(question.key))
            } else {
                groups.append((question.options, [number(question.key)]))
            }
        }
        let both = "\(texts["contributions.yes"]) = 1 · \(texts["contributions.no"]) = 0"
        let asked = definition.questions.filter { $0.type == .yesNo }.map { number($0.key) }
        return groups.map { group in
            let values = group.offered.map { "\($0.text[language] ?? "") = \(texts.number($0.value))" }
            return BlankValues(
                questions: group.numbers.joined(separator: ", "), values: values.joined(separator: " · "))
        } + (asked.isEmpty ? [] : [BlankValues(questions: asked.joined(separator: ", "), values: both)])
    }
}
