import Foundation
import HTTP
import JSON
import Records
import Scheduling
import Wearables
import Wire

/// The Oura API, version 2, after its public documents (cloud.ouraring.com/v2/docs): 5,000 requests in five minutes
/// for all users together, refresh tokens that are valid once, days by the person's own calendar. Its hooks need a
/// separate subscription and are not used: data is fetched by the hour.
extension WearableProvider {
    package static let oura = WearableProvider(
        name: "oura", title: "Oura", source: .oura,
        addresses: ProviderAddresses(
            authorize: "https://cloud.ouraring.com/oauth/authorize",
            token: "https://api.ouraring.com/oauth/token",
            revoke: "https://api.ouraring.com/oauth/revoke", api: "https://api.ouraring.com"),
        wishes: [],
        scopes: [
            ProviderScope(name: "daily", word: "oura_daily"),
            ProviderScope(name: "heartrate", word: "oura_heartrate"),
            ProviderScope(name: "spo2", word: "oura_spo2"),
        ],
        quota: ProviderQuota(project: 5_000, isShared: true), revocation: .accessInQuery,
        streams: [
            daily(.steps, "daily_activity") { $0["steps"] },
            daily(.distance, "daily_activity") { $0["equivalent_walking_distance"] },
            daily(.activeEnergy, "daily_activity") { $0["active_calories"] },
            ProviderStream(name: MeasurementType.heartRate.rawValue, scope: "heartrate", days: 7) {
                try OuraReading.beats($0, $1)
            },
            night(.restingHeartRate, "lowest_heart_rate"), night(.hrvRMSSD, "average_hrv"),
            daily(.oxygenSaturation, "daily_spo2", scope: "spo2") { $0["spo2_percentage"]?["average"] },
            ProviderStream(name: "sleep", scope: "daily", days: 30) { try OuraReading.sleeps($0, $1) },
        ],
        identify: { _ in nil }, named: { _ in nil })

    private static func daily(
        _ type: MeasurementType, _ collection: String, scope: String = "daily",
        _ value: @escaping @Sendable (JSON) -> JSON?
    ) -> ProviderStream {
        ProviderStream(name: type.rawValue, scope: scope, days: 30) { window, calls in
            try OuraReading.days(type, collection, window, calls, value)
        }
    }

    /// The ring's data on the longest sleep of a day, of which there may be two. Its resting heart rate is the lowest of that night.
    private static func night(_ type: MeasurementType, _ member: String) -> ProviderStream {
        ProviderStream(name: type.rawValue, scope: "daily", days: 30) { window, calls in
            try OuraReading.days(type, "sleep", window, calls, weight: OuraReading.length) { document in
                document["type"]?.string == "long_sleep" ? document[member] : nil
            }
        }
    }
}

/// Fetches collections of the Oura API and makes days of them.
enum OuraReading {
    /// Every date of the window, also dates without data.
    /// - Parameter weight: of several documents of a day the heaviest counts, of those of one weight the last.
    static func days(
        _ type: MeasurementType, _ collection: String, _ window: LinkWindow, _ calls: LinkCalls,
        weight: (JSON) -> Double = { _ in 0 }, _ value: (JSON) -> JSON?
    ) throws -> FetchedWindow {
        var values: [LocalDate: (value: Double, weight: Double)] = [:]
        try documents(collection, dates(window), calls) { document in
            guard let date = document["day"]?.string.flatMap({ LocalDate($0) }),
                let number = Reading.number(value(document), in: type.range)
            else { return }
            let weight = weight(document)
            if let known = values[date], known.weight > weight { return }
            values[date] = (number, weight)
        }
        return Reading.days(type, window.dates, values.mapValues(\.value))
    }

    /// The length of a sleep, in seconds.
    static func length(_ document: JSON) -> Double {
        Reading.number(document["total_sleep_duration"]) ?? Reading.number(document["time_in_bed"]) ?? 0
    }

    static func beats(_ window: LinkWindow, _ calls: LinkCalls) throws -> FetchedWindow {
        var beats = Beats(window)
        let range = [("start_datetime", window.begin.text), ("end_datetime", window.end.text)]
        try documents("heartrate", range, calls) { document in
            try beats.add(Reading.number(document["bpm"]), at: Reading.time(document["timestamp"]))
        }
        return beats.fetched
    }

    static func sleeps(_ window: LinkWindow, _ calls: LinkCalls) throws -> FetchedWindow {
        var sleeps: [FetchedSleep] = []
        try documents("sleep", dates(window), calls) { document in
            // Not a sleep, or deleted by the person.
            guard !["rest", "deleted"].contains(document["type"]?.string ?? ""),
                let sleep = sleep(document, now: window.now)
            else { return }
            guard sleeps.count < Reading.mostSleeps else { throw LinkFault.endless }
            sleeps.append(FetchedSleep(name: document["id"]?.string ?? sleep.startsAt.text, sleep: sleep))
        }
        // Sleeps are requested by their day, which for some is not the day of their end.
        let begin = window.begin.adding(seconds: 43_200)
        return FetchedWindow(sleeps: sleeps, knowsSleeps: begin < window.end ? begin..<window.end : nil)
    }

    private static func sleep(_ document: JSON, now: Instant) -> Sleep? {
        let begin = Reading.time(document["bedtime_start"])
        let end = Reading.time(document["bedtime_end"])
        guard var sleep = Reading.sleep(from: begin, until: end, now: now) else { return nil }
        sleep.minutesAsleep = Reading.minutes(document["total_sleep_duration"])
        sleep.minutesAwake = Reading.minutes(document["awake_time"])
        sleep.minutesToFallAsleep = Reading.minutes(document["latency"])
        sleep.restlessCount = Reading.number(document["restless_periods"], in: 0...10_000).map { Int($0) }
        sleep.efficiency = Reading.number(document["efficiency"], in: 0...100)
        return sleep
    }

    // MARK: Requests

    /// One day more than needed: some collections exclude the last one. Data outside of the window is ignored.
    private static func dates(_ window: LinkWindow) -> [(String, String)] {
        [("start_date", window.first.text), ("end_date", window.last.adding(days: 1).text)]
    }

    private static func documents(
        _ collection: String, _ range: [(String, String)], _ calls: LinkCalls, _ take: (JSON) throws -> Void
    ) throws {
        var query = range
        for _ in 0..<Reading.mostPages {
            let text = query.map { "\($0.0)=\(percentEncoded($0.1))" }.joined(separator: "&")
            let page = try calls.get("/v2/usercollection/\(collection)?\(text)")
            for document in page["data"]?.array ?? [] { try take(document) }
            guard let next = page["next_token"]?.string, !next.isEmpty else { return }
            query = range + [("next_token", next)]
        }
        throw LinkFault.endless
    }
}
