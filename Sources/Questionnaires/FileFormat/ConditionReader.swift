import JSON
import Wire

/// Reads a section's condition, which may depend only on questions of earlier sections.
struct ConditionReader {
    let file: FilePieces
    /// The questions of the sections before, by key.
    let earlier: [String: QuestionnaireDefinition.Question]
    /// All keys read so far, also of faulty questions.
    let known: Set<String>

    func condition(_ json: JSON, _ place: String, depth: Int = 0) -> Condition? {
        guard file.isObject(json, place) else { return nil }
        guard depth < 20 else {
            file.fault(place, "file.condition_deep")
            return nil
        }
        let parts = { (name: String) -> [Condition]? in
            guard let values = file.list(json[name], "\(place).\(name)") else { return nil }
            if values.isEmpty { file.fault("\(place).\(name)", "file.empty") }
            return values.enumerated().compactMap { index, value in
                condition(value, "\(place).\(name)[\(index)]", depth: depth + 1)
            }
        }
        if json["all"] != nil {
            file.known(json, place, ["all"])
            return parts("all").map { .all($0) }
        }
        if json["any"] != nil {
            file.known(json, place, ["any"])
            return parts("any").map { .any($0) }
        }
        if let inner = json["not"] {
            file.known(json, place, ["not"])
            return condition(inner, place + ".not", depth: depth + 1).map { .not($0) }
        }
        return comparison(json, place)
    }

    private func comparison(_ json: JSON, _ place: String) -> Condition? {
        guard file.countsComparison(place) else { return nil }
        let operators = ["equals", "any_of", "at_least"].filter { json[$0] != nil }
        file.known(json, place, ["question", "equals", "any_of", "at_least"])
        guard operators.count == 1,
            let question = file.string(json["question"], place + ".question", isRequired: true)
        else {
            if operators.count != 1 { file.fault(place, "file.condition_operator") }
            return nil
        }
        guard let target = earlier[question] else {
            let key = known.contains(question) ? "file.condition_self" : "file.condition_reference"
            file.fault(place + ".question", key, ["key": question])
            return nil
        }
        switch operators[0] {
        case "equals":
            guard let value = file.number(json["equals"], place + ".equals", isRequired: true) else {
                return nil
            }
            offered([value], by: target, place + ".equals")
            return .equals(question: question, value: value)
        case "at_least":
            guard let value = file.number(json["at_least"], place + ".at_least", isRequired: true) else {
                return nil
            }
            if target.type == .text || target.type == .date {
                file.fault(place + ".question", "file.condition_type")
            }
            return .atLeast(question: question, value: value)
        default:
            guard let list = file.list(json["any_of"], place + ".any_of") else { return nil }
            if list.isEmpty { file.fault(place + ".any_of", "file.empty") }
            let values = list.enumerated().compactMap {
                file.number($0.element, "\(place).any_of[\($0.offset)]", isRequired: true)
            }
            offered(values, by: target, place + ".any_of")
            return .anyOf(question: question, values: values)
        }
    }

    /// A condition on a value that cannot be chosen would never be true.
    private func offered(_ values: [Double], by question: QuestionnaireDefinition.Question, _ place: String) {
        if question.type == .text || question.type == .date { file.fault(place, "file.condition_type") }
        guard !question.options.isEmpty else { return }
        for value in values where !question.options.contains(where: { $0.value == value }) {
            file.fault(place, "file.condition_value", ["value": FilePieces.words(value)])
        }
    }
}
