import Foundation
import HTTP
import JSON
import Records
import Scheduling
import Wearables
import Wire

/// Fetches one data type of the Google Health API and makes days of it.
struct GoogleReading: Sendable {
    let type: MeasurementType
    let dataType: String
    let shape: GoogleShape

    /// The most points of a page; sleeps come 25 at a time.
    private static let pageSize = 10_000

    /// Every date of the window, also dates without data.
    func days(_ window: LinkWindow, _ calls: LinkCalls) throws -> FetchedWindow {
        var samples: [LocalDate: [Sample]] = [:]
        var count = 0
        try Self.pages(dataType, filter(window), pageSize: Self.pageSize, calls) { point in
            guard let value = point[shape.member] else { return }
            guard let (date, sample) = sample(value, window) else { return }
            count += 1
            guard count <= Reading.mostSamples else { throw LinkFault.endless }
            samples[date, default: []].append(sample)
        }
        let totals = try totals(window, calls)
        let days = window.dates.map { date in
            FetchedDay(
                type: type, date: date, samples: Reading.tidy(samples[date] ?? [], type), total: totals[date])
        }
        return FetchedWindow(days: days)
    }

    // MARK: Requests

    /// After AIP-160. Field names are those of the data type with underscores.
    private func filter(_ window: LinkWindow) -> String {
        let field = dataType.replacing("-", with: "_")
        switch shape {
        case .interval:
            return Self.range("\(field).interval.start_time", window.begin.text, window.end.text)
        case .sample:
            return Self.range("\(field).sample_time.physical_time", window.begin.text, window.end.text)
        case .daily:
            let after = window.last.adding(days: 1)
            return Self.range("\(field).date", window.first.text, after.text)
        }
    }

    private static func range(_ field: String, _ from: String, _ until: String) -> String {
        "\(field) >= \"\(from)\" AND \(field) < \"\(until)\""
    }

    private static func pages(
        _ dataType: String, _ filter: String, pageSize: Int, _ calls: LinkCalls,
        _ take: (JSON) throws -> Void
    ) throws {
        let path = "/v4/users/me/dataTypes/\(dataType)/dataPoints:reconcile"
        var query = "?pageSize=\(pageSize)&filter=\(percentEncoded(filter))"
        for _ in 0..<Reading.mostPages {
            let page = try calls.get(path + query)
            for point in page["dataPoints"]?.array ?? [] { try take(point) }
            guard let next = page["nextPageToken"]?.string, !next.isEmpty else { return }
            query = "?pageSize=\(pageSize)&filter=\(percentEncoded(filter))&pageToken=\(percentEncoded(next))"
        }
        throw LinkFault.endless
    }

    /// The provider's own totals for each civil day, without double counting.
    private func totals(_ window: LinkWindow, _ calls: LinkCalls) throws -> [LocalDate: Double] {
        guard case .interval(let member, _, let factor, let sum) = shape else { return [:] }
        let body = JSON.object([
            JSON.Member(
                "range",
                .object([
                    JSON.Member("start", Self.civil(window.first)),
                    JSON.Member("end", Self.civil(window.last.adding(days: 1))),
                ])), JSON.Member("windowSizeDays", .number(1)),
            JSON.Member("pageSize", .number(Double(window.dates.count))),
        ])
        let answer = try calls.post("/v4/users/me/dataTypes/\(dataType)/dataPoints:dailyRollUp", body)
        var totals: [LocalDate: Double] = [:]
        for point in answer["rollupDataPoints"]?.array ?? [] {
            guard let date = Self.date(point["civilStartTime"]?["date"]),
                let value = Reading.number(point[member]?[sum])
            else { continue }
            totals[date] = Reading.inRange(value * factor, type)
        }
        return totals
    }

    private static func civil(_ date: LocalDate) -> JSON {
        let parts = date.text.split(separator: "-").compactMap { Double($0) }
        return .object([
            JSON.Member(
                "date",
                .object([
                    JSON.Member("year", .number(parts[0])), JSON.Member("month", .number(parts[1])),
                    JSON.Member("day", .number(parts[2])),
                ]))
        ])
    }

    // MARK: Reading

    private func sample(_ json: JSON, _ window: LinkWindow) -> (LocalDate, Sample)? {
        switch shape {
        case .interval(_, let name, let factor, _):
            guard let begin = Reading.time(json["interval"]?["startTime"]),
                let end = Reading.time(json["interval"]?["endTime"]), end >= begin,
                let value = Reading.number(json[name]), let (date, offset) = Reading.place(begin, window)
            else { return nil }
            let length = Int(end.seconds - begin.seconds)
            return (date, Sample(offset, length, value * factor))
        case .sample(_, let name):
            guard let at = Reading.time(json["sampleTime"]?["physicalTime"]),
                let value = Reading.number(json[name]), let (date, offset) = Reading.place(at, window)
            else { return nil }
            return (date, Sample(offset, 0, value))
        case .daily(_, let name):
            guard let date = Self.date(json["date"]), let value = Reading.number(json[name]),
                (window.first...window.last).contains(date)
            else { return nil }
            return (date, Sample(0, 0, value))
        }
    }

    static func date(_ json: JSON?) -> LocalDate? {
        guard let year = Reading.number(json?["year"]).flatMap({ Int(exactly: $0) }),
            let month = Reading.number(json?["month"]).flatMap({ Int(exactly: $0) }),
            let day = Reading.number(json?["day"]).flatMap({ Int(exactly: $0) })
        else { return nil }
        let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        return LocalDate("\(year)-\(two(month))-\(two(day))")
    }

    // MARK: Sleeps

    /// By their end: a night belongs to the day of waking.
    static func sleeps(_ window: LinkWindow, _ calls: LinkCalls) throws -> FetchedWindow {
        var sleeps: [FetchedSleep] = []
        let filter = range("sleep.interval.end_time", window.begin.text, window.end.text)
        try pages("sleep", filter, pageSize: 25, calls) { point in
            guard let json = point["sleep"], let sleep = sleep(json, now: window.now) else { return }
            let name = point["name"]?.string ?? point["dataPointName"]?.string ?? sleep.startsAt.text
            guard sleeps.count < Reading.mostSleeps else { throw LinkFault.endless }
            sleeps.append(FetchedSleep(name: name, sleep: sleep))
        }
        return FetchedWindow(sleeps: sleeps, knowsSleeps: window.begin..<window.end)
    }

    private static func sleep(_ json: JSON, now: Instant) -> Sleep? {
        let begin = Reading.time(json["interval"]?["startTime"])
        let end = Reading.time(json["interval"]?["endTime"])
        guard var sleep = Reading.sleep(from: begin, until: end, now: now) else { return nil }
        let summary = json["summary"]
        let minutes = { (name: String) -> Int? in
            Reading.number(summary?[name], in: 0...1_440).map { Int($0) }
        }
        sleep.minutesAsleep = minutes("minutesAsleep")
        sleep.minutesAwake = minutes("minutesAwake")
        sleep.minutesToFallAsleep = minutes("minutesToFallAsleep")
        let stages = summary?["stagesSummary"]?.array ?? []
        let stage = { (type: String) in stages.first { $0["type"]?.string == type } }
        let whole = { (json: JSON?, range: ClosedRange<Double>) -> Int? in
            Reading.number(json, in: range).map { Int($0) }
        }
        sleep.minutesRestless = whole(stage("RESTLESS")?["minutes"], 0...1_440)
        sleep.restlessCount = whole(stage("RESTLESS")?["count"], 0...10_000)
        sleep.awakenings = whole(stage("AWAKE")?["count"], 0...10_000)
        if let asleep = sleep.minutesAsleep {
            sleep.efficiency = Reading.efficiency(of: Double(asleep) * 60, in: sleep)
        }
        return sleep
    }
}
