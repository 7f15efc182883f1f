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

    /// The most that the API gives in one page; sleeps come 25 at a time.
    private static let pageSize = 10_000
    /// A provider that never comes to an end is not followed.
    private static let mostPages = 60
    /// Nor one that tells more than anybody can have measured in a window: 30 days of a strap every five seconds.
    static let mostSamples = 600_000
    static let mostSleeps = 400

    /// Every date of the window, also those of which nothing is told.
    func days(_ window: LinkWindow, _ calls: LinkCalls) throws -> FetchedWindow {
        var samples: [LocalDate: [Sample]] = [:]
        var count = 0
        try Self.pages(dataType, filter(window), pageSize: Self.pageSize, calls) { point in
            guard let value = point[shape.member] else { return }
            guard let (date, sample) = sample(value, window) else { return }
            count += 1
            guard count <= Self.mostSamples else { throw LinkFault.endless }
            samples[date, default: []].append(sample)
        }
        let totals = try totals(window, calls)
        let days = window.dates.map { date in
            FetchedDay(
                type: type, date: date, samples: Self.tidy(samples[date] ?? [], type), total: totals[date])
        }
        return FetchedWindow(days: days)
    }

    // MARK: Asking

    /// After AIP-160. Names of fields are those of the data type with underscores.
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
        for _ in 0..<mostPages {
            let page = try calls.get(path + query)
            for point in page["dataPoints"]?.array ?? [] { try take(point) }
            guard let next = page["nextPageToken"]?.string, !next.isEmpty else { return }
            query = "?pageSize=\(pageSize)&filter=\(percentEncoded(filter))&pageToken=\(percentEncoded(next))"
        }
        throw LinkFault.endless
    }

    /// What the provider itself adds up for each civil day, without counting anything twice.
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
                let value = Self.number(point[member]?[sum])
            else { continue }
            totals[date] = Self.inRange(value * factor, type)
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
            guard let begin = Self.time(json["interval"]?["startTime"]),
                let end = Self.time(json["interval"]?["endTime"]), end >= begin,
                let value = Self.number(json[name]), let (date, offset) = Self.place(begin, window)
            else { return nil }
            let length = Int(end.seconds - begin.seconds)
            return (date, Sample(offset, length, value * factor))
        case .sample(_, let name):
            guard let at = Self.time(json["sampleTime"]?["physicalTime"]),
                let value = Self.number(json[name]), let (date, offset) = Self.place(at, window)
            else { return nil }
            return (date, Sample(offset, 0, value))
        case .daily(_, let name):
            guard let date = Self.date(json["date"]), let value = Self.number(json[name]),
                (window.first...window.last).contains(date)
            else { return nil }
            return (date, Sample(0, 0, value))
        }
    }

    /// The local date of a moment, and the seconds since its first instant.
    private static func place(_ at: Instant, _ window: LinkWindow) -> (LocalDate, Int)? {
        guard at >= window.begin, at < window.end else { return nil }
        let date = LocalTime(at, window.zone).date
        return (date, Int(at.seconds - window.zone.instant(date, hour: 0, minute: 0).seconds))
    }

    /// Numbers of 64 bits come as text.
    static func number(_ json: JSON?) -> Double? {
        let value = json?.number ?? json?.string.flatMap(Double.init)
        return value.flatMap { $0.isFinite ? $0 : nil }
    }

    static func time(_ json: JSON?) -> Instant? { json?.string.flatMap { Instant($0) } }

    static func date(_ json: JSON?) -> LocalDate? {
        guard let year = number(json?["year"]).flatMap({ Int(exactly: $0) }),
            let month = number(json?["month"]).flatMap({ Int(exactly: $0) }),
            let day = number(json?["day"]).flatMap({ Int(exactly: $0) })
        else { return nil }
        let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        return LocalDate("\(year)-\(two(month))-\(two(day))")
    }

    static func inRange(_ value: Double, _ type: MeasurementType) -> Double? {
        type.range.contains(value) ? value : nil
    }

    // MARK: Sleeps

    /// By their end: a night belongs to the day on which one wakes.
    static func sleeps(_ window: LinkWindow, _ calls: LinkCalls) throws -> FetchedWindow {
        var sleeps: [FetchedSleep] = []
        let filter = range("sleep.interval.end_time", window.begin.text, window.end.text)
        try pages("sleep", filter, pageSize: 25, calls) { point in
            guard let json = point["sleep"], let sleep = sleep(json, now: window.now) else { return }
            let name = point["name"]?.string ?? point["dataPointName"]?.string ?? sleep.startsAt.text
            guard sleeps.count < mostSleeps else { throw LinkFault.endless }
            sleeps.append(FetchedSleep(name: name, sleep: sleep))
        }
        return FetchedWindow(sleeps: sleeps, knowsSleeps: window.begin..<window.end)
    }

    private static func sleep(_ json: JSON, now: Instant) -> Sleep? {
        guard let begin = time(json["interval"]?["startTime"]), let end = time(json["interval"]?["endTime"]),
            end.seconds - begin.seconds >= Sleep.shortest, end.seconds - begin.seconds <= Sleep.longest,
            end <= now
        else { return nil }
        var sleep = Sleep(startsAt: begin, endsAt: end, origin: "measured")
        let summary = json["summary"]
        let minutes = { (name: String) -> Int? in
            number(summary?[name]).flatMap { (0...1_440).contains($0) ? Int($0) : nil }
        }
        sleep.minutesAsleep = minutes("minutesAsleep")
        sleep.minutesAwake = minutes("minutesAwake")
        sleep.minutesToFallAsleep = minutes("minutesToFallAsleep")
        let stages = summary?["stagesSummary"]?.array ?? []
        let stage = { (type: String) in stages.first { $0["type"]?.string == type } }
        let whole = { (json: JSON?, range: ClosedRange<Double>) -> Int? in
            number(json).flatMap { range.contains($0) ? Int($0) : nil }
        }
        sleep.minutesRestless = whole(stage("RESTLESS")?["minutes"], 0...1_440)
        sleep.restlessCount = whole(stage("RESTLESS")?["count"], 0...10_000)
        sleep.awakenings = whole(stage("AWAKE")?["count"], 0...10_000)
        if let asleep = sleep.minutesAsleep {
            let inBed = Double(end.seconds - begin.seconds) / 60
            sleep.efficiency = min(100, (Double(asleep) / inBed * 1_000).rounded() / 10)
        }
        return sleep
    }

    // MARK: A series that a day takes

    /// In order, without overlaps, without what cannot be; a minute's mean where there is more than a day holds.
    static func tidy(_ samples: [Sample], _ type: MeasurementType) -> [Sample] {
        var tidy: [Sample] = []
        let limit = DayLimit.longest
        for sample in samples.sorted(by: { ($0.offset, $0.end) < ($1.offset, $1.end) }) {
            let begin = max(sample.offset, tidy.last?.end ?? 0)
            // The same moment twice is the same measurement, told by two devices.
            if let last = tidy.last, last.offset == sample.offset { continue }
            guard type.range.contains(sample.value), sample.end >= begin else { continue }
            let end = min(sample.end, limit)
            if begin > sample.offset, end == begin { continue }
            // Of a sum goes with the time that is cut off what belongs to it.
            let share = type.isSum && sample.length > 0 ? Double(end - begin) / Double(sample.length) : 1
            tidy.append(Sample(begin, end - begin, sample.value * share))
        }
        if type == .heartRate { tidy = lasting(tidy) }
        guard tidy.count > MeasurementDay.sampleLimit else { return tidy }
        let minutes = Dictionary(grouping: tidy) { $0.offset / 60 }
        return minutes.keys.sorted().map { minute in
            let values = (minutes[minute] ?? []).map(\.value)
            let sum = values.reduce(0, +)
            return Sample(minute * 60, 60, type.isSum ? sum : sum / Double(values.count))
        }
    }

    /// A beat that was told of a moment holds until the next one, five minutes at most: zones are counted in minutes.
    private static func lasting(_ samples: [Sample]) -> [Sample] {
        samples.indices.map { index in
            let sample = samples[index]
            guard sample.length == 0 else { return sample }
            let next = index + 1 < samples.count ? samples[index + 1].offset : sample.offset + 300
            return Sample(sample.offset, max(0, min(300, next - sample.offset)), sample.value)
        }
    }

    private enum DayLimit {
        /// Of a day on which the clocks are set back, in seconds; what goes past midnight is cut when it is filed.
        static let longest = 90_000
    }
}
