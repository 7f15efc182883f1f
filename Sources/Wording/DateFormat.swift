import Scheduling
import Wire

/// Dates and times in the notation of a language.
package struct DateFormat: Sendable {
    package let zone: Zone
    package let now: Instant
    package let today: LocalDate
    private let words: DateNotation

    /// - Parameter texts: of the language to write in.
    package init(_ texts: Texts, _ zone: Zone, now: Instant) {
        self.zone = zone
        words = texts.dates
        self.now = now
        today = LocalTime(now, zone).date
    }

    /// `20.11.2026`, `20 Nov 2026`.
    package func day(_ date: LocalDate) -> String { words.text(date, words.day) }

    package func day(_ instant: Instant) -> String { day(LocalTime(instant, zone).date) }

    /// The last day of what ends at a moment: at midnight it is the day before.
    package func lastDay(until end: Instant) -> String { day(end.adding(seconds: -1)) }

    /// As short as a day can be: `7.9.`, `7 Sep`.
    package func numericDay(_ date: LocalDate) -> String { words.text(date, words.shortDay) }

    /// The same with its year: `7.9.2026`, `7 Sep 2026`.
    package func numericDate(_ date: LocalDate) -> String { words.text(date, words.shortDayAndYear) }

    /// Days beside each other, as short as possible: the first of each year includes it where years differ.
    package func numericDays(_ days: [LocalDate]) -> [String] {
        guard days.contains(where: { $0.year != today.year }) else { return days.map(numericDay) }
        return days.enumerated().map { index, date in
            index > 0 && days[index - 1].year == date.year ? numericDay(date) : numericDate(date)
        }
    }

    /// `November 2026`.
    package func month(_ date: LocalDate) -> String { words.text(date, words.month) }

    /// `Mo`, `Mon`, … Sunday last.
    package var weekdays: [String] { words.shortWeekdays }

    /// `20. November 2026`, `20 November 2026`.
    package func longDay(_ instant: Instant) -> String { longDay(LocalTime(instant, zone).date) }

    package func longDay(_ date: LocalDate) -> String { words.text(date, words.longDay) }

    /// `17. November`, `17 November`, and with the year when it is another.
    package func plainDay(_ instant: Instant) -> String {
        let date = LocalTime(instant, zone).date
        return words.text(date, date.year == today.year ? words.longDayThisYear : words.longDay)
    }

    /// `Dienstag, 17. November`, `Tuesday, 17 November`.
    package func weekday(_ instant: Instant) -> String {
        words.text(LocalTime(instant, zone).date, words.weekday)
    }

    /// `08:12`.
    package func time(_ instant: Instant) -> String { clock(LocalTime(instant, zone)) }

    /// `20.11.2026, 08:12`.
    package func dayAndTime(_ instant: Instant) -> String { "\(day(instant)), \(time(instant))" }

    /// For lists: `heute 12:41`, `Mi 18.11. 18:20`, and with the year when it is another.
    package func short(_ instant: Instant) -> String { short(LocalTime(instant, zone)) }

    package func short(_ local: LocalTime) -> String {
        "\(local.date == today ? words.today : shortDay(local.date)) \(clock(local))"
    }

    /// `Mi 18.11.`, `Wed 18 Nov`.
    package func shortDay(_ date: LocalDate) -> String {
        words.text(date, date.year == today.year ? words.weekdayThisYear : words.weekdayOtherYear)
    }

    /// For `<time datetime>` and date fields.
    package func machineTime(_ instant: Instant) -> String { machineTime(LocalTime(instant, zone)) }

    package func machineTime(_ local: LocalTime) -> String { "\(local.date.text)T\(clock(local))" }

    private func clock(_ local: LocalTime) -> String {
        "\(DateNotation.pad(local.hour)):\(DateNotation.pad(local.minute))"
    }
}
