import Scheduling
import Wire

/// Dates and times as people of a language read them.
package struct DateFormat: Sendable {
    package let language: Language
    package let zone: Zone
    package let today: LocalDate
    private let variant: LanguageVariant

    package init(_ language: Language, _ zone: Zone, now: Instant, as variant: LanguageVariant) {
        self.language = language
        self.zone = zone
        self.variant = variant
        today = LocalTime(now, zone).date
    }

    private func monthName(_ month: Int) -> String {
        switch language {
        case .german: month == 1 && variant == .austria ? "Jänner" : Self.germanMonths[month - 1]
        case .english: Self.englishMonths[month - 1]
        }
    }

    package static let englishMonths = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
        "November", "December",
    ]
    private static let germanMonths = [
        "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober",
        "November", "Dezember",
    ]
    private static let germanDays = [
        "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag",
    ]
    private static let englishDays = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]

    /// `20.11.2026`, `20 Nov 2026`.
    package func day(_ date: LocalDate) -> String {
        switch language {
        case .german: "\(Self.pad(date.day)).\(Self.pad(date.month)).\(date.year)"
        case .english: "\(date.day) \(Self.englishMonths[date.month - 1].prefix(3)) \(date.year)"
        }
    }

    package func day(_ instant: Instant) -> String { day(LocalTime(instant, zone).date) }

    /// As short as a day can be: `7.9.`, `7 Sep`.
    package func numericDay(_ date: LocalDate) -> String {
        switch language {
        case .german: "\(date.day).\(date.month)."
        case .english: "\(date.day) \(Self.englishMonths[date.month - 1].prefix(3))"
        }
    }

    /// `November 2026`.
    package func month(_ date: LocalDate) -> String {
        "\(monthName(date.month)) \(date.year)"
    }

    /// `Mo`, `Mon`, … Sunday last.
    package var weekdays: [String] {
        language == .german
            ? Self.germanDays.map { String($0.prefix(2)) } : Self.englishDays.map { String($0.prefix(3)) }
    }

    /// `20. November 2026`, `20 November 2026`.
    package func longDay(_ instant: Instant) -> String { longDay(LocalTime(instant, zone).date) }

    package func longDay(_ date: LocalDate) -> String {
        switch language {
        case .german: return "\(date.day). \(monthName(date.month)) \(date.year)"
        case .english: return "\(date.day) \(monthName(date.month)) \(date.year)"
        }
    }

    /// `Dienstag, 17. November`, `Tuesday, 17 November`.
    package func weekday(_ instant: Instant) -> String {
        let date = LocalTime(instant, zone).date
        switch language {
        case .german:
            return "\(Self.germanDays[date.weekday - 1]), \(date.day). \(monthName(date.month))"
        case .english:
            return "\(Self.englishDays[date.weekday - 1]), \(date.day) \(monthName(date.month))"
        }
    }

    /// `08:12`.
    package func time(_ instant: Instant) -> String {
        let local = LocalTime(instant, zone)
        return "\(Self.pad(local.hour)):\(Self.pad(local.minute))"
    }

    /// `20.11.2026, 08:12`.
    package func dayAndTime(_ instant: Instant) -> String { "\(day(instant)), \(time(instant))" }

    /// For lists: `heute 12:41`, `Mi 18.11. 18:20`, and with the year when it is another.
    package func short(_ instant: Instant) -> String { short(LocalTime(instant, zone)) }

    package func short(_ local: LocalTime) -> String {
        let clock = "\(Self.pad(local.hour)):\(Self.pad(local.minute))"
        if local.date == today { return (language == .german ? "heute " : "today ") + clock }
        return "\(shortDay(local.date)) \(clock)"
    }

    /// `Mi 18.11.`, `Wed 18 Nov`.
    package func shortDay(_ date: LocalDate) -> String {
        let isThisYear = date.year == today.year
        switch language {
        case .german:
            let name = Self.germanDays[date.weekday - 1].prefix(2)
            return
                "\(name) \(Self.pad(date.day)).\(Self.pad(date.month)).\(isThisYear ? "" : String(date.year))"
        case .english:
            let name = Self.englishDays[date.weekday - 1].prefix(3)
            let month = Self.englishMonths[date.month - 1].prefix(3)
            return "\(name) \(date.day) \(month)\(isThisYear ? "" : " \(date.year)")"
        }
    }

    /// For `<time datetime>` and date fields.
    package func machineTime(_ instant: Instant) -> String { machineTime(LocalTime(instant, zone)) }

    package func machineTime(_ local: LocalTime) -> String {
        return "\(local.date.text)T\(Self.pad(local.hour)):\(Self.pad(local.minute))"
    }

    private static func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}
