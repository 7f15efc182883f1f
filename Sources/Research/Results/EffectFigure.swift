import Contributions
import Psychometrics
import Questionnaires
import Studies
import Wording

/// An outcome's effects as lines with their intervals, a line for each pair of groups.
struct EffectFigure: Encodable, Sendable {
    struct Line: Encodable, Sendable {
        let pair: String
        let value: String
        let interval: String
        let people: String
        let sentence: String
        let whisker: String
        let point: String
    }

    let title: String
    let when: String
    let zero: String
    /// Where no difference lies, in percent of the width.
    let zeroAt: String
    let lines: [Line]
    let hasLines: Bool
    /// What lies on each side of no difference; nil where the scale does not say which direction is better.
    let left: String?
    let right: String?
    /// Pairs with too few values.
    let missing: [String]

    private static let height = 28.0

    init(_ comparison: GroupComparison, _ scale: StudyScale?, title: String, _ words: OutcomeWords) {
        let texts = words.texts
        let name = words.arms.name
        let first = comparison.arms.first
        let firstName = first.map { name($0.arm) } ?? ""
        let pairs = comparison.effects
        let known = pairs.compactMap { arm, effect in effect.map { (arm: arm, effect: $0) } }
        let axis = Axis(known.map(\.effect))
        var zero = PathText()
        zero.vertical(axis.x(0), height: Self.height)
        self.title = title
        self.zero = zero.text
        zeroAt = "\(Int((axis.x(0) / 10).rounded()))%"
        when = words.when(comparison.outcome)
        lines = known.map { arm, effect in
            let other = comparison.arms.first { $0.arm == arm }
            return Line(
                "\(firstName) – \(name(arm))", effect,
                people: "n = \(first?.ends.count ?? 0) + \(other?.ends.count ?? 0)", on: axis, texts)
        }
        hasLines = !lines.isEmpty
        missing = pairs.filter { $0.effect == nil }.map {
            "\(firstName) – \(name($0.arm)): \(texts["studies.no_effect"])"
        }
        let others = known.count == 1 ? known.first.map { name($0.arm) } : nil
        let sides = [firstName, others].map { side in
            side.map { texts["studies.better_for", ["arm": $0]] } ?? texts["studies.better_other"]
        }
        let isWorse = scale?.definition.higherIsWorse
        left = known.isEmpty ? nil : isWorse.map { $0 ? sides[0] : sides[1] }
        right = known.isEmpty ? nil : isWorse.map { $0 ? sides[1] : sides[0] }
    }

    /// From the lowest to the highest end of all intervals, with no difference in it.
    fileprivate struct Axis {
        private let low: Double
        private let high: Double

        init(_ effects: [EffectSize]) {
            low = min(0, effects.map(\.low).min() ?? 0)
            high = max(0, effects.map(\.high).max() ?? 0)
        }

        func x(_ value: Double) -> Double {
            high > low ? 40 + (value - low) / (high - low) * 920 : 500
        }
    }
}

extension EffectFigure.Line {
    fileprivate init(
        _ pair: String, _ effect: EffectSize, people: String, on axis: EffectFigure.Axis, _ texts: Texts
    ) {
        let format = ResultFormatter(texts: texts)
        var whisker = PathText()
        var point = PathText()
        whisker.line([(x: axis.x(effect.low), y: 14), (x: axis.x(effect.high), y: 14)])
        point.dot(axis.x(effect.g), 14)
        self.pair = pair
        self.people = people
        self.whisker = whisker.text
        self.point = point.text
        value = "g = \(format.value(effect.g))"
        interval =
            texts[
                "studies.interval", ["low": format.value(effect.low), "high": format.value(effect.high)]]
        let isApart = effect.low > 0 || effect.high < 0
        sentence = texts[isApart ? "studies.effect_apart" : "studies.effect_unclear"]
    }
}

extension GroupComparison {
    /// Its effects, drawn.
    func figure(_ scales: [StudyScale], _ words: OutcomeWords) -> EffectFigure {
        let scale = scales.first { $0.isNamed(by: outcome) }
        return EffectFigure(self, scale, title: scale?.title ?? "\(outcome.key) \(outcome.scale)", words)
    }
}
