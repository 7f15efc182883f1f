public import Wire

/// When a schedule stops asking (ST-2); without one it goes on as long as its study.
public enum ScheduleEnd: Sendable, Equatable {
    /// The last local day, included.
    case on(LocalDate)
    /// So many local days, which begin with the schedule's start day.
    case days(Int)
    /// So many prompts, as the schedule plans them: moved times end on the same day.
    case prompts(Int)
}

/// Days in a row on which a schedule asks, and from one begin to the next (ST-2); counted from its start day.
public struct ScheduleBurst: Sendable, Equatable {
    public let days: Int
    public let everyDays: Int

    public init(days: Int, everyDays: Int) {
        self.days = days
        self.everyDays = everyDays
    }
}

extension Schedule {
    /// The longest time for which a prompt of it can be open, in minutes.
    public var longestMinutes: Int {
        let begin =
            switch moment {
            case .fixed(let at): at
            case .between(let start, _): start
            }
        return min(validMinutes ?? ClockTime.dayMinutes, ClockTime.dayMinutes - begin.minutes)
    }

    /// Whether it asks on a day that does not lie before its first one.
    func asks(on day: LocalDate, since first: LocalDate) -> Bool {
        let number = Int(day.daysSince1970 - first.daysSince1970)
        if let burst, number % burst.everyDays >= burst.days { return false }
        return last(since: first).map { day <= $0 } ?? true
    }

    /// The last day that may have prompts; nil where none is known.
    func last(since first: LocalDate) -> LocalDate? {
        switch end {
        case .on(let day): day
        case .days(let days): first.adding(days: days - 1)
        case .prompts, nil: nil
        }
    }

    /// How many prompts it still plans from a period on; nil where their number does not end it.
    func left(from number: Int, since first: LocalDate) -> Int? {
        guard case .prompts(let all) = end else { return nil }
        var left = all
        for period in 0..<number where left > 0 { left -= planned(in: period, since: first) }
        return max(0, left)
    }

    /// How many prompts it plans in a period.
    func planned(in number: Int, since first: LocalDate) -> Int {
        let begin = period(number, from: first)
        if unit == .day { return asks(on: begin, since: first) ? amount : 0 }
        let length = Int(period(number + 1, from: first).daysSince1970 - begin.daysSince1970)
        return (0..<amount).count { asks(on: begin.adding(days: $0 * length / amount), since: first) }
    }
}

extension ScheduleEnd {
    /// Nil for none, and for stored data of another program.
    init?(_ wire: StudySchedule.Until?) {
        switch (wire?.on, wire?.days, wire?.prompts) {
        case (let day?, _, _): self = .on(day)
        case (_, let days?, _): self = .days(days)
        case (_, _, let prompts?): self = .prompts(prompts)
        case (nil, nil, nil): return nil
        }
    }

    var wire: StudySchedule.Until {
        switch self {
        case .on(let day): .init(on: day)
        case .days(let days): .init(days: days)
        case .prompts(let prompts): .init(prompts: prompts)
        }
    }
}
