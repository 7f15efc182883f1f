import JSON

/// Reads one `enableWhen` into a condition of ours.
struct FHIRConditionReader {
    /// The questions read so far, by their link ids.
    let questions: [String: JSON]
    /// The answers that they offer.
    let options: [String: FHIROptions]

    /// The comparison as our condition; nil when there is no equivalent, or the answer is not offered.
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
        if let number = when["answerInteger"]?.number, let offered = options[id],
            let values = offered.values(relation, number)
        {
            return values.isEmpty
                ? nil : Self.compare(key, "any_of", .array(values.map { .number($0) }))
        }
        guard let value = value(when, of: question, options[id]) else { return nil }
        let compare = { (name: String, number: Double) in Self.compare(key, name, .number(number)) }
        let not = { (json: JSON) -> JSON in .object([.init("not", json)]) }
        // R4's comparisons are false for an unanswered question, our `not` is true for one.
        let given = { (json: JSON) -> JSON? in
            answered(question).map { .object([.init("all", .array([$0, json]))]) }
        }
        switch relation {
        case "=": return compare("equals", value)
        case "!=": return given(not(compare("equals", value)))
        case _ where options[id] != nil: return nil
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

    private static func compare(_ key: JSON, _ name: String, _ value: JSON) -> JSON {
        .object([.init("question", key), .init(name, value)])
    }

    /// The number that an answer of this question has.
    private func value(_ when: JSON, of question: JSON, _ options: FHIROptions?) -> Double? {
        switch question["type"]?.string {
        case "yes_no":
            if case .bool(let value)? = when["answerBoolean"] { return value ? 1 : 0 }
            return nil
        case "slider", "sam", "number":
            return when["answerInteger"]?.number ?? when["answerDecimal"]?.number
                ?? when["answerQuantity"]?["value"]?.number
        default: break
        }
        guard let options else { return nil }
        if let coding = when["answerCoding"] {
            let code = coding["code"]?.string
            return code.flatMap { options.value(of: $0, .coding, system: coding["system"]?.string) }
                ?? (coding["display"]?.string ?? code).flatMap { options.value(saying: $0) }
        }
        if let text = when["answerString"]?.string {
            return options.value(of: text, .string) ?? options.value(of: text, .coding)
                ?? options.value(saying: text)
        }
        if let number = when["answerInteger"]?.number {
            return options.value(of: FilePieces.words(number), .integer)
        }
        for (name, kind) in [("answerDate", FHIROptions.Kind.date), ("answerTime", .time)] {
            if let text = when[name]?.string { return options.value(of: text, kind) }
        }
        return when["answerReference"]?["reference"]?.string.flatMap { options.value(of: $0, .reference) }
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
            return Self.compare(key, "at_least", lowest)
        default: return nil
        }
        return values.isEmpty ? nil : Self.compare(key, "any_of", .array(values))
    }

    /// What holds where both conditions do; nil for none.
    static func both(_ first: JSON?, _ second: JSON?) -> JSON? {
        guard let first, let second else { return first ?? second }
        let parts = [first, second].flatMap { $0["all"]?.array ?? [$0] }
        return .object([.init("all", .array(parts))])
    }
}
