import Records
import Scheduling
import Wire

/// On which days a questionnaire will be asked, counted from the day of enrolling or from the date of its time point, before
/// there is any participant (ST-1).
package struct PlannedDays: Sendable, Equatable {
    /// So many days are looked at, at most.
    package static let most = 730

    /// Prompts by day; of what is asked once on the days of a time point one, on the day that the time point names.
    package let prompts: [Int: Int]
    /// The days of its time point; nil without one.
    package let window: ClosedRange<Int>?
    /// Whether it is asked as long as the study runs.
    package let isEndless: Bool

    /// The last day that the plan itself sets; nil where it sets none.
    package var last: Int? {
        isEndless ? window?.upperBound : [prompts.keys.max(), window?.upperBound].compactMap(\.self).max()
    }
}

extension StudyItem {
    /// - Parameters:
    ///   - point: its time point; nil for none.
    ///   - anchor: the date from which its days are counted, as an example.
    ///   - zero: the date that is day 0 of the course: that of enrolling, or the anchor's.
    ///   - days: for so long an endless schedule is told.
    package func planned(
        at point: TimePoint?, from anchor: LocalDate, zero: LocalDate, in zone: Zone, days: Int
    ) -> PlannedDays {
        let number = { (date: LocalDate) in Int(date.daysSince1970 - zero.daysSince1970) }
        let window = point.map { point in
            let days = point.window.days(from: anchor)
            return number(days.lowerBound)...number(days.upperBound)
        }
        if let point, isAskedInWindow {
            let day = number(anchor.adding(days: point.window.day))
            return PlannedDays(prompts: [day: 1], window: window, isEndless: false)
        }
        let isEndless = window == nil && schedules.contains { $0.end == nil }
        let last = min(window?.upperBound ?? PlannedDays.most, PlannedDays.most)
        var prompts: [Int: Int] = [:]
        for (place, schedule) in schedules.enumerated() {
            let end = schedule.end == nil && window == nil ? min(days, last) : last
            let zones = ParticipantZones(zone)
            let asked = schedule.prompts(
                enrolledOn: anchor, zones, seed: Schedule.seed("example", id.text, String(place)),
                until: zones.begin(of: zero.adding(days: end + 1)))
            for day in asked.map({ number($0.day) }) where window?.contains(day) ?? (day >= 0) {
                prompts[day, default: 0] += 1
            }
        }
        return PlannedDays(prompts: prompts, window: window, isEndless: isEndless)
    }
}
