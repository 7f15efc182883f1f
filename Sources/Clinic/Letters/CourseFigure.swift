import Contributions
import Scheduling
import Wire
import Wording

/// The course of a scale in a letter: a figure with its first and last day, and the change in words.
struct CourseFigure: Encodable, Sendable {
    static let width = 640.0
    static let height = 96.0
    let title: String
    let reading: String
    let line: String
    let dots: String
    let cutoff: String
    let lowest: String
    let highest: String
    let from: String
    let until: String
    /// The figure for those who do not see it, and below it for all.
    let words: String
    let basis: String

    /// Nil where there was no value until then.
    init?(
        _ course: TherapyFile.Overview.Course, until end: Instant, _ texts: Texts, _ dates: DateFormat
    ) {
        var known = course
        known.values = course.values.filter { $0.at <= end }
        guard let first = known.values.first, let last = known.values.last else { return nil }
        let drawn = CourseLine(known, width: Self.width, height: Self.height)
        // A verdict is of the newest value; one that came later is not this letter's.
        let isWhole = known.values.count == course.values.count
        title = course.title
        reading = course.reading
        line = drawn.line
        dots = drawn.dots
        cutoff = drawn.cutoff
        lowest = texts.number(drawn.lowest)
        highest = texts.number(drawn.highest)
        from = dates.day(first.at)
        until = dates.day(last.at)
        let newest = texts[
            "letters.newest", ["value": texts.number(last.value), "day": dates.day(last.at)]]
        let begin = course.begin.map {
            texts["letters.begin", ["value": texts.number($0.value), "day": dates.day($0.at)]]
        }
        let verdict = isWhole ? course.verdict.map { texts["charts.class_\($0)"] } : nil
        words = [begin, newest, verdict].compactMap(\.self).joined(separator: " · ")
        basis = course.basis
    }
}
