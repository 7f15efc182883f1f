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

    /// - Parameter times: of the outcomes, in days; empty where none are named: then weeks are shown.
    static func phases(_ response: StudyResponse, times: [Int], _ texts: Texts) -> [Phase] {
        let people = response.people.filter { $0.enrolment.state == .enrolled }
        guard let longest = people.map(\.day).max() else { return [] }
        let named = Array(Set(times)).sorted()
        let parts = named.isEmpty ? weeks(longest, texts) : between(named, texts)
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

    private static func between(_ times: [Int], _ texts: Texts) -> [(String, Range<Int>)] {
        let starts = [0] + times
        let parts = zip(starts, times).map { start, end in
            (texts["studies.until_day", ["n": String(end)]], start..<end)
        }
        return parts + [
            (texts["studies.after_day", ["n": String(times.last ?? 0)]], (times.last ?? 0)..<Int.max)
        ]
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
