import JSON
import Scheduling
import Web
import Wire

extension NotificationTimes {
    /// The times set by the leads, for a participant without a choice.
    package init(_ item: StudyItem) {
        let daily = item.schedules.filter { $0.unit == .day }
        let schedules = daily.isEmpty ? item.schedules : daily
        let isFixed = !item.isScheduleChangeable
        let times = schedules.compactMap { schedule -> Time? in
            guard case .fixed(let at) = schedule.moment else { return nil }
            return Time(weekday: nil, at: at, isFixed: isFixed)
        }
        let windows = schedules.compactMap { schedule -> (amount: Int, from: ClockTime, till: ClockTime)? in
            guard case .between(let from, let till) = schedule.moment else { return nil }
            return (schedule.amount, from, till)
        }
        let window = windows.first
        let hasRandom = window != nil || times.isEmpty
        self.init(
            option: !hasRandom ? .custom : times.isEmpty ? .standard : .both,
            amount: window?.amount ?? (hasRandom ? 1 : 0),
            windows: !item.isAskedDaily
                ? []
                : (1...7).map {
                    Window(
                        weekday: $0, isEnabled: window != nil, from: window?.from ?? Window.first.from,
                        till: window?.till ?? Window.first.till)
                }, times: times)
    }

    /// The most own times, and the most prompts of one day.
    package static let most = 48

    /// Reads a plan for a questionnaire, noting its errors: windows too short for so many prompts, or that begin before the night
    /// before them has ended, repeated times, and for weekly or monthly prompts anything but the time.
    /// - Parameter asksToExchange: whether `from` after `till` is asked about before it is exchanged, as pages do.
    package static func read(
        _ fields: InputReader, for item: StudyItem, asksToExchange: Bool = false
    ) -> NotificationTimes? {
        let option = fields.choice("option", from: NotificationPlan.options, required: true)
            .flatMap(Option.init)
        let amount = fields.whole("amount", 0...most, first: 0)
        let windows = readWindows(
            fields, allowsOvernight: item.allowsOvernight, asksToExchange: asksToExchange)
        let times = readTimes(fields)
        guard let option, let amount, let windows, let times else { return nil }
        let plan = NotificationTimes(option: option, amount: amount, windows: windows, times: times)
        guard item.isAskedDaily else { return plan.checkedTimeAlone(fields) }
        if option != .standard, times.isEmpty { fields.refuse("times", "errors.required") }
        if option != .custom {
            if amount < 1 { fields.refuse("amount", "errors.whole", ["from": "1", "to": String(most)]) }
            for (index, window) in windows.enumerated() where window.isEnabled {
                if !PromptSpread.fits(amount, from: window.from, to: window.end) {
                    let place = fields.has("windows") ? "windows.\(index)" : "amount"
                    fields.refuse(
                        place, "studies.too_many", ["minutes": String(PromptSpread.leastMinutesApart)])
                }
                let next = windows[(index + 1) % windows.count]
                let gap = next.from.minutes - window.till.minutes
                if window.isOvernight, next.isEnabled, gap < PromptSpread.leastMinutesApart {
                    fields.refuse("windows.\(index).till", "studies.night_too_long")
                }
            }
        }
        return plan
    }

    /// By week or month only the time of day can be chosen.
    private func checkedTimeAlone(_ fields: InputReader) -> NotificationTimes? {
        if option != .custom { fields.refuse("option", "studies.only_time") }
        if times.count != 1 || times.first?.weekday != nil { fields.refuse("times", "studies.only_time") }
        return NotificationTimes(option: option, amount: 0, windows: [], times: times)
    }

    /// All seven weekdays; missing ones have the default window.
    private static func readWindows(
        _ fields: InputReader, allowsOvernight: Bool, asksToExchange: Bool
    ) -> [Window]? {
        var windows: [Int: Window] = [:]
        for (index, json) in (fields.list("windows") ?? []).enumerated() {
            guard case .object = json, index < 7 else {
                fields.refuse("windows.\(index)", "errors.object")
                return nil
            }
            let inner = fields.inner(json, "windows.\(index).")
            if inner.value("weekday") == nil { inner.refuse("weekday", "errors.required") }
            let day = inner.whole("weekday", 1...7, first: 1)
            let isEnabled = inner.bool("enabled") ?? true
            let from = inner.clock("from")
            let till = inner.clock("till")
            if let day, windows[day] != nil { inner.refuse("weekday", "studies.same_day") }
            let one = from ?? Window.first.from
            let other = till ?? Window.first.till
            if other < one, !allowsOvernight, isEnabled, asksToExchange {
                inner.refuse("till", "studies.exchanged", ["from": other.text, "till": one.text])
            }
            fields.adopt(inner)
            guard let day else { continue }
            windows[day] = Window(
                weekday: day, isEnabled: isEnabled, from: allowsOvernight ? one : min(one, other),
                till: allowsOvernight ? other : max(one, other))
        }
        return (1...7).map { day in
            windows[day]
                ?? Window(weekday: day, isEnabled: true, from: Window.first.from, till: Window.first.till)
        }
    }

    private static func readTimes(_ fields: InputReader) -> [Time]? {
        var times: [Time] = []
        let list = fields.list("times") ?? []
        if list.count > most {
            fields.refuse("times", "errors.whole", ["from": "0", "to": String(most)])
            return nil
        }
        for (index, json) in list.enumerated() {
            guard case .object = json else {
                fields.refuse("times.\(index)", "errors.object")
                return nil
            }
            let inner = fields.inner(json, "times.\(index).")
            let hasDay = inner.value("weekday") != nil
            let day = inner.whole("weekday", 1...7, first: 1)
            let at = inner.clock("at", required: true)
            let isFixed = inner.bool("fixed") ?? false
            if let at {
                let weekday = hasDay ? day : nil
                let isThere = times.contains {
                    $0.at == at && ($0.weekday == nil || weekday == nil || $0.weekday == weekday)
                }
                if isThere { inner.refuse("at", "studies.same_time") }
                times.append(Time(weekday: weekday, at: at, isFixed: isFixed))
            }
            fields.adopt(inner)
        }
        return times
    }
}
