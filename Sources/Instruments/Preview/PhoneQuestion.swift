import HTTP
import JSON
import Questionnaires
import Wire
import Wording

/// A question as shown on a phone. Nothing is preset: a slider has no value before it is touched.
package struct PhoneQuestion: Encodable, Sendable {
    package struct Choice: Encodable, Sendable {
        package let id: String
        package let value: String
        package let label: String
        package let isChosen: Bool
        package let isExclusive: Bool
    }

    package let key: String
    package let name: String
    package let text: String
    package let kind: String
    package let isRequired: Bool
    package let isRow: Bool
    let isList: Bool
    let isBoxes: Bool
    let isSlider: Bool
    package let isText: Bool
    package let isNumber: Bool
    let isDate: Bool
    package let choices: [Choice]
    package let minimum: String?
    package let maximum: String?
    package let step: String?
    package let minimumLabel: String?
    package let maximumLabel: String?
    package let value: String
    package let hint: String?
    package let error: String?
    /// The label of the button that clears an answer without a script; nil for none.
    package var clear: String?
}

/// Draws questions with the present input.
package struct PhoneDrawing: Sendable {
    package let form: Form?
    package let errors: FieldErrors
    package let language: String
    package let texts: Texts

    package init(form: Form?, errors: FieldErrors, language: String, texts: Texts) {
        self.form = form
        self.errors = errors
        self.language = language
        self.texts = texts
    }

    package func question(_ question: QuestionnaireDefinition.Question) -> PhoneQuestion {
        let name = "answers.\(question.key)"
        let kind = question.type
        let range = question.possibleRange
        let isNumeric = ["slider", "number"].contains(kind.name)
        return PhoneQuestion(
            key: question.key, name: name, text: question.text[language] ?? question.key, kind: kind.name,
            isRequired: question.isRequired, isRow: kind.name == "sam",
            isList: ["single", "yes_no"].contains(kind.name), isBoxes: kind.name == "multiple",
            isSlider: kind.name == "slider", isText: kind == .text, isNumber: kind.name == "number",
            isDate: kind == .date, choices: choices(question, name),
            minimum: isNumeric ? range.map { FilePieces.words($0.lowerBound) } : nil,
            maximum: isNumeric ? range.map { FilePieces.words($0.upperBound) } : nil, step: step(kind),
            minimumLabel: question.minimumLabel?[language], maximumLabel: question.maximumLabel?[language],
            value: form?[name] ?? "", hint: hint(question),
            error: errors.list.first { $0.field == name }.map { texts[$0.message] })
    }

    private func step(_ kind: QuestionnaireDefinition.Kind) -> String? {
        if case .slider(_, _, let step) = kind { return FilePieces.words(step) }
        return kind.name == "number" ? "any" : nil
    }

    private func choices(_ question: QuestionnaireDefinition.Question, _ name: String) -> [PhoneQuestion
        .Choice]
    {
        let chosen = form?.all(name) ?? []
        let make = { (value: Double, label: String, isExclusive: Bool) in
            let words = FilePieces.words(value)
            return PhoneQuestion.Choice(
                id: "\(name).\(words)", value: words, label: label, isChosen: chosen.contains(words),
                isExclusive: isExclusive)
        }
        switch question.type {
        case .single, .multiple:
            return question.options.map { make($0.value, $0.text[language] ?? "", $0.isExclusive) }
        case .yesNo:
            return [make(1, texts["contributions.yes"], false), make(0, texts["contributions.no"], false)]
        case .sam(_, let minimum, let maximum):
            return stride(from: minimum, through: maximum, by: 1).map {
                make($0, FilePieces.words($0), false)
            }
        default: return []
        }
    }

    /// How many answers of a multiple choice are wanted; nil for other types.
    func hint(_ question: QuestionnaireDefinition.Question) -> String? {
        guard case .multiple(let minimum, let maximum) = question.type else { return nil }
        switch (minimum, maximum) {
        case (let minimum?, let maximum?) where minimum == maximum:
            return texts["preview.exactly", ["n": String(minimum)]]
        case (let minimum?, let maximum?):
            return texts["preview.between", ["n": String(minimum), "m": String(maximum)]]
        case (let minimum?, nil): return texts["preview.at_least", ["n": String(minimum)]]
        case (nil, let maximum?): return texts["preview.at_most", ["n": String(maximum)]]
        case (nil, nil): return texts["preview.several"]
        }
    }
}

/// The form of a preview as the answers a phone would send.
package enum PhoneAnswers {
    package static func read(_ form: Form, _ definition: QuestionnaireDefinition) -> JSON {
        let members = definition.questions.compactMap { question -> JSON.Member? in
            let typed = form.all("answers.\(question.key)").filter { !$0.isEmpty }
            guard let first = typed.first else { return nil }
            return JSON.Member(question.key, value(question.type, first, typed))
        }
        return .object(members)
    }

    private static func value(
        _ kind: QuestionnaireDefinition.Kind, _ first: String, _ all: [String]
    ) -> JSON {
        switch kind {
        case .multiple: .array(all.map { TypedNumber.read($0) ?? .null })
        case .text, .date: .string(first)
        default: TypedNumber.read(first) ?? .null
        }
    }

    package static func json(_ answers: Answers, _ definition: QuestionnaireDefinition) -> JSON {
        .object(
            definition.questions.compactMap { question in
                answers[question.key].map { JSON.Member(question.key, json($0)) }
            })
    }

    private static func json(_ answer: Answer) -> JSON {
        switch answer {
        case .number(let value): .number(value)
        case .numbers(let values): .array(values.map { .number($0) })
        case .text(let text): .string(text)
        }
    }
}
