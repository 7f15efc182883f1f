import Questionnaires

/// Values from bottom to top, with a margin so that marks at the edge are whole.
package struct ValueAxis: Sendable, Equatable {
    package let low: Double
    package let high: Double
    package let height: Double

    package init(low: Double, high: Double, height: Double) {
        self.low = low
        self.high = high
        self.height = height
    }
    static let margin = 6.0

    package func y(_ value: Double) -> Double {
        let share = high > low ? (value - low) / (high - low) : 0.5
        return Self.margin + (1 - min(1, max(0, share))) * (height - 2 * Self.margin)
    }
}

/// The `d` of an SVG path, in whole units: a tenth would be invisible.
package struct PathText: Sendable, Equatable {
    package private(set) var text = ""

    package init(text: String = "") {
        self.text = text
    }

    private static func unit(_ value: Double) -> String { String(Int(value.rounded())) }

    /// A point; with round ends and no length it shows as a dot as thick as the stroke.
    package mutating func dot(_ x: Double, _ y: Double) { text += "M\(Self.unit(x)) \(Self.unit(y))h0" }

    package mutating func vertical(_ x: Double, height: Double) {
        text += "M\(Self.unit(x)) 0v\(Self.unit(height))"
    }

    package mutating func horizontal(_ y: Double) { text += "M0 \(Self.unit(y))h1000" }

    package mutating func bar(_ x: Double, _ y: Double, width: Double, to bottom: Double) {
        let left = x.rounded()
        let right = (x + max(1, width)).rounded()
        let top = y.rounded()
        let foot = bottom.rounded()
        text +=
            "M\(Self.unit(left)) \(Self.unit(foot))V\(Self.unit(top))H\(Self.unit(right))V\(Self.unit(foot))z"
    }

    package mutating func line(_ points: [(x: Double, y: Double)]) {
        for (index, point) in points.enumerated() {
            text += (index == 0 ? "M" : "L") + "\(Self.unit(point.x)) \(Self.unit(point.y))"
        }
    }
}

/// A small course, a hundred units wide and thirty-two high: evenly spaced, without axis or words.
package enum Sparkline {
    /// How many values it shows at most.
    static let most = 12

    /// The last twelve values, between the lowest and the highest possible; empty for fewer than two.
    package static func path(_ series: ScaleSeries) -> String { drawn(series).path }

    /// The same with its last point, as a dot of its own, for `shared/_course`.
    package static func drawn(_ series: ScaleSeries) -> (path: String, end: String) {
        let values = series.points.suffix(most).compactMap(\.score.value)
        guard values.count > 1, let low = values.min(), let high = values.max() else { return ("", "") }
        let range = series.scale.range ?? low...high
        let axis = ValueAxis(low: range.lowerBound, high: range.upperBound, height: 32)
        var path = PathText()
        let step = 100 / Double(values.count - 1)
        path.line(values.enumerated().map { (Double($0.offset) * step, axis.y($0.element)) })
        var end = PathText()
        end.dot(100, axis.y(values[values.count - 1]))
        return (path.text, end.text)
    }
}
