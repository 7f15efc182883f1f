import Contributions
import Delivery
import Psychometrics
import Questionnaires
import Scheduling
import Wire
import Wording

// The two figures of dailies: how thinking of the therapy felt, and how often it came to mind.
extension Charting {
    private static let columns = 250.0
    private static let steps = 160

    /// The ends of the answers to one question, in the words of the questionnaire, from the highest on.
    private func ends(_ scale: String) -> (range: ClosedRange<Double>, labels: [String])? {
        guard let definition = data.daily, let question = definition.question(scale),
            let range = question.possibleRange
        else { return nil }
        let language = definition.language(asked: texts.language.rawValue)
        let middle = (range.lowerBound + range.upperBound) / 2
        let labels = [range.upperBound, middle, range.lowerBound].map { value in
            question.options.first { $0.value == value }?.text[language].map(
                TimelineFormatter.withoutExamples)
                ?? texts.number(value)
        }
        return (range, labels)
    }

    func mood() -> ChartView {
        let (range, labels) = ends("feeling") ?? (1...5, ["5", "3", "1"])
        let values = ValueAxis(low: range.lowerBound, high: range.upperBound, height: height)
        let answers = data.dailies.between(axis.from, axis.to)
        var line = PathText()
        var grid = PathText()
        // Many answers fall onto the same spots: each is drawn once, larger for several.
        var spots: [Int: Int] = [:]
        let snap = answers.count > 400 ? TimeAxis.width / Self.columns : 1
        for answer in answers {
            guard let feeling = answer.feeling else { continue }
            let x = (axis.x(answer.at) / snap).rounded() * snap
            spots[Int(x) * 1000 + Int(feeling * 10), default: 0] += 1
        }
        var dots = [PathText](repeating: PathText(), count: 3)
        // Row by row: the steps within one are short.
        for (spot, count) in spots.sorted(by: { ($0.key % 1000, $0.key) < ($1.key % 1000, $1.key) }) {
            let size = count == 1 ? 0 : count < 4 ? 1 : 2
            dots[size].dot(Double(spot / 1000), values.y(Double(spot % 1000) / 10))
        }
        for part in data.dailies.movingMean(axis, until: now, steps: Self.steps) {
            line.line(part.map { (axis.x($0.at), values.y($0.mean)) })
        }
        for value in [range.upperBound, (range.lowerBound + range.upperBound) / 2, range.lowerBound] {
            grid.horizontal(values.y(value))
        }
        return ChartView(
            id: "mood", name: texts["charts.mood"],
            reading: texts["charts.mood_reading", ["n": String(DailySeries.least)]], value: lately(),
            height: Int(height), labels: labels, grid: grid.text,
            layers: zip(["dots", "dots-few", "dots-many"], dots).map { .init(kind: $0, path: $1.text) }
                + [.init(kind: "line", path: line.text)], marks: [], notes: lastMean(values),
            readings: moodReadings(answers), table: moodTable(answers), isEmpty: spots.isEmpty)
    }

    /// `3,6 (11 von 21 in den letzten 7 Tagen)`.
    private func lately() -> String {
        let week = data.dailies.between(now.adding(days: -DailySeries.windowDays), now.adding(seconds: 301))
        guard let mean = DailySeries.feeling(week) else { return texts["charts.none_lately"] }
        return texts[
            "charts.lately",
            ["value": texts.number(mean.mean), "n": String(mean.n), "of": String(week.count)]]
    }

    /// The mean at the end of its line, where the line reaches the end.
    private func lastMean(_ values: ValueAxis) -> [ChartView.Note] {
        let week = data.dailies.between(now.adding(days: -DailySeries.windowDays), now.adding(seconds: 301))
        guard axis.holds(now), let mean = DailySeries.feeling(week), mean.n >= DailySeries.least else {
            return []
        }
        return [
            ChartView.Note(
                x: axis.percent(now), y: values.y(mean.mean) - 6, text: texts.number(mean.mean), kind: "last")
        ]
    }

    /// The table's text of each bucket, at its position.
    private func moodReadings(_ answers: [DailySeries.Answer]) -> String {
        let groups = Dictionary(grouping: answers) { buckets.begin(of: $0.at) }
        return readings(groups.keys) { begin in
            texts.mean(DailySeries.feeling(groups[begin] ?? []), of: groups[begin]?.count ?? 0)
        }
    }

    private func readings(
        _ begins: some Collection<LocalDate>, _ words: (LocalDate) -> String
    ) -> String {
        begins.sorted().map { begin in
            let (from, to) = buckets.span(begin)
            let middle = from.adding(seconds: (to.seconds - from.seconds) / 2)
            return "\(axis.percent(middle))|\(bucketName(begin)) · \(words(begin))"
        }.joined(separator: "\n")
    }

    private func moodTable(_ answers: [DailySeries.Answer]) -> ChartView.Table {
        let groups = Dictionary(grouping: answers) { buckets.begin(of: $0.at) }
        let rows = groups.keys.sorted(by: >).map { begin -> (begin: LocalDate, cells: [String]) in
            let answers = groups[begin] ?? []
            return (begin, [texts.mean(DailySeries.feeling(answers), of: answers.count)])
        }
        return table([texts["charts.mean_n"]], rows)
    }

    // MARK: Thoughts

    func thoughts() -> ChartView {
        let counts = bucketCounts()
        let most = max(
            buckets.unit == .day ? DailyPlan.periods : 1, counts.values.map(\.delivered).max() ?? 1)
        let values = ValueAxis(low: 0, high: Double(most), height: height)
        var yes = PathText()
        var outline = PathText()
        var grid = PathText()
        for (begin, count) in counts.sorted(by: { $0.key < $1.key }) where count.answered > 0 {
            let (from, to) = buckets.span(begin)
            let left = axis.x(from)
            let right = axis.x(to)
            let inset = (right - left) * 0.15
            let x = left + inset
            let width = right - left - 2 * inset
            outline.bar(x, values.y(Double(count.answered)), width: width, to: values.y(0))
            if count.yes > 0 { yes.bar(x, values.y(Double(count.yes)), width: width, to: values.y(0)) }
        }
        for value in [0, Double(most)] { grid.horizontal(values.y(value)) }
        let rows = counts.keys.sorted(by: >).map { begin -> (begin: LocalDate, cells: [String]) in
            let count = counts[begin] ?? Count()
            return (begin, [String(count.yes), String(count.answered), String(count.delivered)])
        }
        return ChartView(
            id: "thoughts", name: texts["charts.thoughts"], reading: texts["charts.thoughts_reading"],
            value: compliance(), height: Int(height), labels: [String(most), "0"], grid: grid.text,
            layers: [.init(kind: "outline", path: outline.text), .init(kind: "bars", path: yes.text)],
            marks: [],
            readings: readings(counts.keys) { begin in
                let count = counts[begin] ?? Count()
                return texts.share(count.yes, of: count.answered)
            },
            table: table(
                [texts["charts.thoughts_yes"], texts["charts.answered"], texts["charts.delivered"]], rows),
            isEmpty: counts.isEmpty)
    }

    struct Count: Sendable {
        var yes = 0
        var answered = 0
        var delivered = 0
    }

    private func bucketCounts() -> [LocalDate: Count] {
        var counts: [LocalDate: Count] = [:]
        for slot in data.slots where slot.isDelivered && axis.holds(slot.at) {
            counts[buckets.begin(of: slot.at), default: Count()].delivered += 1
        }
        for answer in data.dailies.between(axis.from, axis.to) {
            let begin = buckets.begin(of: answer.at)
            counts[begin, default: Count()].answered += 1
            if answer.thought { counts[begin, default: Count()].yes += 1 }
        }
        return counts
    }

    /// `91 % von 255 zugestellten beantwortet`.
    private func compliance() -> String {
        let delivered = data.slots.filter { $0.isDelivered && axis.holds($0.at) }
        guard !delivered.isEmpty else { return "" }
        let answered = delivered.count(where: \.isAnswered)
        let share = Double(Share.percent(answered, of: delivered.count))
        return texts[
            "charts.compliance",
            ["share": texts.number(share, digits: 0), "n": String(answered), "of": String(delivered.count)]]
    }
}
