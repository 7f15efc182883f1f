import Contributions
import Instruments
import Psychometrics
import Questionnaires
import Rules
import Scheduling
import Therapies
import Wording

// The figures of scales and of interventions.
extension Charting {
    /// - Parameter link: its own page; nil on that page.
    func scale(_ series: ScaleSeries, link: String?) -> ChartView {
        let scale = series.scale
        let definition = series.questionnaire.definition
        let shown = series.points.filter { axis.holds($0.at) }
        let range = self.range(series)
        let values = ValueAxis(low: range.lowerBound, high: range.upperBound, height: height)
        var line = PathText()
        var marks = PathText()
        var grid = PathText()
        var band = PathText()
        var cutoff = PathText()
        for run in ScaleSeries.runs(shown.map(\.at)) {
            line.line(shown[run].map { (x: axis.x($0.at), y: values.y($0.score.value ?? 0)) })
        }
        for point in shown { marks.dot(axis.x(point.at), values.y(point.score.value ?? 0)) }
        let steps = self.steps(range)
        for value in steps { grid.horizontal(values.y(value)) }
        if let change = ReliableChange(scale), let begin = begin(of: series) {
            band.bar(
                0, values.y(begin + change.criterion), width: TimeAxis.width,
                to: values.y(begin - change.criterion))
        }
        if let value = scale.cutoff, range.contains(value) { cutoff.horizontal(values.y(value)) }
        let words = ScoreFormatter(texts: texts)
        let behind = behind(scale, band: band.text, cutoff: cutoff.text)
        // Where there is room it is said beside the name; else behind the sign.
        let isLarge = height > Self.height
        let reading = [words.direction(scale)].compactMap(\.self) + (isLarge ? behind : [])
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
            reading: reading.joined(separator: " · "), value: newest(series),
            height: Int(height),
            labels: steps.map { texts.number($0) },
            grid: grid.text,
            layers: [
                .init(kind: "band", path: band.text), .init(kind: "cutoff", path: cutoff.text),
                .init(kind: "trend", path: line.text), .init(kind: "marks", path: marks.text),
            ], marks: [], notes: notes(shown, values), readings: readings(shown), link: link,
            how: (behind + [words.formula(scale, definition)]).joined(separator: ". "),
            table: ChartView.Table(
                columns: [texts["charts.completed"], texts["charts.value"], texts["charts.items"]],
                rows: Array(rows.prefix(Self.mostRows))), isEmpty: shown.isEmpty)
    }

    private static let mostRows = 60

    /// The marks of the value axis, from the top down: at its ends, and by quarters where it is high enough.
    private func steps(_ range: ClosedRange<Double>) -> [Double] {
        let length = range.upperBound - range.lowerBound
        let parts = height > Self.height ? 4.0 : 1.0
        return stride(from: parts, through: 0, by: -1).map { range.lowerBound + length * $0 / parts }
    }

    /// Values at their points: all of them where the figure is large and has room, the newest always.
    private func notes(_ shown: [ScorePoint], _ values: ValueAxis) -> [ChartView.Note] {
        guard let last = shown.last else { return [] }
        var notes: [ChartView.Note] = []
        // From right to left, so that what is newest has room. A number takes three hundredths of a wide figure, a tenth of one
        // on a phone.
        var wide = axis.x(last.at)
        var narrow = axis.x(last.at)
        for point in shown.reversed() {
            let x = axis.x(point.at)
            let isLast = point.id == last.id
            if !isLast, height == Self.height || wide - x < 32 { continue }
            let isRoomy = !isLast && narrow - x < 105
            if !isRoomy { narrow = x }
            wide = x
            let value = point.score.value ?? 0
            let y = values.y(value)
            notes.append(
                ChartView.Note(
                    x: axis.percent(point.at), y: y < 22 ? y + 18 : y - 8, text: texts.number(value),
                    kind: isLast ? "last" : isRoomy ? "roomy" : "value"))
        }
        return notes.reversed()
    }

    private func readings(_ shown: [ScorePoint]) -> String {
        shown.suffix(Self.mostRows).map { point in
            let basis = texts.count("contributions.items", point.score.answered, of: point.score.items)
            let value = texts.number(point.score.value ?? 0)
            return "\(axis.percent(point.at))|\(dates.dayAndTime(point.at)) · \(value) (\(basis))"
        }.joined(separator: "\n")
    }

    /// The instrument's range where its file states one, else that of the values.
    func range(_ series: ScaleSeries) -> ClosedRange<Double> {
        if let range = series.scale.range { return range }
        let values = series.points.compactMap(\.score.value)
        guard let low = values.min(), let high = values.max(), high > low else {
            let value = values.first ?? 0
            return (value - 1)...(value + 1)
        }
        return low...high
    }

    /// What is drawn behind the course.
    private func behind(_ scale: Scale, band: String, cutoff: String) -> [String] {
        var words: [String] = []
        if !band.isEmpty, let change = ReliableChange(scale) {
            words.append(texts["charts.band", ["points": texts.number(change.criterion, digits: 2)]])
        }
        if !cutoff.isEmpty, let value = scale.cutoff {
            words.append(texts["charts.cutoff", ["value": texts.number(value)]])
        }
        return words
    }

    private func begin(of series: ScaleSeries) -> Double? {
        ScoreChange(series, startedOn: begunOn, since: data.sessions.last, zone: dates.zone)?.begin?.score
            .value
    }

    /// `2,7 (+0,1 seit der letzten Sitzung, +1,6 seit Beginn: reliabel verschlechtert)`.
    private func newest(_ series: ScaleSeries) -> String {
        guard
            let change = ScoreChange(series, startedOn: begunOn, since: data.sessions.last, zone: dates.zone)
        else { return "" }
        let words = ScoreFormatter(texts: texts).changes(change, series.scale).map(\.words)
        let number = texts.number(change.last.score.value ?? 0)
        let day = dates.shortDay(LocalTime(change.last.at, dates.zone).date)
        let basis = texts.count(
            "contributions.questions", change.last.score.answered, of: change.last.score.items)
        let value = "\(number) \(texts["figures.on", ["day": day]]), \(basis)"
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
