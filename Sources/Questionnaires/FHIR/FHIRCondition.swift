import JSON
import Wire

/// Conditions as `enableWhen`: a flat list of comparisons of which all or any must hold. R4 has nothing else; more
/// deeply nested conditions give nil.
enum FHIRCondition {
    /// One comparison: an answer must (not) exist, or compare to a value by the operator.
    fileprivate struct Literal {
        let question: String
        let relation: String
        let value: JSON.Member
    }

    private enum Shape {
        case all([Literal])
        case any([Literal])
    }

    static func write(_ condition: Condition, _ definition: QuestionnaireDefinition) -> [JSON.Member]? {
        guard let shape = shape(condition, definition) else { return nil }
        let (literals, behaviour) =
            switch shape {
            case .all(let literals): (literals, "all")
            case .any(let literals): (literals, "any")
            }
        guard !literals.isEmpty else { return nil }
        let list = literals.map { literal in
            JSON.object([
                .init("question", .string(literal.question)), .init("operator", .string(literal.relation)),
                literal.value,
            ])
        }
        let members = [JSON.Member("enableWhen", .array(list))]
        return list.count > 1 ? members + [.init("enableBehavior", .string(behaviour))] : members
    }

    private static func shape(_ condition: Condition, _ definition: QuestionnaireDefinition) -> Shape? {
        switch condition {
        case .all(let parts): return joined(parts, definition, isAll: true)
        case .any(let parts): return joined(parts, definition, isAll: false)
        default: return atom(condition, definition).map { .any($0) }
        }
    }

    /// `all` of comparisons that are one literal each; `any` of comparisons of any number.
    private static func joined(
        _ parts: [Condition], _ definition: QuestionnaireDefinition, isAll: Bool
    ) -> Shape? {
        var literals: [Literal] = []
        for part in parts {
            guard let found = atom(part, definition), !isAll || found.count == 1 else { return nil }
            literals += found
        }
        return isAll ? .all(literals) : .any(literals)
    }

    /// One comparison as literals of which any must hold.
    private static func atom(_ condition: Condition, _ definition: QuestionnaireDefinition) -> [Literal]? {
        switch condition {
        case .equals(let key, let value): return [literal(key, "=", value, definition)].compacted
        case .anyOf(let key, let values): return values.map { literal(key, "=", $0, definition) }.compacted
        case .atLeast(let key, let value): return atLeast(key, value, definition)
        case .not(let inner): return negated(inner, definition)
        case .all, .any: return nil
        }
    }

    private static func atLeast(
        _ key: String, _ value: Double, _ definition: QuestionnaireDefinition
    ) -> [Literal]? {
        guard let question = definition.question(key) else { return nil }
        if question.options.isEmpty && question.type != .yesNo {
            return [literal(key, ">=", value, definition)].compacted
        }
        // Codes have no order in R4: the options that are high enough are listed.
        let values = question.type == .yesNo ? [0, 1] : question.options.map(\.value)
        return values.filter { $0 >= value }.map { literal(key, "=", $0, definition) }.compacted
    }

    /// `not` is true for an unanswered question, unlike R4's `!=`.
    private static func negated(_ inner: Condition, _ definition: QuestionnaireDefinition) -> [Literal]? {
        let values: [Double]
        let key: String
        switch inner {
        case .equals(let question, let value):
            key = question
            values = [value]
        case .anyOf(let question, let list):
            key = question
            values = list
        case .atLeast(let question, let value):
            guard let target = definition.question(question) else { return nil }
            if target.options.isEmpty && target.type != .yesNo {
                let below = literal(question, "<", value, definition)
                return [missing(question), below].compacted
            }
            key = question
            values = (target.type == .yesNo ? [0, 1] : target.options.map(\.value)).filter { $0 >= value }
        default: return nil
        }
        guard let question = definition.question(key) else { return nil }
        if case .multiple = question.type { return nil }
        if question.options.isEmpty && question.type != .yesNo {
            guard values.count == 1 else { return nil }
            return [missing(key), literal(key, "!=", values[0], definition)].compacted
        }
        let all = question.type == .yesNo ? [0, 1] : question.options.map(\.value)
        let others = all.filter { !values.contains($0) }.map { literal(key, "=", $0, definition) }
        return ([missing(key)] + others).compacted
    }

    private static func missing(_ key: String) -> Literal? {
        Literal(question: key, relation: "exists", value: .init("answerBoolean", .bool(false)))
    }

    private static func literal(
        _ key: String, _ relation: String, _ value: Double, _ definition: QuestionnaireDefinition
    ) -> Literal? {
        guard let question = definition.question(key) else { return nil }
        let member: JSON.Member
        switch question.type {
        case .single, .multiple:
            member = .init("answerCoding", .object([.init("code", .string(FilePieces.words(value)))]))
        case .yesNo: member = .init("answerBoolean", .bool(value == 1))
        case .slider(let minimum, let maximum, let step):
            let isWhole = [minimum, maximum, step].allSatisfy { $0.rounded() == $0 }
            // A slider of whole numbers is compared with a whole number, or R4 would refuse it.
            if isWhole && value.rounded() != value { return nil }
            member = .init(isWhole ? "answerInteger" : "answerDecimal", .number(value))
        case .sam: member = .init("answerInteger", .number(value))
        case .number: member = .init("answerDecimal", .number(value))
        case .text, .date: return nil
        }
        return Literal(question: key, relation: relation, value: member)
    }
}

extension [FHIRCondition.Literal?] {
    /// All of them, or nothing when one is missing.
    fileprivate var compacted: [FHIRCondition.Literal]? {
        let found = compactMap(\.self)
        return found.count == count ? found : nil
    }
}
