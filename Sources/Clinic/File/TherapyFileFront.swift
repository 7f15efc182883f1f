import Contributions
import Scheduling
import Wire
import Wording

/// The first page of the file in words (PR-39).
struct TherapyFileFront: Encodable, Sendable {
    struct Fact: Encodable, Sendable {
        let name: String
        let text: String
    }
    struct Course: Encodable, Sendable {
        let title: String
        let reading: String
        let count: String
        /// 320 wide and 80 high, by time; empty for fewer than two values.
        let path: String
        let end: String
        let begin: String
        let beginOn: String
        let last: String
        let lastOn: String
        let change: String
        let verdict: String
    }
    let dates: [Fact]
    let courses: [Course]
    let hasCourses: Bool
    /// How the verdicts are reached, each once.
    let bases: [String]
    let open: [TherapyFileView.Row]
    let hasOpen: Bool

    init(_ overview: TherapyFile.Overview, of file: TherapyFile, _ texts: Texts, _ dates: DateFormat) {
        let words = TherapyFileFrontFormatter(texts: texts, dates: dates)
        self.dates = words.facts(overview.sessions, of: file)
        courses = overview.scales.compactMap(words.course)
        hasCourses = !courses.isEmpty
        var known: Set<String> = []
        bases = overview.scales.compactMap { scale in
            known.insert(scale.basis).inserted ? scale.basis : nil
        }
        open = overview.open.map(words.open)
        hasOpen = !open.isEmpty
    }
}

private struct TherapyFileFrontFormatter {
    let texts: Texts
    let dates: DateFormat

    func facts(
        _ sessions: TherapyFile.Overview.Sessions, of file: TherapyFile
    ) -> [TherapyFileFront.Fact] {
        let day = { (date: LocalDate?) in date.map(dates.day) }
        let span = [day(sessions.firstHeldOn), day(sessions.lastHeldOn)].compactMap(\.self)
        let counts = [
            ("held", sessions.held), ("missed", sessions.missed), ("cancelled", sessions.cancelled),
        ]
        .filter { $0.0 == "held" || $0.1 > 0 }
        .map { "\($0.1) \(texts["sessions.state_\($0.0)"])" }
        let lines: [(String, String?)] = [
            ("front_taken_in", dates.day(file.takenInAt)), ("front_paired", file.pairedAt.map(dates.day)),
            ("front_started", day(file.therapyStartedOn)), ("front_planned_end", day(file.therapyEndsOn)),
            ("front_ended", day(file.therapyEndedOn)), ("sessions", counts.joined(separator: ", ")),
            (
                "front_span",
                span.isEmpty ? nil : Array(Set(span)).count == 1 ? span[0] : span.joined(separator: " – ")
            ),
            ("front_next", sessions.nextAt.map(dates.dayAndTime)),
        ]
        return lines.compactMap { key, text in
            text.map { TherapyFileFront.Fact(name: texts["therapy_file.\(key)"], text: $0) }
        }
    }

    func course(_ course: TherapyFile.Overview.Course) -> TherapyFileFront.Course? {
        guard let last = course.values.last else { return nil }
        let drawn = CourseLine(course, width: 320, height: 80)
        let change = course.change.map { ScoreFormatter(texts: texts).signed($0) }
        let verdict =
            course.begin == nil
            ? texts["charts.first_value"]
            : texts[course.verdict.map { "charts.class_\($0)" } ?? "charts.no_figures"]
        return TherapyFileFront.Course(
            title: course.title, reading: course.reading, count: String(course.values.count),
            path: drawn.line, end: drawn.end, begin: course.begin.map { texts.number($0.value) } ?? "–",
            beginOn: course.begin.map { dates.day($0.at) } ?? "", last: texts.number(last.value),
            lastOn: dates.day(last.at), change: change ?? "–", verdict: verdict)
    }

    func open(_ open: TherapyFile.Overview.Open) -> TherapyFileView.Row {
        let until = open.until.map { texts["therapy_file.open_until", ["at": dates.dayAndTime($0)]] }
        return TherapyFileView.Row(
            when: dates.day(open.since), text: "\(texts["therapy_file.open_\(open.kind)"]): \(open.title)",
            more: until)
    }
}

/// A course drawn by time, between the lowest and the highest possible value.
struct CourseLine {
    let line: String
    /// The newest value, as a dot.
    let end: String
    /// All values, as dots.
    let dots: String
    /// The cut-off across; empty where it is unknown.
    let cutoff: String
    let lowest: Double
    let highest: Double

    init(_ course: TherapyFile.Overview.Course, width: Double, height: Double) {
        let values = course.values
        let low = course.lowest ?? values.map(\.value).min() ?? 0
        let high = course.highest ?? values.map(\.value).max() ?? 1
        lowest = low
        highest = high
        let axis = ValueAxis(low: low, high: high, height: height)
        let from = values.first?.at.seconds ?? 0
        let length = Double(max(1, (values.last?.at.seconds ?? 0) - from))
        let points = values.map { value in
            (x: Double(value.at.seconds - from) / length * width, y: axis.y(value.value))
        }
        var line = PathText()
        for run in ScaleSeries.runs(values.map(\.at)) { line.line(Array(points[run])) }
        self.line = values.count > 1 ? line.text : ""
        var dots = PathText()
        for point in points { dots.dot(point.x, point.y) }
        self.dots = dots.text
        var end = PathText()
        if let last = points.last, values.count > 1 { end.dot(last.x, last.y) }
        self.end = end.text
        cutoff = course.cutoff.map { "M0 \(Int(axis.y($0).rounded()))H\(Int(width))" } ?? ""
    }
}
