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
        guard let type, let unit = unit.flatMap(Unit.init), let amount, let every, let day else { return nil }
        if type == "fixed" {
            if start != nil || end != nil {
                fields.refuse(start != nil ? "start" : "end", "studies.fixed_no_window")
            }
            if amount > unit.days * (unit == .day ? 1 : every) {
                fields.refuse("amount", "studies.fixed_once")
            }
            return at.map {
                Schedule(moment: .fixed($0), amount: amount, every: every, unit: unit, startDay: day)
            }
        }
        if at != nil { fields.refuse("at", "studies.window_no_time") }
        guard let start, let end else { return nil }
        if end <= start {
            fields.refuse("end", "errors.ends_before_start")
        } else if unit == .day, !PromptSpread.fits(amount, from: start, to: end) {
            fields.refuse("amount", "studies.too_many", ["minutes": String(PromptSpread.leastMinutesApart)])
        } else if unit != .day, amount > unit.days * every {
            fields.refuse("amount", "studies.one_a_day")
        }
        return Schedule(
            moment: .between(start, end), amount: amount, every: every, unit: unit, startDay: day)
    }
}
