import Contributions
import Delivery
import Questionnaires
import Scheduling
import Therapies
import Wire
import Wording

/// The same answers by days since the last session, all intervals overlaid.
struct DayCharting: Sendable {
    let data: ChartData
    let texts: Texts
    let dates: DateFormat

    /// Later days are counted together.
    static let lastDay = 14
    /// The least answers for a day's mean: fewer would say little.
    static let least = 5

    struct Day: Sendable {
        var answers: [DailySeries.Answer] = []
        var delivered = 0
        var answered = 0
    }

    /// By day, 0 for the day of the session; nil before the first session.
    static func day(of at: Instant, after starts: [Instant], _ zone: Zone) -> Int? {
        guard let session = starts.last(where: { $0 <= at }) else { return nil }
        let from = LocalTime(session, zone).date
        let to = LocalTime(at, zone).date
        return min(lastDay, Int(to.daysSince1970 - from.daysSince1970))
    }

    func days() -> [Day] {
        let starts = data.sessions.held.map(\.session.startsAt)
        var days = [Day](repeating: Day(), count: Self.lastDay + 1)
        for answer in data.dailies.answers {
            guard let day = Self.day(of: answer.at, after: starts, dates.zone) else { continue }
            days[day].answers.append(answer)
        }
        for slot in data.slots where slot.isDelivered {
            guard let day = Self.day(of: slot.at, after: starts, dates.zone) else { continue }
            days[day].delivered += 1
            if slot.isAnswered { days[day].answered += 1 }
        }
        while let last = days.last, last.answers.isEmpty, last.delivered == 0, days.count > 1 {
            days.removeLast()
        }
        return days
    }

    func sheet() -> ChartFrame {
        let days = days()
        let width = TimeAxis.width / Double(days.count)
        let marks = days.indices.map { index in
            let tenths = Int((Double(index) + 0.5) * width)
            return ChartFrame.Day(
                x: "\(tenths / 10).\(tenths % 10)%",
                text: index == Self.lastDay ? "\(index)+" : String(index), isMinor: index % 2 == 1)
        }
        return ChartFrame(
            isTimed: false, sessions: [], days: marks, sessionLines: "", offLines: "", nextLine: "",
            pauses: "",
            charts: [mood(days, width), thoughts(days, width)])
    }

    private func mood(_ days: [Day], _ width: Double) -> ChartView {
        let range = data.daily?.question("feeling")?.possibleRange ?? 1...5
        let values = ValueAxis(low: range.lowerBound, high: range.upperBound, height: Charting.height)
        var marks = PathText()
        var line = PathText()
        var grid = PathText()
        var part = [(x: Double, y: Double)]()
        for (index, day) in days.enumerated() {
            guard let mean = DailySeries.feeling(day.answers), mean.n >= Self.least else {
                line.line(part)
                part = []
                continue
            }
            let point = (x: (Double(index) + 0.5) * width, y: values.y(mean.mean))
            marks.dot(point.x, point.y)
            part.append(point)
        }
        line.line(part)
        for value in [range.upperBound, range.lowerBound] { grid.horizontal(values.y(value)) }
        let rows = days.enumerated().map { index, day in
            let mean = DailySeries.feeling(day.answers)
            let isFew = mean.map { $0.n < Self.least } ?? false
            let text =
                isFew
                ? "– (\(texts.count("contributions.items", mean?.n ?? 0, of: day.answers.count)))"
                : texts.mean(mean, of: day.answers.count)
            return ChartView.Table.Row(head: name(index), cells: [text])
        }
        return ChartView(
            id: "mood", name: texts["charts.mood"],
            reading: texts["charts.days_mood_reading", ["n": String(Self.least)]], value: "",
            height: Int(Charting.height),
            labels: [texts.number(range.upperBound), texts.number(range.lowerBound)],
            grid: grid.text,
            layers: [.init(kind: "line", path: line.text), .init(kind: "marks", path: marks.text)], marks: [],
            table: ChartView.Table(columns: [texts["charts.day"], texts["charts.mean_n"]], rows: rows),
            isEmpty: marks.text.isEmpty)
    }

    private func thoughts(_ days: [Day], _ width: Double) -> ChartView {
        let values = ValueAxis(low: 0, high: 100, height: Charting.height)
        var bars = PathText()
        var grid = PathText()
        for (index, day) in days.enumerated() where day.answers.count >= Self.least {
            let share = Double(day.answers.count(where: \.thought)) / Double(day.answers.count) * 100
            bars.bar(
                (Double(index) + 0.2) * width, values.y(share), width: width * 0.6, to: values.y(0))
        }
        for value in [0.0, 100] { grid.horizontal(values.y(value)) }
        let rows = days.enumerated().map { index, day in
            ChartView.Table.Row(
                head: name(index),
                cells: [
                    texts.count(
                        "timeline.n_of", day.answers.count(where: \.thought), of: day.answers.count),
                    texts.count("timeline.n_of", day.answered, of: day.delivered),
                ])
        }
        return ChartView(
            id: "thoughts", name: texts["charts.thoughts"],
            reading: texts["charts.days_thoughts_reading", ["n": String(Self.least)]], value: "",
            height: Int(Charting.height), labels: ["100 %", "0 %"], grid: grid.text,
            layers: [.init(kind: "bars", path: bars.text)], marks: [],
            table: ChartView.Table(
                columns: [texts["charts.day"], texts["charts.thoughts_yes"], texts["charts.answered"]],
                rows: rows), isEmpty: bars.text.isEmpty)
    }

    private func name(_ day: Int) -> String {
        day == Self.lastDay ? texts["charts.days_more", ["n": String(day)]] : String(day)
    }
}
