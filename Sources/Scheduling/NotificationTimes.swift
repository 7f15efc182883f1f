public import Wire

/// A participant's own times (TYS-6) instead of those of the leads, who still decide on the days.
public struct NotificationTimes: Sendable, Equatable {
    public enum Option: String, Sendable { case standard, custom, both }

    public struct Window: Sendable, Equatable {
        /// 1 is Monday.
        public let weekday: Int
        public let isEnabled: Bool
        public let from: ClockTime
        public let till: ClockTime

        public init(weekday: Int, isEnabled: Bool, from: ClockTime, till: ClockTime) {
            self.weekday = weekday
            self.isEnabled = isEnabled
            self.from = from
            self.till = till
        }

        /// Whether it ends on the day after it begins.
        public var isOvernight: Bool { till < from }

        /// Its end, counted from the midnight at which its day begins: 30 hours for six in the morning of the next day.
        public var end: ClockTime { isOvernight ? till.nextDay : till }

        public static let first = (from: ClockTime(minutes: 8 * 60), till: ClockTime(minutes: 22 * 60))
    }

    public struct Time: Sendable, Equatable {
        /// Nil for every day.
        public let weekday: Int?
        public let at: ClockTime
        public let isFixed: Bool

        public init(weekday: Int?, at: ClockTime, isFixed: Bool) {
            self.weekday = weekday
            self.at = at
            self.isFixed = isFixed
        }
    }

    public let option: Option
    /// The number of random prompts of a day.
    public let amount: Int
    public let windows: [Window]
    public let times: [Time]

    public init(option: Option, amount: Int, windows: [Window], times: [Time]) {
        self.option = option
        self.amount = amount
        self.windows = windows
        self.times = times
    }

    /// Whether any window ends on the day after it begins.
    public var isOvernight: Bool { option != .custom && windows.contains { $0.isEnabled && $0.isOvernight } }

    /// The prompts of one day, the earliest first; chosen ones are fixed, those of a window are random. A window over midnight
    /// belongs to the day on which it begins.
    func prompts(on drawing: DayDrawing, _ chance: inout SplitMix64) -> [Prompt] {
        let weekday = drawing.day.weekday
        let chosen = option == .standard ? [] : times
        let times = { (weekday: Int) in
            chosen.filter { $0.weekday == nil || $0.weekday == weekday }.map(\.at)
        }
        let own = times(weekday)
        var prompts = own.map { drawing.fixed($0) }
        if option != .custom, let window = windows.first(where: { $0.weekday == weekday }), window.isEnabled {
            // Those of the next morning may lie within the night.
            let next = window.isOvernight ? times(weekday % 7 + 1).map(\.nextDay) : []
            let random = drawing.random(
                amount, from: window.from, to: window.end, apartFrom: own + next, &chance)
            // After the end of the window rest is kept; a time that lies behind it was chosen nevertheless.
            let end = drawing.moment(window.end)
            prompts = (prompts + random).map { $0.at < end ? $0.quiet(from: end) : $0 }
        }
        return prompts.sorted { $0.at < $1.at }
    }
}

extension NotificationTimes {
    public var wire: NotificationPlan {
        NotificationPlan(
            option: option.rawValue, amount: amount,
            windows: windows.map {
                .init(weekday: $0.weekday, enabled: $0.isEnabled, from: $0.from.text, till: $0.till.text)
            }, times: times.map { .init(weekday: $0.weekday, at: $0.at.text, fixed: $0.isFixed) })
    }

    /// Nil for stored data of another program.
    public init?(_ wire: NotificationPlan) {
        guard let option = Option(rawValue: wire.option) else { return nil }
        let windows = wire.windows.compactMap { window -> Window? in
            guard let from = ClockTime(window.from), let till = ClockTime(window.till) else { return nil }
            return Window(weekday: window.weekday, isEnabled: window.enabled, from: from, till: till)
        }
        let times = wire.times.compactMap { time in
            ClockTime(time.at).map { Time(weekday: time.weekday, at: $0, isFixed: time.fixed) }
        }
        self.init(option: option, amount: wire.amount, windows: windows, times: times)
    }
}
