import Wire
import Wording

/// A scale's value for one answer sheet, with its basis.
package struct ScaleScore: Sendable, Equatable {
    package let scale: String
    /// Nil when too few items were answered; never 0 for missing answers. Never rounded.
    package let value: Double?
    package let answered: Int
    package let items: Int
    package let needed: Int

    /// Whether the value was extrapolated to missing items.
    var isProrated: Bool { value != nil && answered < items }

    /// The number of answers behind the value, or the number missing for one.
    package var basis: Message {
        let key = value == nil ? "too_few" : isProrated ? "prorated" : "items"
        return Message(
            "contributions.\(key)",
            ["n": String(answered), "of": String(items), "needed": String(needed)])
    }

    package init(scale: String, value: Double?, answered: Int, items: Int, needed: Int) {
        self.scale = scale
        self.value = value
        self.answered = answered
        self.items = items
        self.needed = needed
    }
}

extension QuestionnaireDefinition {
    /// All scales, in the order of `measurement.md`, Scores: conditions first, the factor last.
    package func scores(_ answers: Answers) -> [ScaleScore] {
        let counting = isConditional ? shown(of: answers) : answers
        return scales.map { $0.score(counting, self) }
    }

    private func shown(of answers: Answers) -> Answers {
        let shown = Set(visibleSections(answers).flatMap(\.questions).map(\.key))
        return answers.filter { shown.contains($0.key) }
    }
}

extension Scale {
    fileprivate func score(
        _ answers: Answers, _ definition: QuestionnaireDefinition
    ) -> ScaleScore {
        let values = items.compactMap { item -> Double? in
            guard case .number(let value)? = answers[item] else { return nil }
            guard reversed.contains(item), let range = definition.question(item)?.possibleRange else {
                return value
            }
            return range.lowerBound + range.upperBound - value
        }
        let value = values.count >= max(needed, 1) ? aggregate(values, definition) : nil
        return ScaleScore(
            scale: key, value: value, answered: values.count, items: items.count, needed: needed)
    }

    private func aggregate(
        _ values: [Double], _ definition: QuestionnaireDefinition
    ) -> Double {
        let sum = values.reduce(0, +)
        let answered = Double(values.count)
        let all = Double(items.count)
        // A sum over fewer items is prorated to all, and divided last: the mean first would cost the last bits.
        let total = values.count == items.count ? sum : sum * all / answered
        var result = method == .mean ? sum / answered : total
        if isPercent, let range = items.first.flatMap({ definition.question($0)?.possibleRange }) {
            let count = method == .mean ? 1 : all
            let low = range.lowerBound * count
            let high = range.upperBound * count
            result = (result - low) / (high - low) * 100
        }
        return result * factor
    }
}
