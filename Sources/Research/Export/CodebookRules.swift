import Questionnaires
import Wire

/// Conditions and rules of scales as formulas over the items' keys, the same in every language.
struct CodebookRules {
    let dialect: CSVDialect

    func text(_ condition: Condition) -> String {
        switch condition {
        case .equals(let question, let value): "\(question) = \(dialect.text(value))"
        case .anyOf(let question, let values):
            "\(question) in {\(values.map(dialect.text).joined(separator: "; "))}"
        case .atLeast(let question, let value): "\(question) >= \(dialect.text(value))"
        case .all(let parts): parts.map(inner).joined(separator: " and ")
        case .any(let parts): parts.map(inner).joined(separator: " or ")
        case .not(let part): "not (\(text(part)))"
        }
    }

    private func inner(_ condition: Condition) -> String {
        switch condition {
        case .all, .any: "(\(text(condition)))"
        default: text(condition)
        }
    }

    /// Incomplete answers are extrapolated to the full number: `needed` is the least.
    func text(_ scale: Scale, _ definition: QuestionnaireDefinition) -> String {
        let items = scale.items.map { item in
            guard scale.reversed.contains(item), let range = definition.question(item)?.possibleRange
            else { return item }
            return "\(dialect.text(range.lowerBound + range.upperBound)) - \(item)"
        }
        var rule = "\(scale.method.rawValue)(\(items.joined(separator: "; ")))"
        if scale.isPercent, let first = scale.items.first,
            let range = definition.question(first)?.possibleRange
        {
            let count = scale.method == .mean ? 1 : Double(scale.items.count)
            let low = dialect.text(range.lowerBound * count)
            let width = dialect.text((range.upperBound - range.lowerBound) * count)
            rule = "(\(rule) - \(low)) / \(width) * 100"
        }
        return scale.factor == 1 ? rule : "\(rule) * \(dialect.text(scale.factor))"
    }
}
