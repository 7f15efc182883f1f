import Database
import Foundation
import HTTP
import Identity
import JSON
import Locks
import Records
import Testing
import Wire
import Wording

@testable import PortalTesting
@testable import WearableLinks
@testable import Wearables
@testable import Web

/// W8, W3: whatever a provider does, the link lives on or wants consent, the person reads a sentence, and nothing leaks.
@Suite struct FaultTests {
    let portal: TestPortal
    let health: FakeHealth

    init() throws { (portal, health) = try linkedPortal() }

    private var pia: ID<Account> { portal.cast.accounts[.pia] ?? "" }

    private func pull() throws { _ = try PullRound(portal.services).go() }

    private func own() -> JSON {
        portal.call(.get, "/my/wearables", as: .pia).list.first?["attributes"] ?? .null
    }

    static let faults: [(fault: FakeHealth.Fault, word: String)] = [
        (.status(400, [:]), "failed"), (.status(401, [:]), "refused"), (.status(403, [:]), "forbidden"),
        (.status(404, [:]), "failed"), (.status(500, [:]), "failed"),
        (.status(503, ["retry-after": "60"]), "busy"),
        (.status(429, [:]), "busy"), (.status(429, ["retry-after": "120"]), "busy"),
        (.status(429, ["retry-after": "-5"]), "busy"), (.status(429, ["retry-after": "canary"]), "busy"),
        (.status(429, ["retry-after": "99999999999999999999"]), "busy"), (.html, "no_json"),
        (.brokenJSON, "no_json"), (.redirect, "redirected"), (.tooLong, "too_long"), (.timeout, "timeout"),
        (.unreachable, "unreachable"), (.insecure, "insecure"), (.endless, "endless"),
    ]

    @Test(arguments: 0..<faults.count)
    func `W8 the link stays, the kind of error is kept, and all is well once the provider is`(index: Int)
        throws
    {
        let (fault, word) = Self.faults[index]
        try link(portal, health, .pia, user: 1)
        health.state.withLock { $0.fault = fault }
        try pull()
        let failed = own()
        #expect(failed["state"]?.string == "live" && failed["problem"]?.string == word, "\(failed)")
        #expect(failed["last_pull_at"] == .null)
        let page = portal.get("/my/wearables", as: .pia)
        #expect(page.status == 200)
        #expect(page.text.contains(portal.services.texts(.german)["wearables.problem_\(word)"]))
        #expect(try portal.count("measurement_days") == 0)
        let next = try #require(try present(portal, pia)).nextPullAt
        #expect(next > portal.now && next <= portal.now.adding(days: 31))
        #expect(portal.logged.contains { $0.contains("wearable not fetched") && $0.contains(word) })
        #expect(!portal.logged.contains { $0.contains("canary") })
        // Nothing is asked before.
        let calls = health.state.withLock { $0.calls[1]?.count }
        portal.wait(seconds: next.seconds - portal.now.seconds - 1)
        try pull()
        #expect(health.state.withLock { $0.calls[1]?.count } == calls)
        health.state.withLock { $0.fault = .none }
        portal.wait(seconds: 2)
        try portal.wait(awake: 0)
        try pull()
        if own()["problem"] != .null {
            // A provider that never came to an end has used up the hour.
            portal.wait(seconds: 3_600)
            try portal.wait(awake: 0)
            try pull()
        }
        #expect(own()["problem"] == .null && own()["last_pull_at"]?.string == portal.now.text)
        #expect(try portal.count("measurement_days") > 60)
    }

    @Test func `W8 a look that fails again and again waits longer each time, and never gives up`() throws {
        try link(portal, health, .pia, user: 1)
        health.state.withLock { $0.fault = .timeout }
        var pauses: [Int64] = []
        for _ in 0..<6 {
            try pull()
            let next = try #require(try present(portal, pia)).nextPullAt
            pauses.append(next.seconds - portal.now.seconds)
            portal.wait(seconds: pauses.last ?? 0)
        }
        #expect(pauses == [300, 900, 3_600, 14_400, 14_400, 14_400])
    }

    @Test func `W8 a token that ends before its time is renewed in the middle of a look`() throws {
        try link(portal, health, .pia, user: 1)
        health.state.withLock { $0.access = [:] }
        try pull()
        #expect(own()["problem"] == .null)
        #expect(health.state.withLock { $0.tokenCalls } == 1)
        #expect(try portal.count("measurement_days") > 60)
    }

    @Test func `W8 a permission that was taken back is asked for again, and the person is told once`() throws
    {
        try link(portal, health, .pia, user: 1)
        health.state.withLock { state in
            state.refresh = [:]
            state.access = [:]
        }
        try pull()
        #expect(own()["state"]?.string == "needs_consent" && own()["problem"]?.string == "consent_ended")
        #expect(try portal.changes().last == "wearable.consent_ended")
        let notices = portal.call(.get, "/my/notices", as: .pia).list
        #expect(notices.count { $0["attributes"]?["kind"]?.string == "wearable_consent" } == 1)
        #expect(
            portal.get("/my/notices", as: .pia).text.contains(
                "Google Health gibt keine Messwerte mehr weiter"))
        #expect(portal.get("/my/wearables", as: .pia).text.contains("Neu erlauben"))
        // No token is left, and none is requested any more.
        portal.wait(seconds: 86_400)
        try portal.wait(awake: 0)
        try pull()
        #expect(portal.call(.get, "/my/notices", as: .pia).list.count == notices.count)
        #expect(portal.call(.delete, "/my/wearables/google_health?data=keep", as: .pia).status == 204)
    }

    @Test func `W8 an address for tokens that fails keeps the tokens`() throws {
        for status in [401, 403, 404, 429, 500, 302] {
            try link(portal, health, .pia, user: 1)
            portal.wait(seconds: 4_000)
            try portal.wait(awake: 0)
            health.state.withLock { $0.tokenFault = status }
            try pull()
            #expect(own()["state"]?.string == "live", "\(status)")
            #expect(own()["problem"]?.string != nil)
            #expect(portal.get("/my/wearables", as: .pia).status == 200)
            health.state.withLock { $0.tokenFault = nil }
            let next = try #require(try present(portal, pia)).nextPullAt
            portal.wait(seconds: next.seconds - portal.now.seconds + 1)
            try portal.wait(awake: 0)
            try pull()
            #expect(own()["problem"] == .null, "\(status)")
        }
    }

    @Test
    func `W8 what a provider makes up is no value: numbers out of range, nights that cannot be, other dates`()
        throws
    {
        let usual = health.configured()
        let made = [
            #"{"dataPoints": 5}"#, #"{"dataPoints": [5, null, {}, {"steps": 5}]}"#,
            #"{"dataPoints": [{"steps": {"interval": {"startTime": "x", "endTime": "y"}, "count": "NaN"}}]}"#,
            #"{"dataPoints": [{"steps": {"interval": {"startTime": "2026-11-20T08:00:00Z", "endTime": "2026-11-20T07:00:00Z"}, "count": "-1"}}]}"#,
            #"{"dataPoints": [{"heartRate": {"sampleTime": {"physicalTime": "2026-11-20T06:00:00Z"}, "beatsPerMinute": "1e300"}}]}"#,
            #"{"dataPoints": [{"dailyRestingHeartRate": {"date": {"year": 1e300, "month": 99, "day": -1}, "beatsPerMinute": 60}}]}"#,
            #"{"dataPoints": [{"sleep": {"interval": {"startTime": "2026-11-20T00:00:00Z", "endTime": "2099-11-20T06:00:00Z"}}}]}"#,
            #"{"dataPoints": [{"sleep": {"interval": {"startTime": "2026-11-19T22:00:00Z", "endTime": "2026-11-20T05:00:00Z"}, "summary": {"minutesAsleep": "1e300", "stagesSummary": [{"type": "RESTLESS", "minutes": "1e300", "count": "-7"}]}}}]}"#,
            #"{"rollupDataPoints": [{"civilStartTime": {"date": {"year": 2026, "month": 11, "day": 20}}, "steps": {"countSum": "1e300"}}]}"#,
        ]
        for answer in made {
            try link(portal, health, .pia, user: 1)
            portal.services.part(WearableSignal.self).set(
                ConfiguredProvider(
                    usual.provider, addresses: usual.addresses, clientID: "c", clientSecret: "s",
                    hookSecret: nil
                ) { _, _ in .success(FakeHealth.reply(200, answer)) })
            try pull()
            #expect(own()["state"]?.string == "live", "\(answer)")
            for type in ["steps", "heart_rate", "resting_heart_rate"] {
                let range = "from=2026-10-20&to=2026-11-20"
                let days = portal.call(.get, "/my/measurement-days?type=\(type)&\(range)", as: .pia)
                #expect(days.status == 200 && days.list.isEmpty, "\(answer)")
            }
            #expect(portal.get("/my/health", as: .pia).status == 200)
            #expect(portal.call(.get, "/my/sleeps", as: .pia).status == 200)
            #expect(portal.call(.delete, "/my/wearables/google_health?data=remove", as: .pia).status == 204)
            // Another hour, and another quota: each answer is read by every stream.
            #expect(try portal.count("wearable_quotas") > 0)
            portal.wait(seconds: 3_600)
            try portal.wait(awake: 0)
        }
    }

    @Test func `W8 one kind of measurement that fails keeps none of the others away, now or later`() throws {
        try link(portal, health, .pia, user: 1)
        health.state.withLock { $0.fault = .failing("daily-oxygen-saturation") }
        let days = { (type: String) in
            portal.call(
                .get, "/my/measurement-days?type=\(type)&from=2026-10-20&to=2026-11-30", as: .pia
            ).list.count
        }
        try pull()
        #expect(own()["problem"]?.string == "failed")
        #expect(days("steps") == 31 && days("heart_rate") == 31)
        portal.wait(seconds: 2 * 86_400)
        try portal.wait(awake: 0)
        try pull()
        #expect(days("steps") == 33 && days("resting_heart_rate") == 33)
        #expect(own()["problem"]?.string == "failed")
    }

    @Test func `W5 a rest that was asked for holds for a link that is made anew, too`() throws {
        try link(portal, health, .pia, user: 1)
        health.state.withLock { $0.fault = .status(429, ["retry-after": "7200"]) }
        try pull()
        health.state.withLock { $0.fault = .none }
        #expect(portal.call(.delete, "/my/wearables/google_health?data=keep", as: .pia).status == 204)
        try link(portal, health, .pia, user: 1)
        let calls = health.state.withLock { $0.calls[1]?.count }
        try pull()
        portal.wait(seconds: 7_000)
        try pull()
        #expect(health.state.withLock { $0.calls[1]?.count } == calls)
        portal.wait(seconds: 300)
        try pull()
        #expect(try portal.count("measurement_days") > 60)
    }

    @Test func `FB-1 what was kept of one account is not emptied by another`() throws {
        try link(portal, health, .pia, user: 1)
        try pull()
        let total = { (date: String) in
            portal.call(.get, "/my/measurement-days?type=steps&from=\(date)&to=\(date)", as: .pia).list
                .first?[
                    "attributes"]?["total"]?.number
        }
        let before = total("2026-11-18")
        let sleeps = portal.call(.get, "/my/sleeps", as: .pia).list.count
        #expect(before != nil && sleeps > 20)
        #expect(portal.call(.delete, "/my/wearables/google_health?data=keep", as: .pia).status == 204)
        // The other account knows of nothing.
        let usual = health.configured()
        portal.services.part(WearableSignal.self).set(
            ConfiguredProvider(
                usual.provider, addresses: usual.addresses, clientID: "c", clientSecret: "s", hookSecret: nil
            ) { _, _ in .success(FakeHealth.reply(200, #"{"dataPoints": []}"#)) })
        portal.wait(seconds: 3_600)
        try portal.wait(awake: 0)
        try link(portal, health, .pia, user: 2)
        try pull()
        #expect(own()["last_pull_at"]?.string == portal.now.text)
        #expect(total("2026-11-18") == before)
        #expect(portal.call(.get, "/my/sleeps", as: .pia).list.count == sleeps)
    }

    @Test func `FB-1 nothing of a link is left of somebody who was erased, not even of a look under way`()
        throws
    {
        let made = try link(portal, health, .pia, user: 1)
        try pull()
        let hour = portal.now.seconds / 3_600
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            try PullStore.setRest(
                until: Instant(milliseconds: 4_000_000_000_000), of: made.account, .googleHealth, connection)
            try PullStore.forget(made.account, connection)
            try PullStore.release(10, of: made.account, .googleHealth, hour: hour, connection)
        }
        let left = try portal.services.records.read { connection in
            try connection.count("SELECT count(*) FROM wearable_quotas WHERE holder = \(made.account)")
                + connection.count("SELECT count(*) FROM wearable_rests")
        }
        #expect(left == 0)
    }

    @Test func `FB-1 minutes in zones are counted for beats that are told of a moment`() throws {
        try link(portal, health, .pia, user: 1)
        try pull()
        let days = portal.call(.get, "/my/heart-days?from=2026-11-18&to=2026-11-18", as: .pia).list
        let zones = days.first?["attributes"]?["zones"]?.array ?? []
        #expect(zones.reduce(0) { $0 + ($1["minutes"]?.number ?? 0) } == 1_440)
    }

    // MARK: W3

    private func silent(_ data: Data, _ place: String, _ secrets: [String]) {
        for secret in secrets { #expect(data.range(of: Data(secret.utf8)) == nil, "in \(place)") }
    }

    @Test func `W3 no token, verifier or provider id in the database, its log of writes, a backup or a log`()
        throws
    {
        let path = "/my/wearables/google_health"
        let asked = portal.call(.post, path + "/link", as: .pia).attributes["authorize_url"]?.string ?? ""
        let folder = portal.services.settings.data
        var secrets: [String] = []
        let look = {
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
                silent(FileManager.default.contents(atPath: folder + "/" + name) ?? Data(), name, secrets)
            }
            silent(Data(portal.logged.joined().utf8), "the log", secrets)
        }
        let state = try #require(asked.firstMatch(of: /state=([^&]+)/)).1
        secrets = [String(state)]
        try look()
        let back = health.consent(asked, as: 1).replacing(portal.services.origin, with: "")
        #expect(portal.get(back, as: .nobody).status == 303)
        secrets += health.state.withLock { $0.secrets } + ["canary-user"]
        try look()
        #expect(portal.call(.post, path + "/confirmation", as: .pia).status == 200)
        try pull()
        portal.wait(seconds: 4_000)
        try portal.wait(awake: 0)
        try pull()
        health.state.withLock { $0.fault = .html }
        portal.wait(seconds: 4_000)
        try pull()
        secrets += health.state.withLock { $0.secrets } + [FakeHealth.clientSecret]
        // A code, its verifier, two pairs of tokens and more.
        #expect(Set(secrets).count >= 8 && !secrets.contains(""))
        try look()
        try portal.wait(awake: 0)
        #expect(portal.post("/admin/system/backups", as: .uma).status == 303)
        let backups = try FileManager.default.subpathsOfDirectory(atPath: folder + "/backups")
        #expect(backups.contains { $0.hasSuffix(".sqlite") })
        try look()
        // A link is there: silence is no accident.
        #expect(try present(portal, pia)?.state == .live)
        portal.services.close()
        try look()
    }
}
