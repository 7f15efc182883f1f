import HTTP
import Therapies
import Wire
import Wording

/// A month of a calendar: whole weeks, Monday first.
package struct MonthGrid: Encodable, Sendable {
    package struct Visit: Encodable, Sendable {
        let time: String
        let label: String
        let path: String
        let tone: String
        /// Nil for planned ones: a colour alone conveys nothing.
        let state: String?

        package init(time: String, label: String, path: String, tone: String, state: String?) {
            self.time = time
            self.label = label
            self.path = path
            self.tone = tone
            self.state = state
        }
    }
    struct Day: Encodable, Sendable {
        let number: String
        let name: String
        let isToday: Bool
        let isOutside: Bool
        /// Whether patient or therapist is away.
        let isPaused: Bool
        let visits: [Visit]
    }
    struct Week: Encodable, Sendable {
        let days: [Day]
    }

    let title: String
    let weekdays: [String]
    let weeks: [Week]
    let previous: String
    let next: String

    /// The first day of the month that a page asks for as `2026-11`, else of this one.
    package static func month(_ query: Form, today: LocalDate) -> LocalDate {
        let near = asked(query).flatMap { abs($0.year - today.year) <= 20 ? $0 : nil }
        return near ?? today.adding(days: 1 - today.day)
    }

    package static func asked(_ query: Form) -> LocalDate? {
        query["month"].flatMap { LocalDate($0 + "-01") }
    }

    /// - Parameter visits: the entries of a day, in order.
    package init(
        _ first: LocalDate, path: String, _ dates: DateFormat, pauses: PauseSpans,
        visits: [LocalDate: [Visit]]
    ) {
        let begin = first.adding(days: 1 - first.weekday)
        var weeks: [Week] = []
        var day: LocalDate = begin
        let following = Self.shifted(first, by: 1)
        while day < following {
            let days = (0..<7).map { offset -> Day in
                let date = day.adding(days: offset)
                return Day(
                    number: String(date.day), name: dates.longDay(date), isToday: date == dates.today,
                    isOutside: date.month != first.month, isPaused: pauses.contains(date),
                    visits: visits[date] ?? [])
            }
            weeks.append(Week(days: days))
            day = day.adding(days: 7)
        }
        let address = { (month: LocalDate) in "\(path)?month=\(month.text.prefix(7))" }
        title = dates.month(first)
        weekdays = dates.weekdays
        self.weeks = weeks
        previous = address(Self.shifted(first, by: -1))
        next = address(following)
    }

    /// The first of another month.
    private static func shifted(_ first: LocalDate, by months: Int) -> LocalDate {
        let index = first.year * 12 + first.month - 1 + months
        return LocalDate(year: index / 12, month: index % 12 + 1, day: 1) ?? first
    }
}
