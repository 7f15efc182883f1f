import Questionnaires
import Responses
import Scheduling
import Wire
import Wording

// The two figures that dailies give: how thinking of the therapy felt, and how often it came to mind.
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
        let values = ValueAxis(low: range.lowerBound, high: range.upperBound, height: Self.height)
        let answers = data.dailies.between(axis.from, axis.to)
        var dots = PathText()
        var line = PathText()
        var grid = PathText()
        // Years of answers fall onto the same spots: each is drawn once.
        var drawn: Set<Int> = []
        let snap = answers.count > 400 ? TimeAxis.width / Self.columns : 1
        for answer in answers {
            guard let feeling = answer.feeling else { continue }
            let x = (axis.x(answer.at) / snap).rounded() * snap
            if drawn.insert(Int(x) * 1000 + Int(feeling * 10)).inserted { dots.dot(x, values.y(feeling)) }
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
            height: Int(Self.height), labels: labels, grid: grid.text,
            layers: [.init(kind: "dots", path: dots.text), .init(kind: "line", path: line.text)], marks: [],
            table: moodTable(answers), isEmpty: dots.text.isEmpty)
    }

    /// `3,6 (11 von 21 in den letzten 7 Tagen)`.
    private func lately() -> String {
        let week = data.dailies.between(now.adding(days: -DailySeries.windowDays), now.adding(seconds: 301))
        guard let mean = DailySeries.feeling(week) else { return texts["charts.none_lately"] }
        return texts[
            "charts.lately",
            ["value": texts.number(mean.mean), "n": String(mean.n), "of": String(week.count)]]
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
        let values = ValueAxis(low: 0, high: Double(most), height: Self.height)
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
            value: compliance(), height: Int(Self.height), labels: [String(most), "0"], grid: grid.text,
            layers: [.init(kind: "outline", path: outline.text), .init(kind: "bars", path: yes.text)],
            marks: [],
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
        let share = Double(answered) / Double(delivered.count) * 100
        return texts[
            "charts.compliance",
            ["share": texts.number(share, digits: 0), "n": String(answered), "of": String(delivered.count)]]
    }
}
