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

/// The `d` of an SVG path, in whole units: a tenth would be invisible. It is told in steps from where the pen stands, as far as
/// they are shorter: a page of years has thousands.
package struct PathText: Sendable, Equatable {
    private struct Place: Equatable {
        let x: Int
        let y: Int

        init(_ x: Double, _ y: Double) {
            self.x = Int(x.rounded())
            self.y = Int(y.rounded())
        }
    }

    package private(set) var text: String
    /// Nil before the first move.
    private var pen: Place?

    package init(text: String = "") {
        self.text = text
    }

    /// A minus separates by itself.
    private static func pair(_ first: Int, _ second: Int) -> String {
        second < 0 ? "\(first)\(second)" : "\(first) \(second)"
    }

    private static func step(from: Place, to: Place) -> String { pair(to.x - from.x, to.y - from.y) }

    private mutating func move(to place: Place) {
        let there = Self.pair(place.x, place.y)
        let step = pen.map { Self.step(from: $0, to: place) }
        if let step, step.utf8.count <= there.utf8.count { text += "m" + step } else { text += "M" + there }
        pen = place
    }

    /// A point; with round ends and no length it shows as a dot as thick as the stroke.
    package mutating func dot(_ x: Double, _ y: Double) {
        move(to: Place(x, y))
        text += "h0"
    }

    package mutating func vertical(_ x: Double, height: Double) {
        move(to: Place(x, 0))
        let end = Place(x, height)
        text += "v\(end.y)"
        pen = end
    }

    package mutating func horizontal(_ y: Double) {
        move(to: Place(0, y))
        text += "h1000"
        pen = Place(1000, y)
    }

    package mutating func bar(_ x: Double, _ y: Double, width: Double, to bottom: Double) {
        let foot = Place(x, bottom)
        let far = Place(x + max(1, width), y)
        move(to: foot)
        text += "v\(far.y - foot.y)h\(far.x - foot.x)v\(foot.y - far.y)z"
    }

    package mutating func line(_ points: [(x: Double, y: Double)]) {
        guard var last = points.first.map({ Place($0.x, $0.y) }) else { return }
        move(to: last)
        for (index, point) in points.dropFirst().enumerated() {
            let next = Place(point.x, point.y)
            let step = Self.step(from: last, to: next)
            text += (index == 0 ? "l" : step.hasPrefix("-") ? "" : " ") + step
            last = next
        }
        pen = last
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
        drawn(series.points.compactMap(\.score.value), in: series.scale.range)
    }

    /// - Parameter range: the lowest and the highest possible value; nil where they are unknown.
    package static func drawn(_ all: [Double], in range: ClosedRange<Double>?) -> (path: String, end: String)
    {
        let values = all.suffix(most)
        guard values.count > 1, let low = values.min(), let high = values.max(), let last = values.last else {
            return ("", "")
        }
        let range = range ?? low...high
        let axis = ValueAxis(low: range.lowerBound, high: range.upperBound, height: 32)
        var path = PathText()
        let step = 100 / Double(values.count - 1)
        path.line(values.enumerated().map { (Double($0.offset) * step, axis.y($0.element)) })
        var end = PathText()
        end.dot(100, axis.y(last))
        return (path.text, end.text)
    }
}
