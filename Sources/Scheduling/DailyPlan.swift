public import Wire

/// The prompts of the daily questionnaire (IO-11): one random start in each of three periods of a local day, open for
/// 30 minutes. The same seed gives the same plan.
public struct DailyPlan: Sendable {
    /// One prompt: it closes 30 real minutes after it opens, whatever the clocks do meanwhile.
    public struct Window: Sendable, Equatable {
        public let day: LocalDate
        /// 0 for 08:00-11:59, 1 for 12:00-15:59, 2 for 16:00-19:59.
        public let period: Int
        public let opens: Instant
        public let closes: Instant

        public init(day: LocalDate, period: Int, opens: Instant, closes: Instant) {
            self.day = day
            self.period = period
            self.opens = opens
            self.closes = closes
        }
    }

    public static let questionnaireKey = "intersession-daily"
    public static let daysAhead = 7
    public static let periods = 3
    public static let openSeconds: Int64 = 1800
    private static let firstHour = 8
    private static let periodMinutes = 240

    public let seed: UInt64

    public init(seed: UInt64) { self.seed = seed }

    /// The windows of one day, in order, never overlapping: a start that falls into the window before moves to its
    /// end. None on a day that is missing in the zone's calendar.
    public func windows(on day: LocalDate, _ clock: inout ZoneClock) -> [Window] {
        var chance = SplitMix64(seed ^ UInt64(bitPattern: day.daysSince1970) &* 0x9e37_79b9_7f4a_7c15)
        var windows: [Window] = []
        for period in 0..<Self.periods {
            let minute = (Self.firstHour * 60) + period * Self.periodMinutes
            let drawn = minute + chance.number(below: Self.periodMinutes)
            guard var opens = clock.instant(day, minute: drawn) else { return [] }
            if let last = windows.last, opens < last.closes { opens = last.closes }
            let closes = opens.adding(seconds: Self.openSeconds)
            windows.append(Window(day: day, period: period, opens: opens, closes: closes))
        }
        return windows
    }

    /// The coming windows after the last planned day, in order, which a phone plans itself.
    /// - Parameters:
    ///   - planned: the last day with a plan; when it is past, planning begins today.
    ///   - last: the last day to plan.
    ///   - now: windows that have begun by then are left out.
    public func windows(
        after planned: LocalDate, through last: LocalDate, at now: Instant, _ clock: inout ZoneClock
    ) -> [Window] {
        var day = max(planned.adding(days: 1), LocalTime(now, clock.zone).date)
        var windows: [Window] = []
        while day <= last {
            windows += self.windows(on: day, &clock).filter { $0.opens > now }
            day = day.adding(days: 1)
        }
        return windows
    }

    /// The period of a local time of day; nil outside of all three.
    public static func period(of local: LocalTime) -> Int? {
        let period = (local.hour - firstHour) * 60 + local.minute
        guard period >= 0, period < periods * periodMinutes else { return nil }
        return period / periodMinutes
    }
}

/// Local times of one zone as instants, each day looked up once: plans of many patients ask for the same days.
public struct ZoneClock: Sendable {
    private enum Day: Sendable {
        /// Missing in the calendar, as 30 December 2011 in Samoa.
        case missing
        /// One offset from six in the morning to midnight.
        case steady(offset: Int64)
        case changing
    }

    public let zone: Zone
    private var days: [LocalDate: Day] = [:]

    public init(_ zone: Zone) { self.zone = zone }

    /// The moment of a minute of a day; nil when the zone has no such day. A time that does not exist moves to the
    /// next that does; one that exists twice is the first.
    public mutating func instant(_ date: LocalDate, minute: Int) -> Instant? {
        switch day(date) {
        case .missing: return nil
        case .steady(let offset) where minute >= 360:
            return Instant(milliseconds: (date.daysSince1970 * 86_400 + Int64(minute) * 60 - offset) * 1000)
        case .steady, .changing: return zone.instant(date, hour: minute / 60, minute: minute % 60)
        }
    }

    private mutating func day(_ date: LocalDate) -> Day {
        if let known = days[date] { return known }
        let morning = zone.instant(date, hour: 6, minute: 0)
        let night = zone.instant(date, hour: 23, minute: 59)
        let offset = zone.offset(at: morning)
        let day: Day =
            LocalTime(morning, zone).date != date
            ? .missing : offset == zone.offset(at: night) ? .steady(offset: offset) : .changing
        days[date] = day
        return day
    }
}
