import Psychometrics
import Questionnaires
import Wire
import Wording

/// Changes of a scale in words; with a verdict only where the instrument's figures are known.
package struct ScoreFormatter: Sendable {
    package let texts: Texts

    package init(texts: Texts) {
        self.texts = texts
    }

    /// Range and direction: `0 bis 4 · höher = belastender`; empty where neither is known.
    package func reading(_ scale: Scale) -> String {
        [scale.range.map(span), direction(scale)].compactMap(\.self).joined(separator: " · ")
    }

    /// `0 bis 4`.
    private func span(_ range: ClosedRange<Double>) -> String {
        texts[
            "scale.range", ["from": texts.number(range.lowerBound), "to": texts.number(range.upperBound)]]
    }

    /// What stands beside a value: `von 4`, or both ends where the lower one is not 0; nil where they are unknown.
    package func range(_ scale: Scale) -> String? {
        scale.range.map { range in
            range.lowerBound == 0 ? texts["scale.of", ["max": texts.number(range.upperBound)]] : span(range)
        }
    }

    /// The better end, in two words; nil for a scale without one.
    package func direction(_ scale: Scale) -> String? {
        scale.higherIsWorse.map { texts[$0 ? "charts.higher_worse" : "charts.higher_better"] }
    }

    /// `2,7 von 4`; the value alone where the scale does not start at 0, or its end is unknown.
    package func ofRange(_ value: Double, _ scale: Scale) -> String {
        guard let range = scale.range, range.lowerBound == 0 else { return texts.number(value) }
        return texts[
            "contributions.of_range", ["n": texts.number(value), "max": texts.number(range.upperBound)]]
    }

    /// `+0,4`, `−1`, `0`.
    package func signed(_ difference: Double) -> String {
        let number = texts.number(difference)
        return difference > 0 && number != "0" ? "+" + number : number
    }

    /// The verdict on the change since the begin; nil without a begin or without the instrument's figures.
    package func verdict(_ change: ScoreChange, _ scale: Scale) -> ClinicalChange? {
        guard let first = change.begin?.score.value, let last = change.last.score.value else { return nil }
        return ClinicalChange(scale, from: first, to: last)
    }

    /// How a verdict is reached, with the instrument's figures and their source; or why there is none.
    package func formula(_ scale: Scale, _ definition: QuestionnaireDefinition) -> String {
        guard let change = ReliableChange(scale), let deviation = scale.standardDeviation,
            let reliability = scale.reliability
        else { return texts["charts.formula_none"] }
        let values = [
            "points": texts.number(change.criterion, digits: 2), "sd": texts.number(deviation, digits: 2),
            "r": texts.number(reliability, digits: 2),
            "source": definition.citation ?? definition.origin ?? "–",
            "cutoff": scale.cutoff.map { texts["charts.cutoff_is", ["value": texts.number($0)]] } ?? "",
        ]
        return texts["charts.formula", values]
    }
}
