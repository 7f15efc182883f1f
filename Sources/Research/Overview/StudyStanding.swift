import Psychometrics
import Studies
import Web
import Wording

/// Where the participants of a study stand: how many are before, between and after its times of measurement.
enum StudyStanding {
    /// A part of the time since enrolling.
    struct Phase: Encodable, Sendable {
        let label: String
        let people: String
        /// Nil where nothing was asked.
        let answered: String?
        /// Its part of all that take part, in percent.
        let share: Int
    }

    /// Weeks are put together so that there are no more parts.
    private static let most = 6

    /// A time of measurement, in days since enrolling.
    struct Time: Equatable {
        let day: Int
        /// Of its time point; nil for one by the day.
        let title: String?
    }

    /// Those of the outcomes, in their order; of a time point that is counted from another date it is not known.
    static func times(_ outcomes: [TrialDesign.Outcome], _ words: OutcomeWords) -> [Time] {
        let all = outcomes.compactMap { outcome -> Time? in
            switch outcome.when {
            case .day(let day): return Time(day: day, title: nil)
            case .timePoint(let key, _):
                guard let window = words.points[key]?.window, window.anchor == .enrolment, window.day > 0
                else { return nil }
                return Time(day: window.day, title: words.title(key))
            }
        }
        // Of several on one day the first.
        return all.reduce(into: []) { times, time in
            if !times.contains(where: { $0.day == time.day }) { times.append(time) }
        }.sorted { $0.day < $1.day }
    }

    /// - Parameters:
    ///   - points: the time points that are counted from enrolling, as a line of phases; with one nothing else is looked at.
    ///   - times: of the outcomes; empty where none are named: then weeks are shown.
    static func phases(
        _ response: StudyResponse, points: [(title: String, days: ClosedRange<Int>)], times: [Time],
        _ texts: Texts
    ) -> [Phase] {
        let people = response.people.filter { $0.enrolment.state == .enrolled }
        guard let longest = people.map(\.day).max() else { return [] }
        let line = plan(points, texts)
        let parts =
            !line.isEmpty ? line : times.isEmpty ? weeks(longest, texts) : between(times, texts)
        return parts.map { label, days in
            let own = people.filter { days.contains($0.day) }
            let answered = own.reduce(0) { $0 + $1.answered }
            let prompted = own.reduce(0) { $0 + $1.prompted }
            return Phase(
                label: label, people: texts.count("studies.given", own.count),
                answered: prompted == 0
                    ? nil
                    : texts[
                        "studies.answered_part",
                        ["answered": StudyResponse.words(answered, of: prompted, texts)]],
                share: Share.percent(own.count, of: people.count))
        }
    }

    /// The time points of a study that are counted from the day of enrolling, the earliest first.
    static func points(of study: StudyRecord, _ c: Context<StudyLead>) -> [(
        title: String, days: ClosedRange<Int>
    )] {
        study.timePoints.filter { $0.window.anchor == .enrolment }.map { point in
            let first = point.window.day - point.window.before
            return (
                point.title.text(in: c.languages) ?? point.key, first...point.window.day + point.window.after
            )
        }.sorted { ($0.days.lowerBound, $0.days.upperBound) < ($1.days.lowerBound, $1.days.upperBound) }
    }

    /// The days of each time point, and those before it; where two overlap those of the one that began later. Where there are many,
    /// the days before one belong to it. Empty where all are over before the day of enrolling.
    static func plan(
        _ all: [(title: String, days: ClosedRange<Int>)], _ texts: Texts
    ) -> [(String, Range<Int>)] {
        let points = all.filter { $0.days.upperBound >= 0 }
        guard let last = points.max(by: { $0.days.upperBound < $1.days.upperBound }) else { return [] }
        let edges = Set([0] + points.flatMap { [$0.days.lowerBound, $0.days.upperBound + 1] })
            .filter { $0 >= 0 }.sorted()
        var parts: [(String, Range<Int>)] = []
        for (begin, end) in zip(edges, edges.dropFirst()) {
            let title: String
            if let open = points.last(where: { $0.days.contains(begin) }) {
                title = open.title
            } else if let next = points.first(where: { $0.days.lowerBound > begin }) {
                title =
                    points.count > most
                    ? next.title : texts["studies.until_time_point", ["title": next.title]]
            } else {
                continue
            }
            if let before = parts.last, before.0 == title {
                parts[parts.count - 1].1 = before.1.lowerBound..<end
            } else {
                parts.append((title, begin..<end))
            }
        }
        let after = texts["studies.after_time_point", ["title": last.title]]
        return parts + [(after, (last.days.upperBound + 1)..<Int.max)]
    }

    private static func between(_ times: [Time], _ texts: Texts) -> [(String, Range<Int>)] {
        let starts = [0] + times.map(\.day)
        let parts = zip(starts, times).map { start, end in
            (label("until", end, texts), start..<end.day)
        }
        return parts + times.suffix(1).map { (label("after", $0, texts), $0.day..<Int.max) }
    }

    private static func label(_ word: String, _ time: Time, _ texts: Texts) -> String {
        time.title.map { texts["studies.\(word)_time_point", ["title": $0]] }
            ?? texts["studies.\(word)_day", ["n": String(time.day)]]
    }

    private static func weeks(_ longest: Int, _ texts: Texts) -> [(String, Range<Int>)] {
        let width = longest / 7 / most + 1
        return stride(from: 0, through: longest / 7, by: width).map { week in
            let label =
                width == 1
                ? texts["studies.week", ["n": String(week + 1)]]
                : texts["studies.weeks", ["from": String(week + 1), "to": String(week + width)]]
            return (label, week * 7..<(week + width) * 7)
        }
    }
}
