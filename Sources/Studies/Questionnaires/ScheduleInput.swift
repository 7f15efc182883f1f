import JSON
import Scheduling
import Web
import Wire

extension Schedule {
    /// Reads one schedule, noting its errors: that it never asks, asks every minute, or ends before it begins.
    package static func read(_ fields: InputReader) -> Schedule? {
        let type = fields.choice("type", from: StudySchedule.types, required: true)
        let unit = fields.choice("unit", from: Unit.allCases.map(\.rawValue), required: true)
        let amount = fields.whole("amount", 1...48, first: 1)
        let every = fields.whole("every", 1...366, first: 1)
        let day = fields.whole("start_day", 0...3650, first: 0)
        let at = fields.clock("at", required: type == "fixed")
        let start = fields.clock("start", required: type == "between")
        let end = fields.clock("end", required: type == "between")
        let limits = Limits(fields, isWindow: type == "between")
        guard let type, let unit = unit.flatMap(Unit.init), let amount, let every, let day else { return nil }
        if type == "fixed" {
            if start != nil || end != nil {
                fields.refuse(start != nil ? "start" : "end", "studies.fixed_no_window")
            }
            if amount > unit.days * (unit == .day ? 1 : every) {
                fields.refuse("amount", "studies.fixed_once")
            }
            return at.map {
                limits.of(
                    Schedule(moment: .fixed($0), amount: amount, every: every, unit: unit, startDay: day))
            }
        }
        if at != nil { fields.refuse("at", "studies.window_no_time") }
        guard let start, let end else { return nil }
        if end <= start {
            fields.refuse("end", "errors.ends_before_start")
        } else if unit == .day, !PromptSpread.fits(amount, from: start, to: end, gap: limits.gap) {
            fields.refuse("amount", "studies.too_many", ["minutes": String(limits.gap)])
        } else if limits.gapMinutes != nil, end.minutes - start.minutes + limits.gap > ClockTime.dayMinutes {
            // The last of a day and the first of the next one would be nearer.
            fields.refuse("minimum_gap_minutes", "studies.gap_at_night")
        } else if unit != .day, amount > unit.days * every {
            fields.refuse("amount", "studies.one_a_day")
        }
        return limits.of(
            Schedule(moment: .between(start, end), amount: amount, every: every, unit: unit, startDay: day))
    }

    /// What ends a schedule, breaks it off, and limits its prompts (ST-2).
    private struct Limits {
        private let end: ScheduleEnd?
        private let burst: ScheduleBurst?
        private let validMinutes: Int?
        private let graceMinutes: Int?
        private let repeatMinutes: [Int]
        private let fields: InputReader
        let gapMinutes: Int?

        /// Thirty days.
        private static let longestGrace = 30 * ClockTime.dayMinutes

        var gap: Int { gapMinutes ?? PromptSpread.leastMinutesApart }

        init(_ fields: InputReader, isWindow: Bool) {
            self.fields = fields
            repeatMinutes = Self.repeats(fields)
            end = Self.end(fields)
            burst = Self.burst(fields)
            validMinutes = Self.whole(fields, "expires_after_minutes", 1...ClockTime.dayMinutes)
            graceMinutes = Self.whole(fields, "late_grace_minutes", 0...Self.longestGrace)
            gapMinutes = Self.whole(
                fields, "minimum_gap_minutes", PromptSpread.leastMinutesApart...(ClockTime.dayMinutes / 2))
            if gapMinutes != nil, !isWindow { fields.refuse("minimum_gap_minutes", "studies.gap_of_windows") }
        }

        func of(_ schedule: Schedule) -> Schedule {
            var schedule = schedule
            schedule.end = end
            schedule.burst = burst
            schedule.validMinutes = validMinutes
            schedule.gapMinutes = gapMinutes
            schedule.graceMinutes = graceMinutes
            schedule.repeatMinutes = repeatMinutes
            // A call that could never come.
            if let last = repeatMinutes.last, last >= schedule.longestMinutes {
                let name = repeatMinutes.count > 1 && fields.isForm ? Self.again : Self.repeated
                fields.refuse(name, "studies.repeat_within", ["minutes": String(schedule.longestMinutes)])
            }
            return schedule
        }

        /// Forms have a field for each of the three.
        private static func end(_ fields: InputReader) -> ScheduleEnd? {
            let inner = fields.isForm ? fields : fields.object("until")
            defer { if !fields.isForm { fields.adopt(inner) } }
            guard let inner else { return nil }
            let prefix = fields.isForm ? "until_" : ""
            let ends = [
                inner.date(prefix + "on").map(ScheduleEnd.on),
                whole(inner, prefix + "days", 1...3650).map(ScheduleEnd.days),
                whole(inner, prefix + "prompts", 1...20_000).map(ScheduleEnd.prompts),
            ].compactMap(\.self)
            if ends.count > 1 { fields.refuse(fields.isForm ? "until_days" : "until", "studies.until_one") }
            return ends.first
        }

        private static func burst(_ fields: InputReader) -> ScheduleBurst? {
            let inner = fields.isForm ? fields : fields.object("burst")
            defer { if !fields.isForm { fields.adopt(inner) } }
            guard let inner else { return nil }
            let prefix = fields.isForm ? "burst_" : ""
            let days = whole(inner, prefix + "days", 1...366)
            let every = whole(inner, prefix + "repeat_every_days", 2...3650)
            switch (days, every) {
            case (let days?, let every?):
                if every <= days { inner.refuse(prefix + "repeat_every_days", "studies.burst_longer") }
                return ScheduleBurst(days: days, everyDays: every)
            case (nil, nil): break
            case (nil, _): inner.refuse(prefix + "days", "errors.required")
            case (_, nil): inner.refuse(prefix + "repeat_every_days", "errors.required")
            }
            return nil
        }

        private static let repeated = "repeat_after_minutes"
        private static let again = "repeat_again_after_minutes"

        /// Forms have a field for each of the two.
        private static func repeats(_ fields: InputReader) -> [Int] {
            let range = 1...(ClockTime.dayMinutes - 1)
            if fields.isForm {
                let both = [repeated, again].map { whole(fields, $0, range) }
                if both[0] == nil, both[1] != nil { fields.refuse(repeated, "errors.required") }
                let minutes = both.compactMap(\.self)
                if minutes != minutes.sorted() || Set(minutes).count < minutes.count {
                    fields.refuse(again, "studies.repeat_order")
                }
                return minutes
            }
            let list = fields.list(repeated) ?? []
            let minutes = list.compactMap(\.number).compactMap { Int(exactly: $0) }.filter(range.contains)
            if list.count > 2 || minutes.count < list.count
                || zip(minutes, minutes.dropFirst()).contains(where: >=)
            {
                fields.refuse(repeated, "studies.repeat_order")
                return []
            }
            return minutes
        }

        private static func whole(_ fields: InputReader, _ name: String, _ range: ClosedRange<Int>) -> Int? {
            fields.value(name) == nil ? nil : fields.whole(name, range, first: range.lowerBound)
        }
    }
}
