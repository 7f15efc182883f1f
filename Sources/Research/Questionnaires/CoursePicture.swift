import Contributions
import Instruments
import Questionnaires
import Scheduling
import Studies
import Web
import Wire
import Wording

/// The whole course of a participant as a picture, before there is any (ST-1): a line for each questionnaire over the days since
/// enrolling, and over those since each date that is known only later.
package struct CoursePicture: Encodable, Sendable {
    /// What is counted from one date.
    package struct Part: Encodable, Sendable {
        package let title: String
        package let frame: ChartFrame
    }

    package let parts: [Part]
    /// On which day the study ends for a participant of today; nil where that is later than the plan.
    package let end: String?

    private static let height = 28.0
    /// Of a thousand units, so that what lies at the edge is whole.
    private static let width = 990.0
    /// Without an end of its own a plan is drawn for four weeks.
    private static let least = 27

    /// One questionnaire with its words.
    struct Line {
        let item: StudyItem
        let title: String
        let words: String
    }

    /// Nil where nothing is asked.
    init?(_ lines: [Line], of study: StudyRecord, _ c: Context<StudyLead>) {
        let asked = lines.filter { $0.item.deactivatedAt == nil }
        if asked.isEmpty { return nil }
        let today = c.dates.today
        let groups = Self.groups(asked, study)
        let drawn = groups.map { Drawn($0, from: today, c) }
        parts = zip(groups, drawn).map { group, drawn in
            Part(title: Self.title(group, c), frame: drawn.frame(c))
        }
        let last = study.endsAt.map {
            Int(LocalTime($0.adding(seconds: -1), c.dates.zone).date.daysSince1970 - today.daysSince1970)
        }
        let enrolled = zip(groups, drawn).first { $0.0.isFromEnrolment }?.1.days.upperBound
        end = last.flatMap { last in
            guard last >= 0, let enrolled, last < enrolled else { return nil }
            return c.texts["studies.course_end", ["n": String(last)]]
        }
    }

    /// What is counted from the same date.
    private struct Group {
        /// Nil for the day of enrolling, and dates for all.
        let point: TimePoint?
        var lines: [(line: Line, point: TimePoint?)]

        var isFromEnrolment: Bool { point == nil }
    }

    /// What is counted from enrolling comes first; the rest as the study lists its time points. Dates of the therapy are one for all
    /// time points, those that leads enter one for each.
    private static func groups(_ lines: [Line], _ study: StudyRecord) -> [Group] {
        var groups = [Group(point: nil, lines: [])]
        let placed = lines.map { line in
            (line: line, point: line.item.timePoint.flatMap { study.timePoints[$0] })
        }
        groups[0].lines = placed.filter { !($0.point?.window.anchor.isOwn ?? false) }
        for point in study.timePoints where point.window.anchor.isOwn {
            let own = placed.filter { $0.point?.key == point.key }
            if own.isEmpty { continue }
            let place = groups.firstIndex {
                $0.point?.window.anchor == point.window.anchor && point.window.anchor.isOfTherapy
            }
            if let place {
                groups[place].lines += own
            } else {
                groups.append(Group(point: point, lines: own))
            }
        }
        return groups.filter { !$0.lines.isEmpty }
    }

    private static func title(_ group: Group, _ c: Context<StudyLead>) -> String {
        guard let point = group.point else { return c.texts["studies.course_from_enrolment"] }
        return c.texts[
            "studies.course_from_\(point.window.anchor.rawValue)",
            ["title": TimePointPages.title(point, c)]]
    }

    /// The days of one group.
    private struct Drawn {
        let lines: [(line: Line, point: TimePoint?, plan: PlannedDays)]
        let days: ClosedRange<Int>

        init(_ group: Group, from today: LocalDate, _ c: Context<StudyLead>) {
            let anchor = { (point: TimePoint?) in
                point.flatMap { $0.window.date(enrolledOn: today, entered: today) } ?? today
            }
            let plans = { (days: Int) in
                group.lines.map { line, point in
                    let plan = line.item.planned(
                        at: point, from: anchor(point), zero: today, in: c.dates.zone, days: days)
                    return (line: line, point: point, plan: plan)
                }
            }
            let first = plans(least)
            let last = max(least * (group.isFromEnrolment ? 1 : 0), first.compactMap(\.plan.last).max() ?? 0)
            // A date for all may lie long ago, or far ahead: what is over, or out of sight, is not drawn.
            let begins = first.flatMap { [$0.plan.window?.lowerBound, $0.plan.prompts.keys.min()] }
                .compactMap(\.self)
            let begin = group.isFromEnrolment ? 0 : max(min(0, begins.min() ?? 0), -PlannedDays.most)
            days = begin...max(begin, min(last, PlannedDays.most))
            lines = last > least ? plans(last) : first
        }

        func frame(_ c: Context<StudyLead>) -> ChartFrame {
            ChartFrame(
                isTimed: false, sessions: [], days: ticks(c.texts), sessionLines: "", offLines: "",
                nextLine: "",
                pauses: "", axisName: c.texts["studies.course_day"],
                charts: lines.map { line, point, plan in
                    let title = point.map { "\(line.title) · \(TimePointPages.title($0, c))" } ?? line.title
                    let isOnetime = line.item.isOnetime && plan.window == nil
                    return chart(of: plan, title, reading: line.words, isOnetime: isOnetime, c.texts)
                })
        }

        private func x(_ day: Int) -> Double {
            let share = Double(day - days.lowerBound) / Double(days.count)
            return min(1, max(0, share)) * CoursePicture.width
        }

        /// A few days of even distance, each under its own place.
        private func ticks(_ texts: Texts) -> [ChartFrame.Day] {
            let step = [1, 2, 5, 7, 14, 28, 30, 60, 90].first { days.count / $0 <= 9 } ?? 120
            let marked = days.filter { $0.isMultiple(of: step) }
            return marked.enumerated().map { place, day in
                let tenths = Int(x(day).rounded()) + Int(CoursePicture.width / Double(days.count) / 2)
                return .init(
                    x: "\(tenths / 10).\(tenths % 10)%", text: texts.number(Double(day)),
                    isMinor: !place.isMultiple(of: 2))
            }
        }

        private func chart(
            of plan: PlannedDays, _ title: String, reading: String, isOnetime: Bool, _ texts: Texts
        ) -> ChartView {
            var band = PathText()
            if let window = plan.window, window.overlaps(days) {
                band.bar(
                    x(window.lowerBound), 2, width: x(window.upperBound + 1) - x(window.lowerBound),
                    to: CoursePicture.height - 2)
            }
            var asks = PathText()
            let shown = plan.prompts.filter { days.contains($0.key) }
            for run in Self.runs(shown) {
                asks.bar(
                    x(run.days.lowerBound), 8, width: x(run.days.upperBound + 1) - x(run.days.lowerBound),
                    to: CoursePicture.height - 8)
            }
            var free = PathText()
            if plan.prompts.isEmpty, plan.window == nil { free.horizontal(CoursePicture.height / 2) }
            let total = shown.values.reduce(0, +)
            let value = words(of: plan, total, isOnetime: isOnetime, texts)
            return ChartView(
                id: "asks", name: title, reading: reading, value: value,
                height: Int(CoursePicture.height), labels: [], grid: "",
                layers: [
                    .init(kind: "window", path: band.text), .init(kind: "asks", path: asks.text),
                    .init(kind: "plan", path: free.text),
                ].filter { !$0.path.isEmpty }, marks: [],
                table: .init(
                    columns: [texts["studies.course_days"], texts["studies.course_prompts_day"]],
                    rows: Self.runs(shown).map { run in
                        let first = texts.number(Double(run.days.lowerBound))
                        let last = texts.number(Double(run.days.upperBound))
                        return .init(
                            head: first == last ? first : "\(first) – \(last)", cells: [String(run.prompts)])
                    }), isEmpty: false)
        }

        /// How often it is asked; empty where that is at will.
        private func words(
            of plan: PlannedDays, _ total: Int, isOnetime: Bool, _ texts: Texts
        ) -> String {
            if let window = plan.window, !window.overlaps(days) {
                return texts[
                    "studies.course_out_of_sight",
                    [
                        "from": texts.number(Double(window.lowerBound)),
                        "to": texts.number(Double(window.upperBound)),
                    ]]
            }
            if total == 0 { return "" }
            if isOnetime { return texts["studies.course_until_answer"] }
            return plan.isEndless
                ? texts.count("studies.course_prompts_on", total)
                : texts.count("studies.course_prompts", total)
        }

        /// Days in a row with the same number of prompts.
        private static func runs(_ prompts: [Int: Int]) -> [(days: ClosedRange<Int>, prompts: Int)] {
            var runs: [(days: ClosedRange<Int>, prompts: Int)] = []
            for (day, number) in prompts.sorted(by: { $0.key < $1.key }) {
                if let last = runs.last, last.days.upperBound == day - 1, last.prompts == number {
                    runs[runs.count - 1].days = last.days.lowerBound...day
                } else {
                    runs.append((day...day, number))
                }
            }
            return runs
        }
    }
}
