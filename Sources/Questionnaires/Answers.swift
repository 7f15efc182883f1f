import Foundation
import JSON
import Wire
import Wording

extension QuestionnaireDefinition {
    /// The sections shown with these answers. Questions in hidden sections count as unanswered for later conditions.
    package func visibleSections(_ answers: Answers) -> [Section] {
        guard isConditional else { return sections }
        return zip(sections, shown { answers[$0] }).filter(\.1).map(\.0)
    }

    /// Whether each section is shown, by the answers to the questions that conditions look at.
    package func shown(_ answer: (String) -> Answer?) -> [Bool] {
        var seen: Answers = [:]
        return zip(sections, deciding).map { section, deciding in
            guard section.visibleIf?.holds(for: seen) ?? true else { return false }
            for key in deciding { seen[key] = answer(key) }
            return true
        }
    }

    /// The questions whose answers must be seen (PR-11), in the order of the questionnaire.
    package func questionsToBeSeen(_ answers: Answers) -> [Question] {
        questions.filter { question in
            guard let alarming = question.mustBeSeen else { return false }
            switch answers[question.key] {
            case .number(let value): return alarming.includes(value)
            case .numbers(let values): return values.contains(where: alarming.includes)
            case .text, nil: return false
            }
        }
    }

    /// Reads and checks the answers of a sheet.
    /// - Parameter isHalf: for a sheet in progress: nothing must be complete yet.
    /// - Throws: `FieldErrors` named `answers.q3`: unknown questions, wrong types, values not offered; for a whole
    ///   sheet also answers inside hidden sections and required ones missing.
    package func readAnswers(_ json: JSON?, isHalf: Bool = false) throws(FieldErrors) -> Answers {
        var errors = FieldErrors()
        guard case .object(let members)? = json else { throw FieldErrors("answers", "errors.object") }
        var answers: Answers = [:]
        for member in members {
            let field = "answers." + member.key.prefix(60)
            guard let question = question(member.key) else {
                errors.add(field, "answers.unknown")
                continue
            }
            if errors.isFull { break }
            if member.value == .null || (question.isEmpty(member.value) && (isHalf || !question.isRequired)) {
                continue
            }
            do {
                answers[member.key] = try question.read(member.value, isHalf: isHalf)
            } catch {
                errors.add(field, error.key, error.values)
            }
        }
        if !isHalf { check(answers, &errors) }
        if !errors.isEmpty { throw errors }
        return answers
    }

    private func check(_ answers: Answers, _ errors: inout FieldErrors) {
        let asked = isConditional ? visibleSections(answers).flatMap(\.questions) : questions
        if isConditional {
            let shown = Set(asked.map(\.key))
            for question in questions where answers[question.key] != nil && !shown.contains(question.key) {
                errors.add("answers.\(question.key)", "answers.hidden")
            }
        }
        if mode == .sheet {
            let named = Set(errors.list.map(\.field))
            for question in asked where question.isRequired && answers[question.key] == nil {
                let field = "answers.\(question.key)"
                if !named.contains(field) { errors.add(field, "answers.required") }
            }
        }
    }
}

/// What reading a sheet changed in its texts.
package enum CleanedAnswers {
    /// The answers of a sheet that are stored without some of their signs, as `meta` names them; nil for none.
    package static func meta(_ answers: JSON?) -> [String: String]? {
        guard case .object(let members)? = answers else { return nil }
        let fields = members.filter { $0.value.string.map(TypedLines.cleans) ?? false }.map {
            "answers.\($0.key)"
        }
        return fields.isEmpty ? nil : ["cleaned": fields.joined(separator: ", ")]
    }
}

extension Message: Error {}

extension QuestionnaireDefinition.Question {
    /// - Throws: the sentence why this cannot be an answer.
    fileprivate func read(_ json: JSON, isHalf: Bool) throws(Message) -> Answer {
        switch type {
        case .single:
            let value = try number(json)
            guard options.contains(where: { $0.value == value }) else { throw Message("answers.not_offered") }
            return .number(value)
        case .multiple(let minimum, let maximum):
            return .numbers(try choices(json, isHalf ? 0 : minimum, maximum))
        case .slider(let minimum, let maximum, let step):
            let value = try number(json, minimum, maximum)
            let steps = (value - minimum) / step
            guard abs(steps - steps.rounded()) < 1e-6 else { throw Message("answers.step") }
            return .number(value)
        case .sam(_, let minimum, let maximum):
            let value = try number(json, minimum, maximum)
            guard value.rounded() == value else { throw Message("answers.step") }
            return .number(value)
        case .yesNo:
            let value = try number(json)
            guard value == 0 || value == 1 else { throw Message("answers.not_offered") }
            return .number(value)
        case .number(let minimum, let maximum):
            return .number(try number(json, minimum ?? -1e15, maximum ?? 1e15))
        case .text: return .text(try text(json))
        case .date:
            guard let text = json.string, LocalDate(text) != nil else { throw Message("errors.date") }
            return .text(text)
        }
    }

    /// Nothing chosen, or no text: not answered.
    fileprivate func isEmpty(_ json: JSON) -> Bool {
        switch (type, json) {
        case (.multiple, .array(let values)): values.isEmpty
        case (.text, .string(let text)): TypedLines.read(text).allSatisfy(\.isWhitespace)
        default: false
        }
    }

    private func number(_ json: JSON) throws(Message) -> Double {
        guard let value = json.number, value.isFinite else {
            throw json.string.flatMap { TypedNumber($0, limits)?.problem } ?? "errors.number"
        }
        return value
    }

    private func number(_ json: JSON, _ minimum: Double, _ maximum: Double) throws(Message) -> Double {
        let value = try number(json)
        guard value >= minimum, value <= maximum else { throw Message("answers.out_of_range") }
        return value
    }

    private func choices(_ json: JSON, _ minimum: Int?, _ maximum: Int?) throws(Message) -> [Double] {
        guard let list = json.array else { throw Message("answers.list") }
        let values = list.compactMap(\.number)
        guard values.count == list.count, Set(values).count == values.count,
            values.allSatisfy({ value in options.contains { $0.value == value } })
        else { throw Message("answers.not_offered") }
        if values.count < minimum ?? (isRequired ? 1 : 0) {
            throw Message("answers.too_few", ["n": String(minimum ?? 1)])
        }
        if let maximum, values.count > maximum { throw Message("answers.too_many", ["n": String(maximum)]) }
        if values.count > 1, options.contains(where: { $0.isExclusive && values.contains($0.value) }) {
            throw Message("answers.exclusive")
        }
        return options.map(\.value).filter(values.contains)
    }

    func text(_ json: JSON) throws(Message) -> String {
        guard let text = json.string else { throw Message("errors.text") }
        let trimmed = TypedLines.read(text).precomposedStringWithCanonicalMapping
            .trimmingCharacters(in: .whitespacesAndNewlines)
        if trimmed.isEmpty && isRequired { throw Message("answers.required") }
        if trimmed.unicodeScalars.count > 5_000 { throw Message("errors.too_long", ["limit": "5000"]) }
        return trimmed
    }
}
