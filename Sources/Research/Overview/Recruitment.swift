import Contributions
import Database
import Records
import Scheduling
import Studies
import Wire
import Wording

/// How a study fills, day by day, against the number it has planned.
struct Recruitment: Sendable {
    /// The days on which participants were taken in, with the number of all so far.
    private let course: [(day: LocalDate, people: Int)]
    /// All that were taken in, also those whose account is deleted.
    private let taken: Int
    /// Nil where no number is planned, which only a study with groups does.
    private let planned: Int?
    private let begin: LocalDate
    /// The last day that is known: today, or that of the study's end.
    private let last: LocalDate
    /// The planned end of the study.
    private let end: LocalDate?
    private let closed: LocalDate?

    private static let height = 150.0
    /// Of a thousand units, so that the last point is whole.
    private static let width = 985.0

    init(
        of study: StudyRecord, groups stored: GroupStore.Stored?, flow: StudyFlow, at now: Instant,
        in zone: Zone, _ connection: borrowing Connection
    ) throws {
        let day = { (moment: Instant) in LocalTime(moment, zone).date }
        var sum = 0
        let begins = try FlowStore.begins(of: study.id, inGroups: stored != nil, connection)
        course = Dictionary(grouping: begins) { day($0.at) }.sorted { $0.key < $1.key }.map { date, hours in
            sum += hours.reduce(0) { $0 + $1.people }
            return (date, sum)
        }
        taken = max(flow.total, sum)
        planned = stored?.groups.sampleSize
        begin = min(day(study.startsAt ?? study.createdAt), course.first?.day ?? day(now))
        end = study.endsAt.map { day($0.adding(seconds: -1)) }
        last = max(begin, min(day(now), end ?? day(now)))
        closed = stored?.closedAt.map(day)
    }

    /// The figure; nil before the first participant.
    func figure(_ texts: Texts, _ dates: DateFormat) -> ChartFrame? {
        if course.isEmpty { return nil }
        let value = planned.map { texts.count("studies.taken_of", taken, of: $0) } ?? String(taken)
        let axis = ValueAxis(
            low: 0, high: Double(max(planned ?? 0, course.last?.people ?? 0)), height: Self.height)
        var grid = PathText()
        for edge in [axis.high, axis.low] { grid.horizontal(axis.y(edge)) }
        let drawn = ChartView(
            id: "recruiting", name: texts["studies.recruiting"], reading: "", value: value,
            height: Int(Self.height), labels: [texts.number(axis.high), "0"], grid: grid.text,
            layers: layers(axis), marks: [], notes: notes(axis, texts), table: table(texts, dates),
            isEmpty: false)
        return ChartFrame(
            isTimed: false, sessions: [], days: ticks(dates), sessionLines: "", offLines: "", nextLine: "",
            pauses: "", charts: [drawn])
    }

    /// What stands below it: the end of allocation, what the plan says of today, or why it says nothing.
    func note(_ texts: Texts, _ dates: DateFormat) -> String {
        var parts: [String] = []
        if let closed { parts.append(texts["studies.closed_on", ["day": dates.day(closed)]]) }
        if let planned, closed == nil {
            parts.append(
                end == nil
                    ? texts["studies.plan_undated"]
                    : texts["studies.plan_today", ["n": String(due(on: last, of: planned))]])
        }
        if planned == nil { parts.append(texts["studies.plan_none"]) }
        let gone = taken - (course.last?.people ?? 0)
        if gone > 0 { parts.append(texts.count("studies.curve_without", gone)) }
        return parts.joined(separator: " ")
    }

    /// The number that the plan has reached on a day: as many each day from the begin to the end.
    private func due(on day: LocalDate, of planned: Int) -> Int {
        guard let end, end > begin else { return planned }
        let share = Double(day.daysSince1970 - begin.daysSince1970) / Double(span(to: end))
        return Int((Double(planned) * min(1, max(0, share))).rounded())
    }

    // MARK: Drawing

    private var right: LocalDate { max(last, end ?? last) }

    private func span(to day: LocalDate) -> Int { max(1, Int(day.daysSince1970 - begin.daysSince1970)) }

    private func x(_ day: LocalDate) -> Double {
        let share = Double(day.daysSince1970 - begin.daysSince1970) / Double(span(to: right))
        return min(1, max(0, share)) * Self.width
    }

    private func layers(_ axis: ValueAxis) -> [ChartView.Layer] {
        var plan = PathText()
        if let planned {
            let top = axis.y(Double(planned))
            plan.line([(x: 0, y: end == nil ? top : axis.y(0)), (x: end.map(x) ?? Self.width, y: top)])
        }
        var line = PathText()
        var dot = PathText()
        var points = [(x: 0.0, y: axis.y(0))]
        for step in course { points.append((x: x(step.day), y: axis.y(Double(step.people)))) }
        if let reached = points.last?.y { points.append((x: x(last), y: reached)) }
        line.line(points)
        if let now = points.last { dot.dot(now.x, now.y) }
        return [
            .init(kind: "plan", path: plan.text), .init(kind: "arm-all", path: line.text),
            .init(kind: "mean-all", path: dot.text),
        ].filter { !$0.path.isEmpty }
    }

    private func notes(_ axis: ValueAxis, _ texts: Texts) -> [ChartView.Note] {
        guard let planned else { return [] }
        let middle = end == nil ? Double(planned) : Double(planned) / 2
        let place = end.map { x($0) / 2 } ?? 500
        return [
            .init(
                x: percent(place), y: axis.y(middle) + (end == nil ? 14 : -8),
                text: texts[end == nil ? "studies.target" : "studies.plan"],
                kind: "plan")
        ]
    }

    private func percent(_ units: Double) -> String {
        let tenths = Int(units.rounded())
        return "\(tenths / 10).\(tenths % 10)%"
    }

    private func ticks(_ dates: DateFormat) -> [ChartFrame.Day] {
        let shares = [125.0, 375, 625, 875]
        let days = shares.map { begin.adding(days: Int(Double(span(to: right)) * $0 / 1000)) }
        // A study of a few days has fewer.
        return zip(days.indices, dates.numericDays(days)).compactMap { index, text in
            if index > 0, days[index] == days[index - 1] { return nil }
            return .init(x: percent(shares[index]), text: text, isMinor: index % 2 == 1)
        }
    }

    /// Week by week.
    private func table(_ texts: Texts, _ dates: DateFormat) -> ChartView.Table {
        let weeks = stride(from: 0, through: span(to: last), by: 7).map { begin.adding(days: $0) }
        let rows = weeks.map { week in
            let people = course.last { $0.day < week.adding(days: 7) }?.people ?? 0
            return ChartView.Table.Row(head: dates.day(week), cells: [String(people)])
        }
        return ChartView.Table(columns: [texts["studies.week_from"], texts["studies.taken_in"]], rows: rows)
    }
}
