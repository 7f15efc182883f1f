import JSON

/// Reads one `enableWhen` into a condition of ours.
struct FHIRConditionReader {
    /// The questions read so far, by their link ids.
    let questions: [String: JSON]
    /// The values assigned to their options' codes.
    let codes: [String: [String: Double]]

    /// The comparison as our condition; nil when there is no equivalent.
    func comparison(_ when: JSON) -> JSON? {
        guard let id = when["question"]?.string, let question = questions[id],
            let key = question["key"], let relation = when["operator"]?.string
        else { return nil }
        if relation == "exists" {
            guard case .bool(let exists)? = when["answerBoolean"], let answered = answered(question) else {
                return nil
            }
            return exists ? answered : .object([.init("not", answered)])
        }
        guard let value = value(when, of: question) else { return nil }
        let compare = { (name: String, number: Double) -> JSON in
            .object([.init("question", key), .init(name, .number(number))])
        }
        let not = { (json: JSON) -> JSON in .object([.init("not", json)]) }
        // R4's comparisons are false for an unanswered question, our `not` is true for one.
        let given = { (json: JSON) -> JSON? in
            answered(question).map { .object([.init("all", .array([$0, json]))]) }
        }
        switch relation {
        case "=": return compare("equals", value)
        case "!=": return given(not(compare("equals", value)))
        case ">=": return compare("at_least", value)
        case "<": return given(not(compare("at_least", value)))
        case ">":
            return .object([
                .init("all", .array([compare("at_least", value), not(compare("equals", value))]))
            ])
        case "<=":
            let below = not(compare("at_least", value))
            return given(.object([.init("any", .array([below, compare("equals", value)]))]))
        default: return nil
        }
    }

    private func value(_ when: JSON, of question: JSON) -> Double? {
        if case .bool(let value)? = when["answerBoolean"] { return value ? 1 : 0 }
        if let number = when["answerInteger"]?.number ?? when["answerDecimal"]?.number { return number }
        let code = when["answerCoding"]?["code"]?.string ?? when["answerString"]?.string
        if let code, let id = when["question"]?.string, let value = codes[id]?[code] { return value }
        if let number = code.flatMap(FHIRPieces.number) { return number }
        // A code that is no number: the option with the same words.
        let words = when["answerCoding"]?["display"]?.string ?? code
        return (question["options"]?.array ?? []).first { option in
            FHIRPieces.members(option["text"] ?? .null).contains { $0.value.string == words }
        }?["value"]?.number
    }

    /// True once a question has any answer; nil when our conditions cannot express it.
    private func answered(_ question: JSON) -> JSON? {
        guard let key = question["key"] else { return nil }
        let values: [JSON]
        switch question["type"]?.string {
        case "single", "multiple": values = (question["options"]?.array ?? []).compactMap { $0["value"] }
        case "yes_no": values = [.number(0), .number(1)]
        case "slider", "sam", "number":
            let lowest = question["minimum"] ?? .number(-1e15)
            return .object([.init("question", key), .init("at_least", lowest)])
        default: return nil
        }
        return values.isEmpty ? nil : .object([.init("question", key), .init("any_of", .array(values))])
    }
}
