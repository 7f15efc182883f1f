import Instruments
import Psychometrics
import Questionnaires
import Responses
import Rules
import Scheduling
import Therapies
import Wording

// The figures of scales and of interventions.
extension Charting {
    func scale(_ series: ScaleSeries) -> ChartView {
        let scale = series.scale
        let definition = series.questionnaire.definition
        let shown = series.points.filter { axis.holds($0.at) }
        let range = self.range(series)
        let values = ValueAxis(low: range.lowerBound, high: range.upperBound, height: Self.height)
        var line = PathText()
        var marks = PathText()
        var grid = PathText()
        var band = PathText()
        var cutoff = PathText()
        let points = shown.map { (x: axis.x($0.at), y: values.y($0.score.value ?? 0)) }
        line.line(points)
        for point in points { marks.dot(point.x, point.y) }
        for value in [range.upperBound, range.lowerBound] { grid.horizontal(values.y(value)) }
        if let change = ReliableChange(scale), let begin = begin(of: series) {
            band.bar(
                0, values.y(begin + change.criterion), width: TimeAxis.width,
                to: values.y(begin - change.criterion))
        }
        if let value = scale.cutoff, range.contains(value) { cutoff.horizontal(values.y(value)) }
        let rows = shown.reversed().map { point in
            ChartView.Table.Row(
                head: dates.dayAndTime(point.at),
                cells: [
                    texts.number(point.score.value ?? 0),
                    texts.count("contributions.items", point.score.answered, of: point.score.items),
                ])
        }
        return ChartView(
            id: "scale-\(definition.key)-\(scale.key)",
            name: series.name(texts.language),
            reading: reading(scale, band: band.text, cutoff: cutoff.text), value: newest(series),
            height: Int(Self.height),
            labels: [texts.number(range.upperBound), texts.number(range.lowerBound)],
            grid: grid.text,
            layers: [
                .init(kind: "band", path: band.text), .init(kind: "cutoff", path: cutoff.text),
                .init(kind: "trend", path: line.text), .init(kind: "marks", path: marks.text),
            ], marks: [],
            table: ChartView.Table(
                columns: [texts["charts.completed"], texts["charts.value"], texts["charts.items"]],
                rows: Array(rows.prefix(Self.mostRows))), isEmpty: shown.isEmpty)
    }

    private static let mostRows = 60

    /// Of the instrument where its file says so, else of the values there are.
    private func range(_ series: ScaleSeries) -> ClosedRange<Double> {
        if let range = series.scale.range { return range }
        let values = series.points.compactMap(\.score.value)
        guard let low = values.min(), let high = values.max(), high > low else {
            let value = values.first ?? 0
            return (value - 1)...(value + 1)
        }
        return low...high
    }

    private func reading(_ scale: Scale, band: String, cutoff: String) -> String {
        var words: [String] = []
        if let isWorse = scale.higherIsWorse {
            words.append(texts[isWorse ? "charts.higher_worse" : "charts.higher_better"])
        }
        if !band.isEmpty, let change = ReliableChange(scale) {
            words.append(texts["charts.band", ["points": texts.number(change.criterion, digits: 2)]])
        }
        if !cutoff.isEmpty, let value = scale.cutoff {
            words.append(texts["charts.cutoff", ["value": texts.number(value)]])
        }
        return words.joined(separator: " · ")
    }

    private func begin(of series: ScaleSeries) -> Double? {
        ScoreChange(series, startedOn: begunOn, since: data.sessions.last, zone: dates.zone)?.begin?.score
            .value
    }

    /// `2,7 (+0,1 seit der letzten Sitzung, +1,6 seit Beginn: reliabel)`.
    private func newest(_ series: ScaleSeries) -> String {
        guard
            let change = ScoreChange(series, startedOn: begunOn, since: data.sessions.last, zone: dates.zone)
        else { return "" }
        var words: [String] = []
        if let difference = change.sinceSession {
            words.append(
                "\(ScoreFormatter(texts: texts).signed(difference)) \(texts["patients.since_session"])")
        }
        if let difference = change.sinceBegin {
            var word = "\(ScoreFormatter(texts: texts).signed(difference)) \(texts["patients.since_begin"])"
            if let reliable = ReliableChange(series.scale) {
                let key = reliable.isReliable(difference) ? "charts.reliable" : "charts.not_reliable"
                word += ": \(texts[key])"
            }
            words.append(word)
        }
        let number = texts.number(change.last.score.value ?? 0)
        let value =
            "\(number) \(texts["figures.on", ["day": dates.shortDay(LocalTime(change.last.at, dates.zone).date)]])"
        return words.isEmpty ? value : "\(value) (\(words.joined(separator: ", ")))"
    }

    // MARK: Interventions

    private static let mostMarks = 60

    func interventions() -> ChartView {
        let words = InterventionFormatter(texts: texts, dates: dates)
        let given = data.interventions.filter { $0.withdrawnAt == nil && axis.holds($0.assignedAt) }.sorted {
            $0.assignedAt < $1.assignedAt
        }
        let completed = given.count { $0.completedAt != nil }
        let marks = given.suffix(Self.mostMarks).map { record in
            ChartView.Mark(
                x: axis.percent(record.assignedAt), letter: texts["charts.letter_\(record.kind.rawValue)"],
                kind: record.kind.rawValue, isOpen: record.completedAt == nil)
        }
        let rows = given.suffix(Self.mostMarks).reversed().map { record in
            ChartView.Table.Row(
                head: dates.dayAndTime(record.assignedAt), cells: [words.kind(record), words.state(record)])
        }
        return ChartView(
            id: "interventions", name: texts["interventions.title"], reading: texts["charts.marks_reading"],
            value: texts.count("charts.completed_of", completed, of: given.count), height: 28, labels: [],
            grid: "", layers: [], marks: marks,
            table: ChartView.Table(
                columns: [texts["charts.given"], texts["charts.kind"], texts["charts.state"]], rows: rows),
            isEmpty: given.isEmpty)
    }
}
