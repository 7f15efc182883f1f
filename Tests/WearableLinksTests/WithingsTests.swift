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

/// FB-1: a provider whose answers stand in an envelope. They are written from the public documents of Withings.
@Suite struct WithingsTests {
    let portal: TestPortal
    private let withings = FakeWithings()

    init() throws {
        portal = try TestPortal { $0.requestsPerMinute = 0 }
        portal.services.part(WearableSignal.self).set(madeUp(.withings, withings.answer))
    }

    private let path = "/my/wearables/withings"

    private func pull() throws { _ = try PullRound(portal.services).go() }

    private func forms(_ action: String) -> [[String: String]] {
        withings.state.withLock { $0.asked.filter { $0["action"] == action } }
    }

    @Test func `FB-1 tokens are asked for by an action, and what stands in the envelope counts`() throws {
        let (address, confirmed) = linkOverCalls(portal, "withings")
        #expect(address.hasPrefix("https://account.withings.com/oauth2_user/authorize2?"))
        #expect(address.contains("scope=user.activity&"))
        #expect(confirmed.status == 200, "\(confirmed.text)")
        let form = try #require(forms("requesttoken").first)
        #expect(form["grant_type"] == "authorization_code" && form["client_secret"] == "withings-secret")
        #expect(form["code"] == "a-code" && form["client_id"] == "withings-client")
        #expect(wearable(portal, "withings")?["scopes"] == .array([.string("user.activity")]))
    }

    @Test func `FB-1 what was not granted is missing by name, and nothing granted is nothing linked`() throws
    {
        withings.state.withLock { $0.scopes = "user.info,user.metrics" }
        let confirmed = linkOverCalls(portal, "withings").confirmed
        #expect(confirmed.status == 409, "\(confirmed.text)")
        #expect(try portal.count("wearable_links") == 0)
        #expect(forms("revoke").map { $0["userid"] } == ["363"])
        let missing = WearableProvider.withings.missing(granted: [])
        #expect(missing == ["steps", "distance", "active_energy", "heart_rate", "sleep"])
    }

    @Test func `FB-1 who has half a minute is told so before they confirm`() throws {
        let asked = portal.post(path + "/link", as: .pia).text
        let state = try #require(asked.firstMatch(of: /state=([A-Za-z0-9_-]+)/)).1
        #expect(portal.get("/wearables/callback?code=a-code&state=\(state)", as: .pia).status == 303)
        let page = portal.get(path + "/confirmation", as: .pia).text
        #expect(page.contains("verfällt die Zustimmung nach 30 Sekunden"))
        // A code that came too late is said as such, and nothing is linked.
        withings.state.withLock {
            $0.tokenAnswer = #"{"status": 503, "error": "Invalid Params: invalid code"}"#
        }
        #expect(portal.post(path + "/confirmation", as: .pia).status == 303)
        #expect(try portal.count("wearable_links") == 0)
    }

    @Test func `FB-1 days arrive page by page, and beats of a day of 25 hours in two stretches`() throws {
        _ = linkOverCalls(portal, "withings")
        try pull()
        let link = wearable(portal, "withings")
        #expect(link?["problem"] == .null && link?["last_pull_at"]?.string == portal.now.text)
        #expect(measured(portal, "steps", "2026-11-17")?["total"]?.number == 6_000)
        #expect(measured(portal, "steps", "2026-11-18")?["total"]?.number == 8_200)
        #expect(measured(portal, "steps", "2026-11-18")?["source"]?.string == "withings")
        #expect(measured(portal, "distance", "2026-11-18")?["total"]?.number == 5_800)
        #expect(measured(portal, "active_energy", "2026-11-18")?["total"]?.number == 310)
        let beats = measured(portal, "heart_rate", "2026-10-25")
        #expect(beats?["n"]?.number == 2 && beats?["mean"]?.number == 65)
        // From midnight in summer time to 24 hours later, which is 23:00 in winter time, and the hour that is left.
        let first = Instant("2026-10-24T22:00:00Z")?.seconds ?? 0
        let stretches = forms("getintradayactivity").compactMap { $0["startdate"].flatMap { Int64($0) } }
        #expect(stretches.contains(first) && stretches.contains(first + 86_400))
        #expect(forms("getintradayactivity").contains { $0["enddate"] == "\(first + 89_999)" })
        let sleeps = portal.call(.get, "/my/sleeps", as: .pia).list.compactMap { $0["attributes"] }
        #expect(sleeps.count == 1)
        let night = sleeps.first
        #expect(night?["minutes_asleep"]?.number == 420 && night?["minutes_to_fall_asleep"]?.number == 12)
        #expect(night?["awakenings"]?.number == 2 && night?["minutes_awake"]?.number == 30)
        // Seven of eight hours.
        #expect(night?["efficiency"]?.number == 87.5)
    }

    @Test func `FB-1 a token that ended before its time is renewed in the middle of a look`() throws {
        _ = linkOverCalls(portal, "withings")
        withings.state.withLock { $0.refused = ["withings-access-1"] }
        try pull()
        #expect(wearable(portal, "withings")?["problem"] == .null)
        let renewal = try #require(forms("requesttoken").last)
        #expect(renewal["grant_type"] == "refresh_token" && renewal["refresh_token"] == "withings-refresh-1")
        #expect(measured(portal, "steps", "2026-11-18") != nil)
    }

    @Test(arguments: [
        (#"{"status": 601, "error": "Too Many Requests"}"#, "busy", "live"),
        (#"{"status": 2555, "error": "x"}"#, "forbidden", "live"),
        (#"{"status": 522, "error": "Timeout"}"#, "failed", "live"),
        (#"{"status": "0"}"#, "no_json", "live"), (#"{"body": {}}"#, "no_json", "live"),
        ("[]", "no_json", "live"), ("<html>", "no_json", "live"),
        (#"{"status": 0, "body": {"more": true, "offset": 5}}"#, "endless", "live"),
        (#"{"status": 401, "body": {}, "error": "invalid_token"}"#, "refused", "live"),
    ])
    func `W8 whatever stands in the envelope, the link is live or wants consent, with a word`(
        answer: String, problem: String, state: String
    ) throws {
        _ = linkOverCalls(portal, "withings")
        withings.state.withLock { $0.instead = answer }
        try pull()
        #expect(wearable(portal, "withings")?["problem"]?.string == problem)
        #expect(wearable(portal, "withings")?["state"]?.string == state)
        #expect(portal.get("/my/wearables", as: .pia).status == 200)
        #expect(try portal.count("measurement_days") == 0)
    }

    @Test(arguments: [
        (#"{"status": 503, "error": "Invalid Params: invalid refresh_token"}"#, "needs_consent"),
        (#"{"status": 401, "error": "x"}"#, "needs_consent"),
        (#"{"status": 503, "error": "Invalid Params: invalid client_id"}"#, "live"),
        (#"{"status": 601, "error": "x"}"#, "live"), ("{}", "live"),
    ])
    func `W8 a refusal to renew is the person's to mend, ours, or nobody's`(answer: String, state: String)
        throws
    {
        _ = linkOverCalls(portal, "withings")
        portal.wait(seconds: 10_800)
        try portal.wait(awake: 0)
        withings.state.withLock { $0.tokenAnswer = answer }
        try pull()
        #expect(wearable(portal, "withings")?["state"]?.string == state)
        #expect(wearable(portal, "withings")?["problem"] != .null)
    }

    @Test func `FB-1 the permission is taken back by a request that is signed`() throws {
        _ = linkOverCalls(portal, "withings")
        #expect(portal.call(.delete, path + "?data=keep", as: .pia).status == 204)
        let nonce = try #require(forms("getnonce").first)
        #expect(nonce["timestamp"] == "\(portal.now.seconds)" && nonce["signature"]?.count == 64)
        let revoked = try #require(forms("revoke").first)
        #expect(revoked["userid"] == "363" && revoked["nonce"] == "word-1")
        // Of `revoke,withings-client,word-1`, as Python's hmac reckons it.
        #expect(
            revoked["signature"] == "c7594ca260420ecc03688d3f551048e07ea28ab4e6f0eb107579403ed6eff084")
        #expect(!portal.logged.contains { $0.contains("wearable not revoked") })
    }
}

/// The API for one person, however often they link.
private final class FakeWithings: Sendable {
    struct State: Sendable {
        var asked: [[String: String]] = []
        var scopes = "user.info,user.activity"
        var tokenAnswer: String?
        /// What every call for data is answered by.
        var instead: String?
        var refused: Set<String> = []
        var tokens = 0
    }

    let state = Lock(State())

    @Sendable func answer(_ request: OutboundRequest) -> OutboundReply {
        state.withLock { state in
            let pairs = String(decoding: request.body, as: UTF8.self).split(separator: "&").map { part in
                let halves = part.split(separator: "=", maxSplits: 1).map(String.init)
                return (halves[0], halves.count > 1 ? halves[1].removingPercentEncoding ?? "" : "")
            }
            let form = Dictionary(pairs) { first, _ in first }
            state.asked.append(form)
            return FakeHealth.reply(200, Self.text(form, request, &state))
        }
    }

    private static func text(_ form: [String: String], _ request: OutboundRequest, _ state: inout State)
        -> String
    {
        switch form["action"] {
        case "requesttoken":
            if let answer = state.tokenAnswer { return answer }
            state.tokens += 1
            return """
                {"status": 0, "body": {"userid": "363", "access_token": "withings-access-\(state.tokens)",
                 "refresh_token": "withings-refresh-\(state.tokens)", "expires_in": 10800, "scope": "\(state.scopes)",
                 "token_type": "Bearer"}}
                """
        case "getnonce": return #"{"status": 0, "body": {"nonce": "word-1"}}"#
        case "revoke": return #"{"status": 0, "body": {}}"#
        default: break
        }
        let token = request.headers.first { $0.0 == "Authorization" }?.1.dropFirst(7) ?? ""
        if state.refused.contains(String(token)) {
            return #"{"status": 401, "body": {}, "error": "invalid_token"}"#
        }
        if let answer = state.instead { return answer }
        return #"{"status": 0, "body": \#(data(form))}"#
    }

    private static func data(_ form: [String: String]) -> String {
        switch form["action"] {
        case "getactivity":
            guard let first = form["startdateymd"], let last = form["enddateymd"],
                ("2026-11-18"..."2026-11-18").overlaps(first...last)
            else { return #"{"activities": [], "more": false}"# }
            if form["offset"] == "1" {
                return
                    #"""
                    {"activities": [
                        {"date": "2026-11-18", "is_tracker": true, "steps": 8200, "distance": 5800, "calories": 310},
                        {"date": "2026-11-18", "is_tracker": false, "steps": 9100, "distance": 100, "calories": null}],
                     "more": false}
                    """#
            }
            return
                #"{"activities": [{"date": "2026-11-17", "steps": 6000}, {"date": "2026-11-17", "steps": 120}], "more": true, "offset": 1}"#
        case "getintradayactivity":
            guard let begin = form["startdate"].flatMap({ Int64($0) }),
                let first = Instant("2026-10-24T22:00:00Z")
            else { return "{}" }
            let beat = { (rate: Int, at: Int64) in #"{"series": {"\#(at)": {"heart_rate": \#(rate)}}}"# }
            switch begin - first.seconds {
            case 0: return beat(60, begin + 7_200)
            case 86_400: return beat(70, begin + 1_800)
            default: return #"{"series": []}"#
            }
        case "getsummary":
            let begin = Instant("2026-11-17T22:30:00Z")?.seconds ?? 0
            return """
                {"series": [{"id": 987654321, "startdate": \(begin), "enddate": \(begin + 28_800), "date": "2026-11-18",
                  "data": {"total_sleep_time": 25200, "wakeupduration": 1800, "sleep_latency": 720, "wakeupcount": 2}},
                 {"id": 1, "startdate": \(begin), "enddate": "x"}, {"id": 2, "startdate": 9e99, "enddate": 5}], "more": false}
                """
        default: return "{}"
        }
    }
}
