import JSON
import Outbound
import Scheduling
import Wearables
import Wire

/// Polar AccessLink, version 3, after its public documents (polar.com/accesslink-api): tokens that last about a year
/// and are not renewed, people who must be registered before any data is given, days by the person's own calendar,
/// and the last 28 days of nights. It counts all users together, in quarters of an hour: 500 requests and 20 for each
/// person. Its hook is one for the whole clinic and is not used: data is fetched by the hour.
extension WearableProvider {
    package static let polar = WearableProvider(
        name: "polar", title: "Polar", source: .polar,
        addresses: ProviderAddresses(
            authorize: "https://flow.polar.com/oauth2/authorization",
            token: "https://polarremote.com/v2/oauth2/token",
            revoke: "https://www.polaraccesslink.com/v3/users", api: "https://www.polaraccesslink.com"),
        wishes: [], scopes: [ProviderScope(name: scope, word: "polar_all")],
        quota: ProviderQuota(project: 2_000, isShared: true),
        dialect: ProviderDialect(isBasic: true, isLasting: true, user: "x_user_id"),
        revocation: ProviderRevocation(end: PolarPerson.remove), enrol: PolarPerson.enrol,
        streams: [
            ProviderStream(
                name: "activity", covers: PolarReading.sums.map(\.type.rawValue), scope: scope, days: 7
            ) { try PolarReading.activity($0, $1) },
            ProviderStream(name: MeasurementType.heartRate.rawValue, scope: scope, days: 7) {
                try PolarReading.beats($0, $1)
            },
            ProviderStream(name: MeasurementType.hrvRMSSD.rawValue, scope: scope, days: 31) {
                try PolarReading.recharges($0, $1)
            },
            ProviderStream(name: "sleep", scope: scope, days: 31) { try PolarReading.sleeps($0, $1) },
        ],
        identify: { _ in nil }, named: { _ in nil })

    private static let scope = "accesslink.read_all"
}

/// A person's registration at AccessLink for this clinic.
enum PolarPerson {
    /// - Parameter member: our id for them there, used nowhere else.
    @Sendable static func enrol(
        _ tokens: LinkTokens, _ member: String, _ provider: ConfiguredProvider, at now: Instant
    ) throws {
        let body = try JSONWriter.bytes(of: JSON.object([JSON.Member("member-id", .string(member))]))
        let reply = try provider.answer(
            OutboundRequest(
                url: provider.addresses.api + "/v3/users",
                headers: headers(tokens) + [("Content-Type", "application/json")], body: body), .tokens)
        // 409: known from an earlier link.
        if reply.status == 409 { return }
        if let fault = LinkFault(reply, at: now) { throw fault }
    }

    /// Revokes the token as well.
    @Sendable static func remove(
        _ tokens: LinkTokens, _ provider: ConfiguredProvider, at now: Instant
    ) throws {
        guard let user = tokens.user, !user.isEmpty, user.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { throw LinkFault.failed }
        let url = "\(provider.addresses.revoke)/\(user)"
        let reply = try provider.answer(
            OutboundRequest(method: "DELETE", url: url, headers: headers(tokens)), .tokens)
        // An invalid token was revoked already; for an unknown person there is nothing left to revoke.
        if [401, 404].contains(reply.status) { return }
        if let fault = LinkFault(reply, at: now) { throw fault }
    }

    private static func headers(_ tokens: LinkTokens) -> [(String, String)] {
        [("Authorization", "Bearer \(tokens.access)"), ("Accept", "application/json")]
    }
}

/// Fetches AccessLink's data without transactions, which would remove what was read.
enum PolarReading {
    static let sums: [DayTotals.Member] = [
        (.steps, "steps"), (.distance, "distance_from_steps"), (.activeEnergy, "active_calories"),
    ]
    /// No older nights are given; one day less, for zones where it is still yesterday.
    private static let nights: Int64 = 27

    /// Day by day: a list of several has no reliable date.
    static func activity(_ window: LinkWindow, _ calls: LinkCalls) throws -> FetchedWindow {
        var totals = DayTotals(sums)
        for date in window.dates {
            if let day = try calls.find("/v3/users/activities/\(date.text)") { totals.add(day, of: date) }
        }
        return totals.fetched(window.dates)
    }

    /// Means of five minutes, by the clock of the device.
    static func beats(_ window: LinkWindow, _ calls: LinkCalls) throws -> FetchedWindow {
        var beats = Beats(window)
        for date in window.dates {
            let day = try calls.find("/v3/users/continuous-heart-rate/\(date.text)")
            for sample in day?["heart_rate_samples"]?.array ?? [] {
                let moment = sample["sample_time"]?.string.flatMap { clock($0, date, window.zone) }
                try beats.add(Reading.number(sample["heart_rate"]), at: moment)
            }
        }
        return beats.fetched
    }

    /// `07:05:30` on a date.
    private static func clock(_ text: String, _ date: LocalDate, _ zone: Zone) -> Instant? {
        let parts = text.split(separator: ":").map { Int($0) }
        guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2],
            (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second)
        else { return nil }
        return zone.instant(date, hour: hour, minute: minute).adding(seconds: Int64(second))
    }

    /// The variability of the heart rate in the four hours that begin half an hour after falling asleep.
    static func recharges(_ window: LinkWindow, _ calls: LinkCalls) throws -> FetchedWindow {
        let page = try calls.get("/v3/users/nightly-recharge")
        var values: [LocalDate: Double] = [:]
        for night in page["recharges"]?.array ?? [] {
            guard let date = night["date"]?.string.flatMap({ LocalDate($0) }) else { continue }
            values[date] = Reading.number(
                night["heart_rate_variability_avg"], in: MeasurementType.hrvRMSSD.range)
        }
        let first = LocalTime(window.now, window.zone).date.adding(days: -Int(nights))
        return Reading.days(.hrvRMSSD, window.dates.filter { $0 >= first }, values)
    }

    static func sleeps(_ window: LinkWindow, _ calls: LinkCalls) throws -> FetchedWindow {
        let page = try calls.get("/v3/users/sleep")
        let first = max(window.begin, window.now.adding(days: -nights))
        guard first < window.end else { return FetchedWindow() }
        var sleeps: [FetchedSleep] = []
        for night in page["nights"]?.array ?? [] {
            guard let sleep = sleep(night, now: window.now), (first..<window.end).contains(sleep.endsAt)
            else { continue }
            guard sleeps.count < Reading.mostSleeps else { throw LinkFault.endless }
            sleeps.append(FetchedSleep(name: sleep.startsAt.text, sleep: sleep))
        }
        return FetchedWindow(sleeps: sleeps, knowsSleeps: first..<window.end)
    }

    private static func sleep(_ night: JSON, now: Instant) -> Sleep? {
        let begin = Reading.time(night["sleep_start_time"])
        let end = Reading.time(night["sleep_end_time"])
        guard var sleep = Reading.sleep(from: begin, until: end, now: now) else { return nil }
        let stages = ["light_sleep", "deep_sleep", "rem_sleep", "unrecognized_sleep_stage"].compactMap {
            Reading.number(night[$0], in: 0...86_400)
        }
        if !stages.isEmpty {
            sleep.minutesAsleep = Reading.minutes(.number(stages.reduce(0, +)))
        }
        sleep.minutesAwake = Reading.minutes(night["total_interruption_duration"])
        return sleep
    }
}
