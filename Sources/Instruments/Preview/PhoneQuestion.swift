import HTTP
import JSON
import Questionnaires
import Web
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
    let inputMode: String?
    /// What a typed number may mean, where that is asked.
    let readings: [Reading]
    let isAsked: Bool
    /// The answers after which numbers to call are shown at once, as in the file; nil for none.
    let call: String?
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
        let limits = question.limits
        let error = errors.list.first { $0.field == name }?.message
        let readings = Reading.all(of: error, for: name, texts)
        return PhoneQuestion(
            key: question.key, name: name, text: question.text[language] ?? question.key, kind: kind.name,
            isRequired: question.isRequired, isRow: kind.name == "sam",
            isList: ["single", "yes_no"].contains(kind.name), isBoxes: kind.name == "multiple",
            isSlider: kind.name == "slider", isText: kind == .text, isNumber: kind.name == "number",
            isDate: kind == .date, choices: choices(question, name),
            minimum: limits.minimum.map(TypedNumber.spelled),
            maximum: limits.maximum.map(TypedNumber.spelled),
            step: limits.step.map(TypedNumber.spelled),
            minimumLabel: question.minimumLabel?[language], maximumLabel: question.maximumLabel?[language],
            value: form?[name] ?? "", hint: hint(question),
            error: error.map { texts[$0] },
            // The decimal pad of some phones has no minus.
            inputMode: (limits.minimum ?? -1) >= 0 ? "decimal" : nil, readings: readings,
            isAsked: !readings.isEmpty, call: question.mustBeSeen?.words)
    }

    private func choices(_ question: QuestionnaireDefinition.Question, _ name: String) -> [PhoneQuestion
        .Choice]
    {
        let chosen = form?.all(name) ?? []
        let make = { (value: Double, label: String, isExclusive: Bool) in
            let words = TypedNumber.spelled(value)
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

/// Answers in forms.
package enum PhoneAnswers {
    /// - Parameter isSpelled: whether a script has read the numbers already and spells them with a point.
    package static func read(
        _ form: Form, _ definition: QuestionnaireDefinition, isSpelled: Bool = false
    ) -> JSON {
        let members = definition.questions.compactMap { question -> JSON.Member? in
            let name = "answers.\(question.key)"
            let typed = form.all(name).filter { !$0.isEmpty }
            guard let first = typed.first else { return nil }
            let number = { (text: String) -> JSON in
                var meant = form[TypedNumber.meantName(name)]
                if isSpelled, case .either(let readings)? = TypedNumber(text) { meant = readings.fraction }
                return JSON(typed: text, question.limits, meant: meant) ?? .null
            }
            switch question.type {
            case .multiple: return JSON.Member(question.key, .array(typed.map(number)))
            case .text, .date: return JSON.Member(question.key, .string(first))
            default: return JSON.Member(question.key, number(first))
            }
        }
        return .object(members)
    }

    /// The fields of a form that has this answer, so that it is read as the same.
    package static func fields(
        _ answer: Answer, to question: QuestionnaireDefinition.Question, _ texts: Texts
    ) -> [Form.Field] {
        let values: [String]
        switch answer {
        case .number(let value):
            let isTyped = ["slider", "number"].contains(question.type.name)
            let spelled = TypedNumber.spelled(value)
            values = [isTyped ? texts.number(plain: spelled) : spelled]
        case .numbers(let several): values = several.map(TypedNumber.spelled)
        case .text(let text): values = [text]
        }
        return values.map { Form.Field("answers.\(question.key)", $0) }
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
