import Psychometrics
import Studies
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

    /// - Parameter times: of the outcomes; empty where none are named: then weeks are shown.
    static func phases(_ response: StudyResponse, times: [Time], _ texts: Texts) -> [Phase] {
        let people = response.people.filter { $0.enrolment.state == .enrolled }
        guard let longest = people.map(\.day).max() else { return [] }
        let parts = times.isEmpty ? weeks(longest, texts) : between(times, texts)
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
