import Foundation
import HTTP
import Identity
import JSON
import Locks
import Outbound
import Records
import Scheduling
import Testing
import Wire

@testable import PortalTesting
@testable import WearableLinks
@testable import Web

/// FB-1: the second row of the table. Answers are written from the public documents of the Oura API.
@Suite struct OuraTests {
    let portal: TestPortal
    private let oura = FakeOura()

    init() throws {
        portal = try TestPortal { $0.requestsPerMinute = 0 }
        portal.services.part(WearableSignal.self).set(oura.configured())
    }

    private let path = "/my/wearables/oura"

    private func link() {
        let (asked, confirmed) = linkOverCalls(portal, "oura")
        #expect(
            asked.hasPrefix("https://cloud.ouraring.com/oauth/authorize?")
                && asked.contains("daily%20heartrate%20spo2"))
        #expect(
            confirmed.status == 200 && confirmed.attributes["state"]?.string == "live", "\(confirmed.text)")
    }

    private func pull() throws { _ = try PullRound(portal.services).go() }

    private func day(_ type: String, _ date: String) -> JSON? { measured(portal, type, date) }

    @Test func `FB-1 days, nights and heartbeats arrive, page by page, over the change of the clock`() throws
    {
        link()
        try pull()
        let wearable = wearable(portal, "oura")
        #expect(wearable?["problem"] == .null && wearable?["last_pull_at"]?.string == portal.now.text)
        #expect(day("steps", "2026-11-18")?["total"]?.number == 8_123)
        #expect(day("steps", "2026-11-18")?["source"]?.string == "oura")
        #expect(day("distance", "2026-11-18")?["total"]?.number == 6_200)
        #expect(day("active_energy", "2026-11-18")?["total"]?.number == 430)
        #expect(day("resting_heart_rate", "2026-11-18")?["mean"]?.number == 52)
        #expect(day("hrv_rmssd", "2026-11-18")?["mean"]?.number == 48)
        #expect(day("oxygen_saturation", "2026-11-18")?["mean"]?.number == 97.5)
        let beats = day("heart_rate", "2026-10-25")
        #expect(beats?["n"]?.number == 2 && beats?["mean"]?.number == 65)
        let sleeps = portal.call(.get, "/my/sleeps", as: .pia).list.compactMap { $0["attributes"] }
        // Neither a rest nor what was deleted at the provider's.
        #expect(sleeps.count == 3)
        let night = sleeps.first { $0["minutes_asleep"]?.number == 420 }
        #expect(night?["efficiency"]?.number == 88 && night?["minutes_to_fall_asleep"]?.number == 10)
        #expect(night?["restless_count"]?.number == 120 && night?["minutes_awake"]?.number == 40)
        #expect(portal.get("/my/health", as: .pia).status == 200)
        // Nothing of a date that was not asked for.
        #expect(try portal.count("measurement_days") == 7)
    }

    @Test func `FB-1 the permission is taken back as Oura wants it, and the data goes along`() throws {
        link()
        try pull()
        #expect(portal.call(.delete, path + "?data=remove", as: .pia).status == 204)
        let revoked = oura.asked.withLock { $0.filter { $0.contains("/oauth/revoke") } }
        #expect(revoked == ["https://api.ouraring.com/oauth/revoke?access_token=oura-access-1"])
        #expect(try portal.count("measurement_days") == 0)
        #expect(portal.call(.get, "/my/sleeps", as: .pia).list.isEmpty)
    }

    @Test func `W8 answers that are none leave the link alive with a word`() throws {
        link()
        for (answer, word) in [("<html>", "no_json"), (#"{"data": [], "next_token": "x"}"#, "endless")] {
            oura.instead.withLock { $0 = answer }
            try pull()
            let wearable = wearable(portal, "oura")
            #expect(wearable?["state"]?.string == "live" && wearable?["problem"]?.string == word)
            portal.wait(seconds: 14_401)
            try portal.wait(awake: 0)
        }
        oura.instead.withLock {
            $0 = #"{"data": [5, null, {"day": "x"}, {"day": "2026-11-18", "steps": 1e300}]}"#
        }
        try pull()
        #expect(try portal.count("measurement_days") == 0)
        #expect(wearable(portal, "oura")?["problem"] == .null)
    }
}

/// Collections of one person, whatever is asked for: what lies outside of the window is the reader's affair.
private final class FakeOura: Sendable {
    let asked = Lock<[String]>([])
    /// What data is answered by, where it is something else.
    let instead = Lock<String?>(nil)

    func configured() -> ConfiguredProvider {
        ConfiguredProvider(
            .oura, addresses: WearableProvider.oura.addresses, clientID: "c", clientSecret: "s",
            hookSecret: nil
        ) { [self] request, use in
            asked.withLock { $0.append(request.url) }
            if use == .tokens {
                let count = asked.withLock { $0.count { $0.hasSuffix("/oauth/token") } }
                return .success(
                    FakeHealth.reply(
                        200,
                        """
                        {"access_token": "oura-access-\(count)", "refresh_token": "oura-refresh-\(count)",
                         "expires_in": 86400, "token_type": "bearer"}
                        """))
            }
            if let text = instead.withLock({ $0 }) { return .success(FakeHealth.reply(200, text)) }
            return .success(FakeHealth.reply(200, Self.answer(request.url)))
        }
    }

    private static func answer(_ url: String) -> String {
        let collection = url.split(separator: "?")[0].split(separator: "/").last.map(String.init) ?? ""
        switch collection {
        case "daily_activity":
            return """
                {"data": [{"day": "2026-11-18", "steps": 8123, "active_calories": 430, "equivalent_walking_distance": 6200},
                          {"day": "2026-09-01", "steps": 1}], "next_token": null}
                """
        case "daily_spo2":
            return
                #"{"data": [{"day": "2026-11-18", "spo2_percentage": {"average": 97.5}}], "next_token": null}"#
        case "heartrate":
            // The second of two pages.
            let beat = { (time: String, rate: Int) in
                #"{"timestamp": "\#(time)", "bpm": \#(rate), "source": "rest"}"#
            }
            if url.contains("next_token=more") {
                return #"{"data": [\#(beat("2026-10-25T12:05:00+01:00", 70))], "next_token": null}"#
            }
            return #"{"data": [\#(beat("2026-10-25T02:30:00+02:00", 60))], "next_token": "more"}"#
        case "sleep":
            let sleep = { (id: String, type: String, begin: String, end: String) in
                """
                {"id": "\(id)", "day": "2026-11-18", "type": "\(type)", "bedtime_start": "\(begin)", "bedtime_end": "\(end)",
                 "total_sleep_duration": \(type == "long_sleep" ? 25200 : 1200), "awake_time": 2400, "latency": 600,
                 "restless_periods": 120, "efficiency": 88, "lowest_heart_rate": 52, "average_hrv": 48}
                """
            }
            let all = [
                sleep("a", "long_sleep", "2026-11-17T23:10:00+01:00", "2026-11-18T07:00:00+01:00"),
                // An afternoon that lasted as long as a night, told behind it (RP-108).
                sleep("e", "long_sleep", "2026-11-18T14:30:00+01:00", "2026-11-18T17:40:00+01:00")
                    .replacing("25200", with: "10000").replacing(": 52", with: ": 66").replacing(
                        ": 48", with: ": 30"),
                sleep("b", "late_nap", "2026-11-18T14:00:00+01:00", "2026-11-18T14:25:00+01:00"),
                sleep("c", "rest", "2026-11-18T16:00:00+01:00", "2026-11-18T16:30:00+01:00"),
                sleep("d", "deleted", "2026-11-18T18:00:00+01:00", "2026-11-18T18:30:00+01:00"),
            ]
            return #"{"data": [\#(all.joined(separator: ","))], "next_token": null}"#
        default: return "{}"
        }
    }
}
