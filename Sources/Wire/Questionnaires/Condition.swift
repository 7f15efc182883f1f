/// When a section is shown; a tree over answers given earlier.
public indirect enum Condition: Sendable, Equatable, Codable, Shaped {
    case equals(question: String, value: Double)
    case anyOf(question: String, values: [Double])
    case atLeast(question: String, value: Double)
    case all([Condition])
    case any([Condition])
    case not(Condition)

    private enum CodingKeys: String, CodingKey {
        case question, equals, anyOf, atLeast, all, any, not
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let parts = try container.decodeIfPresent([Condition].self, forKey: .all) {
            self = .all(parts)
        } else if let parts = try container.decodeIfPresent([Condition].self, forKey: .any) {
            self = .any(parts)
        } else if let part = try container.decodeIfPresent(Condition.self, forKey: .not) {
            self = .not(part)
        } else {
            let question = try container.decode(String.self, forKey: .question)
            if let value = try container.decodeIfPresent(Double.self, forKey: .equals) {
                self = .equals(question: question, value: value)
            } else if let values = try container.decodeIfPresent([Double].self, forKey: .anyOf) {
                self = .anyOf(question: question, values: values)
            } else {
                self = .atLeast(
                    question: question, value: try container.decode(Double.self, forKey: .atLeast))
            }
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .equals(let question, let value):
            try container.encode(question, forKey: .question)
            try container.encode(value, forKey: .equals)
        case .anyOf(let question, let values):
            try container.encode(question, forKey: .question)
            try container.encode(values, forKey: .anyOf)
        case .atLeast(let question, let value):
            try container.encode(question, forKey: .question)
            try container.encode(value, forKey: .atLeast)
        case .all(let parts): try container.encode(parts, forKey: .all)
        case .any(let parts): try container.encode(parts, forKey: .any)
        case .not(let part): try container.encode(part, forKey: .not)
        }
    }
}

extension Condition {
    package static let name = "Condition"
    public static let schema = Schema.named(name)
    public static let example = Condition.equals(question: "q1", value: 1)
    static let shape = Schema.either([
        .object([Schema.property("question", .string), Schema.property("equals", .number)]),
        .object([Schema.property("question", .string), Schema.property("any_of", .list(.number))]),
        .object([Schema.property("question", .string), Schema.property("at_least", .number)]),
        .object([Schema.property("all", .list(schema))]),
        .object([Schema.property("any", .list(schema))]),
        .object([Schema.property("not", schema)]),
    ])

    /// A condition on an unanswered question is false, so its `not` is true. Server and phones use the same rule.
    public func holds(for answers: Answers) -> Bool {
        switch self {
        case .equals(let question, let value): Self.numbers(answers[question]).contains(value)
        case .anyOf(let question, let values):
            Self.numbers(answers[question]).contains(where: values.contains)
        case .atLeast(let question, let value): Self.numbers(answers[question]).contains { $0 >= value }
        case .all(let parts): parts.allSatisfy { $0.holds(for: answers) }
        case .any(let parts): parts.contains { $0.holds(for: answers) }
        case .not(let part): !part.holds(for: answers)
        }
    }

    /// The keys of the questions that it looks at; one that it names twice stands there twice.
    package var questions: [String] {
        switch self {
        case .equals(let question, _), .anyOf(let question, _), .atLeast(let question, _): [question]
        case .all(let parts), .any(let parts): parts.flatMap(\.questions)
        case .not(let part): part.questions
        }
    }

    private static func numbers(_ answer: Answer?) -> [Double] {
        switch answer {
        case .number(let value): [value]
        case .numbers(let values): values
        case .text, nil: []
        }
    }
}
