import JSON
import Outbound
import Secrets
import Wire

/// The Withings public API after its public documents (developer.withings.com): every call is a form that names an
/// action, every answer HTTP 200 with a status of its own, a code is valid for half a minute, and a permission is
/// revoked by a signed request. 120 requests a minute for all users together. Its notices need a subscription for
/// each person and are not used: data is fetched by the hour.
extension WearableProvider {
    package static let withings = WearableProvider(
        name: "withings", title: "Withings", source: .withings,
        addresses: ProviderAddresses(
            authorize: "https://account.withings.com/oauth2_user/authorize2",
            token: "https://wbsapi.withings.net/v2/oauth2",
            revoke: "https://wbsapi.withings.net/v2/oauth2", api: "https://wbsapi.withings.net"),
        wishes: [], scopes: [ProviderScope(name: scope, word: "withings_activity")],
        quota: ProviderQuota(project: 7_200, isShared: true),
        dialect: ProviderDialect(
            wishes: [("action", "requesttoken")], separator: ",", user: "userid", codeSeconds: 30,
            tokens: WithingsAnswer.tokens, data: WithingsAnswer.data),
        revocation: ProviderRevocation(end: WithingsPerson.revoke),
        streams: [
            ProviderStream(
                name: "activity", covers: WithingsReading.sums.map(\.type.rawValue), scope: scope, days: 30
            ) { try WithingsReading.activity($0, $1) },
            ProviderStream(name: MeasurementType.heartRate.rawValue, scope: scope, days: 1) {
                try WithingsReading.beats($0, $1)
            },
            ProviderStream(name: "sleep", scope: scope, days: 30) { try WithingsReading.sleeps($0, $1) },
        ],
        identify: { _ in nil }, named: { _ in nil })

    private static let scope = "user.activity"
}

/// Reads the envelope of every answer.
enum WithingsAnswer {
    @Sendable static func data(_ reply: OutboundReply, at now: Instant) throws -> JSON {
        let json = try opened(reply, at: now)
        switch Reading.number(json["status"]).flatMap({ Int(exactly: $0) }) {
        case 0?:
            guard let body = json["body"] else { throw LinkFault.noJSON }
            return body
        case 100?, 101?, 102?, 200?, 401?: throw LinkFault.refused
        case 214?, 277?, 2553?, 2554?, 2555?: throw LinkFault.forbidden
        // Its limits are by the minute.
        case 601?: throw LinkFault.busy(until: LinkFault.rest("60", now))
        case nil: throw LinkFault.noJSON
        default: throw LinkFault.failed
        }
    }

    @Sendable static func tokens(_ reply: OutboundReply, at now: Instant) throws -> JSON {
        do {
            return try data(reply, at: now)
        } catch LinkFault.refused {
            throw LinkFault.consentEnded
        } catch LinkFault.forbidden {
            throw LinkFault.client
        } catch LinkFault.failed where reply.status == 200 {
            // 503: a parameter is wrong. Only the sentence beside it tells which: the person's token, or our own name.
            let json = try opened(reply, at: now)
            guard json["status"]?.number == 503 else { throw LinkFault.failed }
            let isToken = json["error"]?.string?.contains("refresh_token") == true
            throw isToken ? LinkFault.consentEnded : LinkFault.client
        }
    }

    private static func opened(_ reply: OutboundReply, at now: Instant) throws -> JSON {
        if let fault = LinkFault(reply, at: now) { throw fault }
        guard let json = try? JSON.parse(reply.body), case .object = json else { throw LinkFault.noJSON }
        return json
    }
}

/// Revoking a person's permission at Withings.
enum WithingsPerson {
    /// Ends the permission: with a nonce that is valid once, signed with our secret.
    @Sendable static func revoke(
        _ tokens: LinkTokens, _ provider: ConfiguredProvider, at now: Instant
    ) throws {
        guard let user = tokens.user else { throw LinkFault.failed }
        let moment = "\(now.seconds)"
        let first = try provider.ask(
            provider.addresses.api + "/v2/signature",
            signed("getnonce", moment, provider) + [("timestamp", moment)])
        guard let nonce = try WithingsAnswer.data(first, at: now)["nonce"]?.string else {
            throw LinkFault.noJSON
        }
        let reply = try provider.ask(
            provider.addresses.revoke,
            signed("revoke", nonce, provider) + [("nonce", nonce), ("userid", user)])
        _ = try WithingsAnswer.data(reply, at: now)
    }

    /// HMAC with SHA-256 over the values in the order of their names, separated by commas.
    private static func signed(
        _ action: String, _ word: String, _ provider: ConfiguredProvider
    ) -> [(String, String)] {
        let message = Array("\(action),\(provider.clientID),\(word)".utf8)
        let code = Digest.hmacSHA256(key: Array(provider.clientSecret.utf8), message)
        return [
            ("action", action), ("client_id", provider.clientID), ("signature", hexadecimalDigits(code)),
        ]
    }
}

/// Fetches data from Withings and makes days of it.
enum WithingsReading {
    /// The sums in the summary of a day; calories are those of activity.
    static let sums: [DayTotals.Member] = [
        (.steps, "steps"), (.distance, "distance"), (.activeEnergy, "calories"),
    ]
    /// The seconds of a request for single heart rates.
    private static let longest: Int64 = 86_400

    static func activity(_ window: LinkWindow, _ calls: LinkCalls) throws -> FetchedWindow {
        var totals = DayTotals(sums)
        let wanted = sums.map(\.name).joined(separator: ",")
        let form = [
            ("action", "getactivity"), ("startdateymd", window.first.text),
            ("enddateymd", window.last.text), ("data_fields", wanted),
        ]
        try pages("/v2/measure", form, calls) { body in
            for day in body["activities"]?.array ?? [] {
                guard let date = day["date"]?.string.flatMap({ LocalDate($0) }) else { continue }
                totals.add(day, of: date, isMain: day["is_tracker"] == .bool(true))
            }
        }
        return totals.fetched(window.dates)
    }

    static func beats(_ window: LinkWindow, _ calls: LinkCalls) throws -> FetchedWindow {
        var beats = Beats(window)
        var begin = window.begin
        // A day on which the clocks are set back is longer than one request.
        while begin < window.end {
            let end = min(begin.adding(seconds: longest), window.end)
            let body = try calls.post(
                "/v2/measure",
                form: [
                    ("action", "getintradayactivity"), ("startdate", "\(begin.seconds)"),
                    ("enddate", "\(end.seconds - 1)"), ("data_fields", "heart_rate"),
                ])
            // By the second since 1970; an empty series is a list.
            if case .object(let samples)? = body["series"] {
                for sample in samples {
                    let moment = Int64(sample.key).flatMap { seconds in
                        (0...253_402_300_799).contains(seconds) ? Instant(milliseconds: seconds * 1_000) : nil
                    }
                    try beats.add(Reading.number(sample.value["heart_rate"]), at: moment)
                }
            }
            begin = end
        }
        return beats.fetched
    }

    static func sleeps(_ window: LinkWindow, _ calls: LinkCalls) throws -> FetchedWindow {
        var sleeps: [FetchedSleep] = []
        let fields = "total_sleep_time,wakeupduration,sleep_latency,wakeupcount"
        // Requested by Withings' dates, a day more on both sides; sleeps that end outside of the window are ignored.
        let form = [
            ("action", "getsummary"), ("startdateymd", window.first.adding(days: -1).text),
            ("enddateymd", window.last.adding(days: 1).text), ("data_fields", fields),
        ]
        try pages("/v2/sleep", form, calls) { body in
            for night in body["series"]?.array ?? [] {
                guard let sleep = sleep(night, now: window.now),
                    (window.begin..<window.end).contains(sleep.endsAt)
                else { continue }
                guard sleeps.count < Reading.mostSleeps else { throw LinkFault.endless }
                let id = Reading.number(night["id"]).flatMap { Int64(exactly: $0) }.map(String.init)
                sleeps.append(FetchedSleep(name: id ?? sleep.startsAt.text, sleep: sleep))
            }
        }
        return FetchedWindow(sleeps: sleeps, knowsSleeps: window.begin..<window.end)
    }

    private static func sleep(_ night: JSON, now: Instant) -> Sleep? {
        let moment = { (name: String) -> Instant? in
            Reading.number(night[name], in: 0...253_402_300_799).map {
                Instant(milliseconds: Int64($0) * 1_000)
            }
        }
        guard var sleep = Reading.sleep(from: moment("startdate"), until: moment("enddate"), now: now)
        else { return nil }
        let data = night["data"]
        sleep.minutesAsleep = Reading.minutes(data?["total_sleep_time"])
        sleep.minutesAwake = Reading.minutes(data?["wakeupduration"])
        sleep.minutesToFallAsleep = Reading.minutes(data?["sleep_latency"])
        sleep.awakenings = Reading.number(data?["wakeupcount"], in: 0...10_000).map { Int($0) }
        if let asleep = Reading.number(data?["total_sleep_time"], in: 0...86_400) {
            sleep.efficiency = Reading.efficiency(of: asleep, in: sleep)
        }
        return sleep
    }

    private static func pages(
        _ path: String, _ form: [(String, String)], _ calls: LinkCalls, _ take: (JSON) throws -> Void
    ) throws {
        var asked = form
        for _ in 0..<Reading.mostPages {
            let body = try calls.post(path, form: asked)
            try take(body)
            guard body["more"] == .bool(true) || Reading.number(body["more"]) == 1,
                let offset = Reading.number(body["offset"], in: 1...1_000_000)
            else { return }
            asked = form + [("offset", "\(Int(offset))")]
        }
        throw LinkFault.endless
    }
}
