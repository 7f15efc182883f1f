public import Wire

/// The schedule of a study's questionnaire (TYS-4): so many prompts in every period, at a fixed time or at random
/// moments of a window. The moments follow from the enrolment and the schedule alone, so that phone, preview and
/// export agree.
public struct Schedule: Sendable, Equatable {
    public enum Unit: String, Sendable, CaseIterable {
        case day, week, month

        /// The least number of its days.
        public var days: Int { self == .day ? 1 : self == .week ? 7 : 28 }
    }
    public enum Moment: Sendable, Equatable {
        case fixed(ClockTime)
        case between(ClockTime, ClockTime)
    }

    public let moment: Moment
    /// The number of prompts of a period.
    public let amount: Int
    /// The length of a period in units.
    public let every: Int
    public let unit: Unit
    /// Days after enrolment until the first period begins.
    public let startDay: Int
    /// Nil to ask as long as the study runs.
    public var end: ScheduleEnd?
    /// Nil to ask without a break.
    public var burst: ScheduleBurst?
    /// Minutes until a prompt can no longer be answered, at most to the end of its day; nil for that end.
    public var validMinutes: Int?
    /// Minutes between two prompts of its window; nil for `PromptSpread.leastMinutesApart`.
    public var gapMinutes: Int?
    /// Minutes after the end of a prompt within which what was completed in time is taken by itself; nil for no end.
    public var graceMinutes: Int?
    /// Minutes after a prompt at which it is called again, increasing.
    public var repeatMinutes: [Int] = []

    public init(moment: Moment, amount: Int, every: Int, unit: Unit, startDay: Int) {
        self.moment = moment
        self.amount = amount
        self.every = every
        self.unit = unit
        self.startDay = startDay
    }

    /// For questionnaires without a schedule that are asked at a participant's own times.
    public static let everyDay = Schedule(
        moment: .fixed(ClockTime(minutes: 0)), amount: 1, every: 1, unit: .day, startDay: 0)

    /// Every prompt of a period of time, the earliest first.
    ///
    /// - Parameters:
    ///   - seed: of this person and questionnaire; the same gives the same moments, whatever part is requested.
    ///   - drawing: the versions by which days are drawn.
    ///   - own: the participant's own times, instead of these.
    public func prompts(
        enrolledOn day: LocalDate, _ zones: ParticipantZones, _ drawing: Drawing = .latest, seed: UInt64,
        own: NotificationTimes? = nil, from: Instant = .distantPast, until: Instant
    ) -> [Prompt] {
        var prompts: [Prompt] = []
        let first = day.adding(days: startDay)
        // A local day may begin up to two days apart between zones.
        var number = from > zones.begin(of: first) ? before(zones.day(of: from).adding(days: -2), first) : 0
        var left = left(from: number, since: first)
        let last = last(since: first)
        while prompts.count < Self.limit, left != 0 {
            let begin = period(number, from: first)
            if zones.begin(of: begin.adding(days: -2)) >= until || last.map({ $0 < begin }) ?? false { break }
            let length = Int(period(number + 1, from: first).daysSince1970 - begin.daysSince1970)
            var chance = SplitMix64(seed ^ UInt64(truncatingIfNeeded: begin.daysSince1970))
            let drawn = self.prompts(of: begin, length: length, own, &chance) {
                DayDrawing($0, zones, drawing)
            }.filter { asks(on: $0.day, since: first) }
            prompts += own == nil ? drawn.prefix(left ?? drawn.count) : drawn[...]
            left = left.map { max(0, $0 - planned(in: number, since: first)) }
            number += 1
        }
        return prompts.filter { $0.at >= from && $0.at < until }.map { $0.limited(by: self) }
    }

    /// More than a year with a prompt every half hour: limits a faulty schedule.
    private static let limit = 20_000

    /// A period that begins on or before a day; the last one or one before it.
    private func before(_ day: LocalDate, _ first: LocalDate) -> Int {
        let days = Int(day.daysSince1970 - first.daysSince1970)
        let length = unit == .day ? every : unit == .week ? 7 * every : 31 * every
        return max(0, days / length - 1)
    }

    /// The first day of a period. Months keep the day of the month, or take their last one.
    func period(_ number: Int, from first: LocalDate) -> LocalDate {
        switch unit {
        case .day: return first.adding(days: every * number)
        case .week: return first.adding(days: 7 * every * number)
        case .month:
            let months = first.year * 12 + first.month - 1 + every * number
            let year = months / 12
            let month = months % 12 + 1
            for day in stride(from: first.day, to: 27, by: -1) {
                if let date = LocalDate(year: year, month: month, day: day) { return date }
            }
            return LocalDate(year: year, month: month, day: min(first.day, 28)) ?? first
        }
    }

    /// The prompts of one period. Daily own times replace the schedule's; of others only the time changes.
    private func prompts(
        of begin: LocalDate, length: Int, _ own: NotificationTimes?, _ chance: inout SplitMix64,
        on drawing: (LocalDate) -> DayDrawing
    ) -> [Prompt] {
        if unit == .day {
            if let own { return own.prompts(on: drawing(begin), &chance) }
            if case .between(let start, let end) = moment {
                return drawing(begin).random(amount, from: start, to: end, gap: gap, &chance)
            }
        }
        let chosen = own?.times.first.map { Moment.fixed($0.at) }
        return (0..<amount).flatMap { index -> [Prompt] in
            let day = drawing(begin.adding(days: unit == .day ? 0 : index * length / amount))
            switch chosen ?? moment {
            case .fixed(let at): return [day.fixed(at)]
            case .between(let start, let end): return day.random(1, from: start, to: end, gap: gap, &chance)
            }
        }
    }

    private var gap: Int { gapMinutes ?? PromptSpread.leastMinutesApart }

    /// A number derived from the names of a person and a questionnaire (FNV-1a, 64 bits).
    public static func seed(_ names: String...) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in names.joined(separator: "/").utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
        }
        return hash
    }
}

extension Schedule {
    public var wire: StudySchedule {
        var wire = StudySchedule(
            type: "fixed", amount: amount, every: every, unit: unit.rawValue, at: nil, start: nil, end: nil,
            startDay: startDay)
        switch moment {
        case .fixed(let at): wire.at = at.text
        case .between(let start, let end):
            wire.type = "between"
            wire.start = start.text
            wire.end = end.text
        }
        wire.until = end?.wire
        wire.burst = burst.map { .init(days: $0.days, repeatEveryDays: $0.everyDays) }
        wire.expiresAfterMinutes = validMinutes
        wire.minimumGapMinutes = gapMinutes
        wire.lateGraceMinutes = graceMinutes
        wire.repeatAfterMinutes = repeatMinutes.isEmpty ? nil : repeatMinutes
        return wire
    }

    /// Nil for stored data of another program.
    public init?(_ wire: StudySchedule) {
        guard let unit = Unit(rawValue: wire.unit) else { return nil }
        switch (
            wire.at.flatMap(ClockTime.init), wire.start.flatMap(ClockTime.init),
            wire.end.flatMap(ClockTime.init)
        ) {
        case (let at?, _, _) where wire.type == "fixed": moment = .fixed(at)
        case (_, let start?, let end?) where wire.type == "between": moment = .between(start, end)
        default: return nil
        }
        amount = wire.amount
        every = wire.every
        self.unit = unit
        startDay = wire.startDay
        end = ScheduleEnd(wire.until)
        burst = wire.burst.map { ScheduleBurst(days: $0.days, everyDays: $0.repeatEveryDays) }
        validMinutes = wire.expiresAfterMinutes
        gapMinutes = wire.minimumGapMinutes
        graceMinutes = wire.lateGraceMinutes
        repeatMinutes = wire.repeatAfterMinutes ?? []
    }
}
