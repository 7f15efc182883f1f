import Foundation
import Wire

/// A time zone by its IANA name.
struct Zone: Sendable {
    let identifier: String
    private let zone: TimeZone

    /// An unknown name counts as UTC.
    init(_ identifier: String) {
        zone = TimeZone(identifier: identifier) ?? .gmt
        self.identifier = identifier
    }

    /// Seconds east of Greenwich.
    func offset(at instant: Instant) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant.seconds))))
    }

    /// The moment of a local time. One that does not exist moves to the next that does; of one that exists twice
    /// the first is taken.
    func instant(_ date: LocalDate, hour: Int, minute: Int) -> Instant {
        let local = date.daysSince1970 * 86_400 + Int64(hour * 3600 + minute * 60)
        let before = offset(at: Instant(milliseconds: (local - 86_400) * 1000))
        let after = offset(at: Instant(milliseconds: (local + 86_400) * 1000))
        let candidates = [local - before, local - after].sorted().map { Instant(milliseconds: $0 * 1000) }
        for candidate in candidates where candidate.seconds + offset(at: candidate) == local {
            return candidate
        }
        return change(between: candidates[0], and: candidates[1])
    }

    /// The moment the clocks change, found by halving.
    private func change(between first: Instant, and last: Instant) -> Instant {
        var (low, high) = (first.seconds, last.seconds)
        let old = offset(at: first)
        while high - low > 1 {
            let middle = (low + high) / 2
            if offset(at: Instant(milliseconds: middle * 1000)) == old { low = middle } else { high = middle }
        }
        return Instant(milliseconds: high * 1000)
    }
}

extension Fields {
    /// What `datetime-local` fields send, `2026-11-20T09:30`, in a zone; or an instant with an offset.
    func moment(_ name: String, _ zone: Zone, required: Bool = false) -> Instant? {
        guard let text = text(name, required: required) else { return nil }
        if let instant = Instant(text) { return instant }
        let parts = text.split(separator: "T")
        let clock = parts.count == 2 ? parts[1].split(separator: ":").map { Int($0) } : []
        guard let day = parts.first.flatMap({ LocalDate(String($0)) }), clock.count >= 2, let hour = clock[0],
            let minute = clock[1], (0...23).contains(hour), (0...59).contains(minute)
        else {
            refuse(name, "errors.day_and_time")
            return nil
        }
        return zone.instant(day, hour: hour, minute: minute)
    }
}

/// A moment as clocks and calendars in a zone show it.
struct LocalTime: Sendable {
    let date: LocalDate
    let hour: Int
    let minute: Int
    let second: Int

    init(_ instant: Instant, _ zone: Zone) {
        let local = instant.seconds + zone.offset(at: instant)
        let days = local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
        let rest = Int(local - days * 86_400)
        date = LocalDate(daysSince1970: days)
        (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
    }
}

/// Dates and times as people of a language read them.
struct DateFormat: Sendable {
    let language: Language
    let zone: Zone
    let today: LocalDate
    private let variant: LanguageVariant

    init(_ language: Language, _ zone: Zone, now: Instant, as variant: LanguageVariant) {
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

    static let englishMonths = [
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
    func day(_ date: LocalDate) -> String {
        switch language {
        case .german: "\(Self.pad(date.day)).\(Self.pad(date.month)).\(date.year)"
        case .english: "\(date.day) \(Self.englishMonths[date.month - 1].prefix(3)) \(date.year)"
        }
    }

    func day(_ instant: Instant) -> String { day(LocalTime(instant, zone).date) }

    /// As short as a day can be: `7.9.`, `7 Sep`.
    func numericDay(_ date: LocalDate) -> String {
        switch language {
        case .german: "\(date.day).\(date.month)."
        case .english: "\(date.day) \(Self.englishMonths[date.month - 1].prefix(3))"
        }
    }

    /// `November 2026`.
    func month(_ date: LocalDate) -> String {
        "\(monthName(date.month)) \(date.year)"
    }

    /// `Mo`, `Mon`, … Sunday last.
    var weekdays: [String] {
        language == .german
            ? Self.germanDays.map { String($0.prefix(2)) } : Self.englishDays.map { String($0.prefix(3)) }
    }

    /// `20. November 2026`, `20 November 2026`.
    func longDay(_ instant: Instant) -> String { longDay(LocalTime(instant, zone).date) }

    func longDay(_ date: LocalDate) -> String {
        switch language {
        case .german: return "\(date.day). \(monthName(date.month)) \(date.year)"
        case .english: return "\(date.day) \(monthName(date.month)) \(date.year)"
        }
    }

    /// `Dienstag, 17. November`, `Tuesday, 17 November`.
    func weekday(_ instant: Instant) -> String {
        let date = LocalTime(instant, zone).date
        switch language {
        case .german:
            return "\(Self.germanDays[date.weekday - 1]), \(date.day). \(monthName(date.month))"
        case .english:
            return "\(Self.englishDays[date.weekday - 1]), \(date.day) \(monthName(date.month))"
        }
    }

    /// `08:12`.
    func time(_ instant: Instant) -> String {
        let local = LocalTime(instant, zone)
        return "\(Self.pad(local.hour)):\(Self.pad(local.minute))"
    }

    /// `20.11.2026, 08:12`.
    func dayAndTime(_ instant: Instant) -> String { "\(day(instant)), \(time(instant))" }

    /// For lists: `heute 12:41`, `Mi 18.11. 18:20`, and with the year when it is another.
    func short(_ instant: Instant) -> String { short(LocalTime(instant, zone)) }

    func short(_ local: LocalTime) -> String {
        let clock = "\(Self.pad(local.hour)):\(Self.pad(local.minute))"
        if local.date == today { return (language == .german ? "heute " : "today ") + clock }
        return "\(shortDay(local.date)) \(clock)"
    }

    /// `Mi 18.11.`, `Wed 18 Nov`.
    func shortDay(_ date: LocalDate) -> String {
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
    func machineTime(_ instant: Instant) -> String { machineTime(LocalTime(instant, zone)) }

    func machineTime(_ local: LocalTime) -> String {
        return "\(local.date.text)T\(Self.pad(local.hour)):\(Self.pad(local.minute))"
    }

    private static func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}
