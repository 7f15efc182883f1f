import Foundation
import HTTP
import JSON
import Locks
import Records
import Scheduling
import Wire

@testable import WearableLinks

/// Days that follow from a seed, so that every total is known without asking.
extension FakeHealth {
    /// The steps of an hour of a day.
    static func steps(_ user: Int, _ date: LocalDate, hour: Int) -> Int {
        let seed = UInt64(user) &* 1_000_003 &+ UInt64(date.daysSince1970) &* 7_919 &+ UInt64(hour) &* 104_729
        return Int((seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407) >> 33 % 900)
    }

    func hours(_ date: LocalDate) -> Int {
        let begin = zone.instant(date, hour: 0, minute: 0)
        return Int(zone.instant(date.adding(days: 1), hour: 0, minute: 0).seconds - begin.seconds) / 3_600
    }

    /// The provider's total of a day: 92 or 100 quarters of an hour where the clocks change.
    func total(_ user: Int, _ date: LocalDate) -> Double {
        Double((0..<hours(date)).reduce(0) { $0 + Self.steps(user, date, hour: $1) })
    }

    /// A correction; nil deletes the day's steps.
    func change(_ user: Int, _ type: String, _ date: LocalDate, to value: Double?) {
        state.withLock { $0.changed["\(user) \(type) \(date.text)"] = .some(value) }
    }

    private func present(_ user: Int, _ date: LocalDate, _ state: State) -> Double? {
        if let changed = state.changed["\(user) steps \(date.text)"] { return changed }
        return total(user, date)
    }

    // MARK: Points

    func points(_ type: String, _ parts: URLComponents, _ user: Int, _ state: inout State) -> String? {
        let query = Form(encoded: (parts.percentEncodedQuery ?? "").utf8)
        guard let filter = query?["filter"], let size = query?["pageSize"].flatMap({ Int($0) }) else {
            return nil
        }
        state.filters.append(filter)
        let bounds = filter.matches(of: /"([^"]+)"/).map { String($0.1) }
        guard bounds.count == 2, let range = range(bounds) else { return nil }
        // The longest period according to the documents.
        let most = type == "heart-rate" ? 14.0 : 90.0
        if Double(range.upperBound.seconds - range.lowerBound.seconds) / 86_400 > most + 0.1 { return nil }
        let all = points(type, range, user, state)
        let begin = query?["pageToken"].flatMap { Int($0) } ?? 0
        let end = min(begin + min(size, state.pageSize), all.count)
        let next = end < all.count ? #", "nextPageToken": "\#(end)""# : ""
        return #"{"dataPoints": [\#(all[min(begin, end)..<end].joined(separator: ","))]\#(next)}"#
    }

    private func range(_ bounds: [String]) -> Range<Instant>? {
        let times = bounds.compactMap { text -> Instant? in
            if let date = LocalDate(text) { return zone.instant(date, hour: 0, minute: 0) }
            return Instant(text)
        }
        return times.count == 2 && times[0] <= times[1] ? times[0]..<times[1] : nil
    }

    private func points(_ type: String, _ range: Range<Instant>, _ user: Int, _ state: State) -> [String] {
        var date = LocalTime(range.lowerBound, zone).date
        let last = LocalTime(range.upperBound.adding(seconds: -1), zone).date
        var points: [String] = []
        while date <= last {
            points += self.points(type, on: date, user, state).filter { range.contains($0.at) }.map(\.json)
            date = date.adding(days: 1)
        }
        return points
    }

    private func points(
        _ type: String, on date: LocalDate, _ user: Int, _ state: State
    ) -> [(at: Instant, json: String)] {
        let begin = zone.instant(date, hour: 0, minute: 0)
        let now = clock.now
        switch type {
        case "steps":
            // A corrected day comes as one period.
            if let changed = state.changed["\(user) steps \(date.text)"] {
                guard let changed else { return [] }
                return [(begin, interval("steps", "count", Int(changed), begin, 3_600))]
            }
            return (0..<hours(date)).compactMap { hour in
                let at = begin.adding(seconds: Int64(hour) * 3_600)
                guard at <= now else { return nil }
                return (at, interval("steps", "count", Self.steps(user, date, hour: hour), at, 3_600))
            }
        case "heart-rate":
            return (0..<(hours(date) * 12)).compactMap { index in
                let at = begin.adding(seconds: Int64(index) * 300)
                guard at <= now else { return nil }
                let rate = 55 + (index + user) % 40
                return (
                    at,
                    #"{"heartRate": {"sampleTime": {"physicalTime": "\#(at.text)"}, "beatsPerMinute": "\#(rate)"}}"#
                )
            }
        case "daily-resting-heart-rate":
            let parts = date.text.split(separator: "-").compactMap { Int($0) }
            return [
                (
                    begin,
                    """
                    {"dailyRestingHeartRate": {"date": {"year": \(parts[0]), "month": \(parts[1]), "day": \(parts[2])},
                     "beatsPerMinute": "\(50 + user % 20)"}}
                    """
                )
            ]
        case "sleep":
            let (from, until) = (begin.adding(seconds: -7_200), begin.adding(seconds: 21_600))
            if let changed = state.changed["\(user) sleep \(date.text)"], changed == nil { return [] }
            guard until <= now else { return [] }
            return [
                (
                    until,
                    """
                    {"name": "users/canary-user-\(user)/dataTypes/sleep/dataPoints/\(date.text)", "sleep": {
                     "interval": {"startTime": "\(from.text)", "endTime": "\(until.text)"},
                     "summary": {"minutesAsleep": "420", "minutesAwake": "60",
                      "stagesSummary": [{"type": "AWAKE", "minutes": "60", "count": "3"}]}}}
                    """
                )
            ]
        default: return []
        }
    }

    private func interval(
        _ member: String, _ value: String, _ number: Int, _ at: Instant, _ length: Int64
    ) -> String {
        """
        {"dataSource": {"platform": "FITBIT"}, "\(member)": {"interval": {"startTime": "\(at.text)",
         "endTime": "\(at.adding(seconds: length).text)"}, "\(value)": "\(number)"}}
        """
    }

    // MARK: Sums

    func rollUp(_ type: String, _ body: [UInt8], _ user: Int, _ state: State) -> String? {
        guard let json = try? JSON.parse(body), json["windowSizeDays"]?.number == 1,
            let first = GoogleReading.date(json["range"]?["start"]?["date"]),
            let end = GoogleReading.date(json["range"]?["end"]?["date"]), first < end,
            end.daysSince1970 - first.daysSince1970 <= 90
        else { return nil }
        guard type == "steps" else { return #"{"rollupDataPoints": []}"# }
        let days = (0..<Int(end.daysSince1970 - first.daysSince1970)).map { first.adding(days: $0) }
        let today = LocalTime(clock.now, zone).date
        let points = days.compactMap { date -> String? in
            guard date <= today, let sum = present(user, date, state) else { return nil }
            let parts = date.text.split(separator: "-").compactMap { Int($0) }
            return """
                {"civilStartTime": {"date": {"year": \(parts[0]), "month": \(parts[1]), "day": \(parts[2])}},
                 "steps": {"countSum": "\(Int(sum))"}}
                """
        }
        return #"{"rollupDataPoints": [\#(points.joined(separator: ","))]}"#
    }
}
