import Contributions
import Instruments
import Questionnaires
import Scheduling
import Wire
import Wording

/// One own value over time, for a page: a line with its last value, and the table behind it, without interpretation.
package struct CourseChart: Encodable, Sendable {
    package struct Row: Encodable, Sendable {
        package let when: String
        package let value: String
    }

    package let id: String
    package let name: String
    /// The language of the name, where it is a questionnaire's.
    package let language: String
    /// `0 bis 100, höher ist günstiger`; nil for an unknown range.
    package let range: String?
    package let value: String
    /// `von 100`, where the range begins at nought.
    package let of: String?
    /// The text for reading out instead of the figure.
    package let words: String
    package let line: String
    package let dots: String
    package let grid: String
    /// The position of the last value beside the line, in pixels.
    package let valueY: String
    package let from: String
    /// Nil with one moment only.
    package let to: String?
    /// `8 Werte`.
    package let count: String
    package let isThinned: Bool
    package let rows: [Row]
}

/// Draws the own course: old values thinned (TYT-2), the newest large.
struct CourseCharting {
    /// A value with its moment, in words too.
    struct Value {
        let at: Instant
        let number: Double
        let words: String
    }

    let texts: Texts
    let dates: DateFormat

    static let height = 110.0
    /// A margin at both ends, so that dots are whole.
    private static let edge = 12.0
    /// More rows would be unreadable.
    private static let mostRows = 160

    /// - Parameters:
    ///   - values: the oldest first.
    ///   - count: their basis, in words.
    /// - Returns: nil without any value.
    func chart(
        _ id: String, name: String, language: String, range: ClosedRange<Double>?, reading: String?,
        values: [Value], count: String, day: (Instant) -> String
    ) -> CourseChart? {
        guard let first = values.suffix(Thinning.most).first, let last = values.last else { return nil }
        let shown = Thinning.thinned(values)
        let span = range ?? spread(values)
        let axis = ValueAxis(low: span.lowerBound, high: span.upperBound, height: Self.height)
        let seconds = Double(max(1, last.at.seconds - first.at.seconds))
        let width = 1000 - 2 * Self.edge
        let points = shown.map { value in
            (
                x: first.at == last.at
                    ? 1000 - Self.edge
                    : Self.edge + Double(value.at.seconds - first.at.seconds) / seconds * width,
                y: axis.y(value.number)
            )
        }
        var line = PathText()
        var dots = PathText()
        var grid = PathText()
        line.line(points)
        for point in points { dots.dot(point.x, point.y) }
        for value in [span.upperBound, span.lowerBound] { grid.horizontal(axis.y(value)) }
        let told = [texts["course.last", ["name": name, "value": last.words]], reading]
        // Never cut off at the top or the bottom.
        let of = range.flatMap {
            $0.lowerBound == 0 ? texts["course.of", ["high": texts.number($0.upperBound)]] : nil
        }
        let valueY = min(Self.height - (of == nil ? 4 : 20), max(16, axis.y(last.number) + 6))
        return CourseChart(
            id: id, name: name, language: language, range: reading, value: last.words, of: of,
            words: told.compactMap(\.self).joined(separator: ", "), line: line.text, dots: dots.text,
            grid: grid.text, valueY: String(Int(valueY)), from: end(first.at),
            to: first.at == last.at ? nil : end(last.at), count: count, isThinned: shown.count < values.count,
            rows: values.suffix(Self.mostRows).reversed().map { .init(when: day($0.at), value: $0.words) })
    }

    private func end(_ at: Instant) -> String { dates.shortDay(LocalTime(at, dates.zone).date) }

    /// Of values without a range of their own.
    private func spread(_ values: [Value]) -> ClosedRange<Double> {
        let numbers = values.map(\.number)
        guard let low = numbers.min(), let high = numbers.max(), high > low else {
            let value = numbers.first ?? 0
            return (value - 1)...(value + 1)
        }
        return low...high
    }

    // MARK: Words

    /// `0 bis 100, höher ist günstiger`.
    func reading(_ range: ClosedRange<Double>?, higherIsWorse: Bool?) -> String? {
        let words = [
            range.map {
                texts[
                    "course.range",
                    ["low": texts.number($0.lowerBound), "high": texts.number($0.upperBound)]]
            }, higherIsWorse.map { texts[$0 ? "course.higher_worse" : "course.higher_better"] },
        ].compactMap(\.self)
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }

    /// A scale's values.
    func chart(_ series: ScaleSeries, _ language: Language) -> CourseChart? {
        let values = series.points.compactMap { point in
            point.score.value.map {
                Value(at: point.at, number: $0, words: texts.number($0))
            }
        }
        let definition = series.questionnaire.definition
        return chart(
            "\(definition.key)-\(series.scale.key)", name: series.title(language),
            language: definition.language(asked: language.rawValue), range: series.scale.range,
            reading: reading(series.scale.range, higherIsWorse: series.scale.higherIsWorse), values: values,
            count: texts.count("course.values", values.count), day: dates.short)
    }
}
