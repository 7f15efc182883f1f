import Foundation
import HTTP
import JSON
import Locks
import Outbound
import Records
import Testing
import Wire

@testable import PortalTesting
@testable import WearableLinks
@testable import Web

/// FB-1: a provider whose tokens last, and which needs people registered. Answers are written from Polar's public
/// documents.
@Suite struct PolarTests {
    let portal: TestPortal
    private let polar = FakePolar()

    init() throws {
        portal = try TestPortal { $0.requestsPerMinute = 0 }
        portal.services.part(WearableSignal.self).set(madeUp(.polar, polar.answer))
    }

    private let path = "/my/wearables/polar"

    private func pull() throws { _ = try PullRound(portal.services).go() }

    private func asked(_ part: String) -> [OutboundRequest] {
        polar.state.withLock { $0.asked.filter { $0.url.contains(part) } }
    }

    @Test
    func `FB-1 a name goes in a header, and whoever is linked is registered under a word of no other use`()
        throws
    {
        let (address, confirmed) = linkOverCalls(portal, "polar")
        #expect(address.hasPrefix("https://flow.polar.com/oauth2/authorization?"))
        #expect(address.contains("scope=accesslink.read_all"))
        #expect(confirmed.status == 200, "\(confirmed.text)")
        let token = try #require(asked("/oauth2/token").first)
        let form = String(decoding: token.body, as: UTF8.self)
        let header = token.headers.first { $0.0 == "Authorization" }?.1
        let pair = Data("polar-client:polar-secret".utf8).base64EncodedString()
        #expect(header == "Basic \(pair)" && !form.contains("secret"))
        #expect(form.contains("grant_type=authorization_code") && form.contains("code=a-code"))
        let enrolled = try #require(asked("/v3/users").first)
        #expect(enrolled.headers.contains { $0 == ("Authorization", "Bearer polar-10579") })
        let member = try JSON.parse(enrolled.body)["member-id"]?.string
        #expect(member?.count == 36 && member != portal.cast.accounts[.pia]?.text)
        // About a year, as the answer says it.
        let expires = wearable(portal, "polar")?["expires_at"]?.string
        #expect(expires == portal.now.adding(seconds: 31_535_999).text)
        #expect(wearable(portal, "polar")?["missing"]?.array?.isEmpty == true)
    }

    @Test func `FB-1 days, beats by the clock of the device and nights arrive, also where the clocks change`()
        throws
    {
        _ = linkOverCalls(portal, "polar")
        try pull()
        let link = wearable(portal, "polar")
        #expect(link?["problem"] == .null && link?["last_pull_at"]?.string == portal.now.text)
        #expect(measured(portal, "steps", "2026-11-18")?["total"]?.number == 8_823)
        #expect(measured(portal, "steps", "2026-11-18")?["source"]?.string == "polar")
        #expect(measured(portal, "distance", "2026-11-18")?["total"]?.number == 4_590.5)
        #expect(measured(portal, "active_energy", "2026-11-18")?["total"]?.number == 1_500)
        #expect(measured(portal, "steps", "2026-11-20")?["total"]?.number == 100)
        #expect(measured(portal, "steps", "2026-11-17") == nil)
        #expect(measured(portal, "hrv_rmssd", "2026-11-18")?["mean"]?.number == 28)
        let beats = measured(portal, "heart_rate", "2026-10-25")
        #expect(beats?["n"]?.number == 3 && beats?["min"]?.number == 60 && beats?["max"]?.number == 66)
        let document = portal.call(.get, "/my/measurement-days/heart_rate/2026-10-25?source=polar", as: .pia)
        let offsets = document.attributes["series"]?.array?.compactMap { $0.array?.first?.number }
        // 07:00 is eight hours after the first instant of a day of 25.
        #expect(offsets == [1_800, 28_800, 89_999], "\(document.text)")
        let sleeps = portal.call(.get, "/my/sleeps", as: .pia).list.compactMap { $0["attributes"] }
        // Neither one that is longer than a day nor one that is not over.
        #expect(sleeps.count == 2)
        #expect(
            sleeps.first?["minutes_asleep"]?.number == 450 && sleeps.first?["minutes_awake"]?.number == 20)
        #expect(portal.get("/my/health", as: .pia).status == 200)
    }

    @Test func `FB-1 what is no longer told of is not taken for deleted`() throws {
        _ = linkOverCalls(portal, "polar")
        try pull()
        #expect(measured(portal, "hrv_rmssd", "2026-11-20")?["mean"]?.number == 31)
        #expect(portal.call(.get, "/my/sleeps", as: .pia).list.count == 2)
        // Weeks in which nothing could be fetched: this morning is asked for again, and not among the last 28 days any more.
        polar.state.withLock { $0.isDown = true }
        try portal.wait(awake: 29)
        polar.state.withLock {
            $0.isDown = false
            $0.isEmpty = true
        }
        try pull()
        #expect(wearable(portal, "polar")?["problem"] == .null)
        #expect(measured(portal, "hrv_rmssd", "2026-11-20") != nil)
        #expect(try portal.count("health_records") == 2)
        // A day of which nothing is there any more is another matter.
        #expect(measured(portal, "steps", "2026-11-20") == nil)
    }

    @Test
    func `FB-1 a token that is not taken any more is asked for again, for there is none to renew it with`()
        throws
    {
        _ = linkOverCalls(portal, "polar")
        polar.state.withLock { $0.status = 401 }
        try pull()
        #expect(wearable(portal, "polar")?["state"]?.string == "needs_consent")
        #expect(asked("/oauth2/token").count == 1)
        #expect(portal.get("/my/notices", as: .pia).text.contains("Polar gibt keine Messwerte mehr weiter"))
        #expect(portal.get("/my/wearables", as: .pia).text.contains("Neu erlauben"))
    }

    @Test func `W8 whoever may not be registered is not linked, and the token goes back`() throws {
        polar.state.withLock { $0.enrolment = 403 }
        let confirmed = linkOverCalls(portal, "polar").confirmed
        #expect(confirmed.status == 409, "\(confirmed.text)")
        #expect(try portal.count("wearable_links") == 0)
        #expect(polar.state.withLock { $0.removed } == ["10579"])
        // Known there from an earlier link is as good.
        polar.state.withLock { $0.enrolment = 409 }
        #expect(linkOverCalls(portal, "polar").confirmed.status == 200)
    }

    @Test func `FB-1 another account in the place of one takes the first permission back and begins anew`()
        throws
    {
        _ = linkOverCalls(portal, "polar")
        try pull()
        let first = asked("/v3/users/activities/").count
        _ = linkOverCalls(portal, "polar")
        #expect(polar.state.withLock { $0.removed }.isEmpty)
        polar.state.withLock { $0.user = 20_000 }
        _ = linkOverCalls(portal, "polar")
        #expect(polar.state.withLock { $0.removed } == ["10579"])
        #expect(wearable(portal, "polar")?["state"]?.string == "live")
        try pull()
        #expect(asked("/v3/users/activities/").count == first * 2)
        // What the first had told stays: it is the person's own.
        #expect(measured(portal, "steps", "2026-11-18") != nil)
    }

    @Test func `FB-1 unlinking ends the registration, and a token that ended before is no failure`() throws {
        _ = linkOverCalls(portal, "polar")
        try pull()
        #expect(portal.call(.delete, path + "?data=remove", as: .pia).status == 204)
        let removal = try #require(asked("/v3/users/10579").last)
        #expect(removal.method == "DELETE")
        #expect(removal.headers.contains { $0 == ("Authorization", "Bearer polar-10579") })
        #expect(try portal.count("measurement_days") == 0)
        _ = linkOverCalls(portal, "polar")
        polar.state.withLock { $0.status = 401 }
        #expect(portal.post(path + "/removal", [("data", "keep")], as: .pia).status == 303)
        #expect(try portal.count("wearable_links") == 0)
        #expect(!portal.logged.contains { $0.contains("wearable not revoked") })
    }

    @Test func `W8 what is made up is no value, and no list is endless`() throws {
        _ = linkOverCalls(portal, "polar")
        polar.state.withLock {
            $0.instead = """
                {"steps": 1e300, "active_calories": "x", "heart_rate_samples": [{"heart_rate": 5, "sample_time": "25:00:00"},
                 {"heart_rate": 70}, 3, null], "nights": [{"sleep_start_time": 5}], "recharges": [{"date": "x"}]}
                """
        }
        try pull()
        #expect(wearable(portal, "polar")?["problem"] == .null)
        #expect(try portal.count("measurement_days") == 0)
        polar.state.withLock { $0.instead = "<html>" }
        portal.wait(seconds: 14_401)
        try portal.wait(awake: 0)
        try pull()
        #expect(wearable(portal, "polar")?["state"]?.string == "live")
        #expect(wearable(portal, "polar")?["problem"]?.string == "no_json")
    }
}

/// AccessLink for one person at a time.
private final class FakePolar: Sendable {
    struct State: Sendable {
        var asked: [OutboundRequest] = []
        var user = 10_579
        var enrolment = 200
        var removed: [String] = []
        /// Of every call for data, and of removals.
        var status: Int?
        var instead: String?
        var isDown = false
        var isEmpty = false
    }

    let state = Lock(State())

    @Sendable func answer(_ request: OutboundRequest) -> OutboundReply {
        state.withLock { state in
            state.asked.append(request)
            let path = request.url
            if path.hasSuffix("/v2/oauth2/token") {
                return FakeHealth.reply(
                    200,
                    """
                    {"access_token": "polar-\(state.user)", "token_type": "bearer", "expires_in": 31535999,
                     "x_user_id": \(state.user)}
                    """)
            }
            if path.hasSuffix("/v3/users") { return FakeHealth.reply(state.enrolment, "{}") }
            if let status = state.status { return FakeHealth.reply(status, "") }
            if request.method == "DELETE" {
                state.removed.append(String(path.split(separator: "/").last ?? ""))
                return FakeHealth.reply(204, "")
            }
            if state.isDown { return FakeHealth.reply(500, "") }
            if let text = state.instead { return FakeHealth.reply(200, text) }
            return Self.data(path, isEmpty: state.isEmpty)
        }
    }

    private static func data(_ path: String, isEmpty: Bool) -> OutboundReply {
        let reply = { (text: String) in FakeHealth.reply(200, text) }
        if path.hasSuffix("/nightly-recharge") {
            return reply(
                isEmpty
                    ? #"{"recharges": []}"#
                    : """
                    {"recharges": [{"date": "2026-11-18", "heart_rate_variability_avg": 28},
                                   {"date": "2026-11-20", "heart_rate_variability_avg": 31}]}
                    """)
        }
        if path.hasSuffix("/users/sleep") {
            let night = { (begin: String, end: String) in
                """
                {"date": "2026-11-18", "sleep_start_time": "\(begin)", "sleep_end_time": "\(end)", "light_sleep": 15000,
                 "deep_sleep": 6000, "rem_sleep": 5400, "unrecognized_sleep_stage": 600, "total_interruption_duration": 1200}
                """
            }
            let nights = [
                night("2026-11-17T23:10:00+01:00", "2026-11-18T07:00:00+01:00"),
                night("2026-11-19T22:30:00+01:00", "2026-11-20T06:30:00+01:00"),
                night("2026-11-10T23:10:00+01:00", "2026-11-18T07:00:00+01:00"),
                night("2026-11-20T08:00:00+01:00", "2026-11-20T18:00:00+01:00"),
            ]
            return reply(#"{"nights": [\#(isEmpty ? "" : nights.joined(separator: ","))]}"#)
        }
        if path.hasSuffix("/activities/2026-11-18"), !isEmpty {
            return reply(#"{"steps": 8823, "active_calories": 1500, "distance_from_steps": 4590.5}"#)
        }
        if path.hasSuffix("/activities/2026-11-20"), !isEmpty { return reply(#"{"steps": 100}"#) }
        if path.hasSuffix("/continuous-heart-rate/2026-10-25"), !isEmpty {
            let beat = { (rate: Int, time: String) in
                #"{"heart_rate": \#(rate), "sample_time": "\#(time)"}"#
            }
            let all = [beat(60, "00:30:00"), beat(63, "07:00:00"), beat(66, "23:59:59")]
            return reply(#"{"heart_rate_samples": [\#(all.joined(separator: ","))]}"#)
        }
        // Days of which nothing is known: 204 of activity, 404 of beats.
        return FakeHealth.reply(path.contains("/activities/") ? 204 : 404, "")
    }
}
