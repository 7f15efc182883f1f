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
@testable import Wearables
@testable import Web

/// FB-1, FB-3: a provider's data arrives as whole days, each once, and keeps arriving when it is corrected.
@Suite struct PullTests {
    let portal: TestPortal
    let health: FakeHealth

    init() throws { (portal, health) = try linkedPortal() }

    private var pia: ID<Account> { portal.cast.accounts[.pia] ?? "" }
    private var today: LocalDate { LocalTime(portal.now, Zone("Europe/Vienna")).date }

    @discardableResult
    private func pull() throws -> Int { try PullRound(portal.services).go() }

    /// The next look that would be made by itself.
    private func pullLater(seconds: Int64 = PullOutcome.pause) throws {
        portal.wait(seconds: seconds)
        try portal.wait(awake: 0)
        try pull()
    }

    private func days(_ type: String) -> [JSON] {
        let range = "from=\(today.adding(days: -40).text)&to=\(today.text)"
        return portal.call(.get, "/my/measurement-days?type=\(type)&\(range)", as: .pia).list
            .compactMap { $0["attributes"] }
    }

    private func total(_ date: LocalDate) -> Double? {
        days("steps").first { $0["date"]?.string == date.text }?["total"]?.number
    }

    @Test func `FB-1 thirty days arrive with the totals of the provider, over a change of the clock`() throws
    {
        try link(portal, health, .pia, user: 1)
        #expect(try pull() == 1)
        let steps = days("steps")
        // The clocks went back on 25 October: that day has 25 hours.
        #expect(steps.count == 31 && steps.contains { $0["date"]?.string == "2026-10-25" })
        for day in steps {
            let date = try #require(LocalDate(day["date"]?.string ?? ""))
            #expect(day["total"]?.number == health.total(1, date), "\(date.text)")
            if date < today {
                #expect(day["sum"] == day["total"] && day["n"]?.number == Double(health.hours(date)))
            }
            #expect(day["source"]?.string == "google_health" && day["zone"]?.string == "Europe/Vienna")
        }
        let beats = days("heart_rate").first { $0["date"]?.string == "2026-10-25" }
        #expect(beats?["n"]?.number == 300)
        #expect(days("resting_heart_rate").count == 31)
        #expect(days("distance").isEmpty)
        let sleeps = portal.call(.get, "/my/sleeps", as: .pia).list
        #expect(sleeps.count > 20)
        let night = try #require(sleeps.first?["attributes"])
        #expect(night["origin"]?.string == "measured" && night["minutes_asleep"]?.number == 420)
        #expect(night["awakenings"]?.number == 3 && night["efficiency"]?.number == 87.5)
        #expect(portal.get("/my/health", as: .pia).status == 200)
        let link = try #require(try present(portal, pia))
        #expect(link.lastPullAt == portal.now && link.problem == nil)
        #expect(portal.get("/my/wearables", as: .pia).text.contains("Zuletzt abgefragt"))
    }

    /// Late in the evening, 720 hours lead to another day than thirty days of the calendar do.
    @Test(arguments: [
        ("2026-11-23T22:30:00Z", "2026-10-24"), ("2027-04-20T22:10:00Z", "2027-03-22"),
    ])
    func `FB-1 thirty days are counted by the calendar, whatever the clocks did`(now: String, first: String)
        throws
    {
        portal.wait(seconds: try #require(Instant(now)).seconds - portal.now.seconds)
        try portal.wait(awake: 0)
        try link(portal, health, .pia, user: 1)
        try pull()
        let dates = days("steps").compactMap { $0["date"]?.string }
        #expect(dates.min() == first && dates.count == 31)
    }

    @Test
    func `FB-1 late data, corrections and deletions arrive by the next look; the same again writes nothing`()
        throws
    {
        try link(portal, health, .pia, user: 2)
        try pull()
        let yesterday = today.adding(days: -1)
        let versions = {
            days("steps").filter { $0["date"]?.string != today.text }.compactMap { $0["version"]?.number }
        }
        let before = versions()
        try pullLater()
        #expect(before.count == 30 && versions() == before && before.allSatisfy { $0 <= 2 })
        health.change(2, "steps", yesterday, to: 4_321)
        try pullLater()
        #expect(total(yesterday) == 4_321)
        health.change(2, "steps", yesterday, to: nil)
        try pullLater()
        #expect(total(yesterday) == nil)
        let day = portal.call(
            .get, "/my/measurement-days/steps/\(yesterday.text)?source=google_health", as: .pia)
        #expect(day.status == 200 && day.attributes["n"]?.number == 0)
        // What is in pages of a hundred is the same as what comes at once.
        health.state.withLock { $0.pageSize = 100 }
        try pullLater()
        #expect(days("heart_rate").first { $0["date"]?.string == yesterday.text }?["n"]?.number == 288)
    }

    @Test
    func
        `FB-1 a sleep that was deleted here does not come back, and all go with the link where that is wished`()
        throws
    {
        try link(portal, health, .pia, user: 3)
        try pull()
        let sleeps = portal.call(.get, "/my/sleeps", as: .pia).list
        let gone = try #require(sleeps.first?["id"]?.string)
        #expect(portal.call(.delete, "/my/sleeps/\(gone)", as: .pia).status == 204)
        try pullLater()
        #expect(portal.call(.get, "/my/sleeps", as: .pia).list.count == sleeps.count - 1)
        #expect(portal.call(.delete, "/my/wearables/google_health?data=remove", as: .pia).status == 204)
        #expect(portal.call(.get, "/my/sleeps", as: .pia).list.isEmpty)
        #expect(days("steps").isEmpty && days("heart_rate").isEmpty)
        #expect(try pull() == 0)
        // What was deleted with the link stays deleted (RP-101).
        try link(portal, health, .pia, user: 3)
        try pull()
        #expect(portal.call(.get, "/my/sleeps", as: .pia).list.isEmpty)
    }

    @Test
    func `FB-1 a sleep that the provider takes back goes here as well, and comes again if it does there`()
        throws
    {
        try link(portal, health, .pia, user: 3)
        try pull()
        let own = """
            {"starts_at": "\(portal.now.adding(seconds: -7_000).text)", "ends_at": "\(portal.now.adding(seconds: -4_000).text)",
             "origin": "manual"}
            """
        let id = "5a1c9a0e-98a5-4a9f-8d3e-0000000000e1"
        #expect(portal.call(.put, "/my/sleeps/\(id)", own, as: .pia).status == 201)
        let count = { portal.call(.get, "/my/sleeps", as: .pia).list.count }
        let before = count()
        health.change(3, "sleep", today, to: nil)
        try pullLater()
        // What the person entered is none of the provider's affair.
        #expect(count() == before - 1)
        #expect(portal.call(.get, "/my/sleeps", as: .pia).list.contains { $0["id"]?.string == id })
        health.change(3, "sleep", today, to: 1)
        try pullLater()
        #expect(count() == before)
    }

    @Test
    func
        `FB-1 only what was granted is asked for, and one permission that is missing keeps nothing else away`()
        throws
    {
        let activity = WearableProvider.googleHealth.scopes.prefix(1).map(\.name)
        try link(portal, health, .pia, user: 4, scopes: activity)
        try pull()
        #expect(days("steps").count == 31 && days("heart_rate").isEmpty)
        let asked = health.state.withLock { $0.filters }
        #expect(!asked.isEmpty && asked.allSatisfy { !$0.hasPrefix("heart_rate") && !$0.hasPrefix("sleep") })
        // Granted, it seemed, and refused.
        try link(portal, health, .quinn, user: 5)
        health.state.withLock { $0.fault = .forbidden("heart-rate") }
        try pull()
        let quinn = try #require(portal.cast.accounts[.quinn])
        #expect(try present(portal, quinn)?.problem == "forbidden")
        let range = "from=\(today.adding(days: -9).text)&to=\(today.text)"
        let sleeps = portal.call(.get, "/my/sleeps", as: .quinn).list
        #expect(sleeps.count > 20)
        #expect(
            portal.call(.get, "/my/measurement-days?type=steps&\(range)", as: .quinn).list.count == 10)
        #expect(
            portal.get("/my/wearables", as: .quinn).text.contains(
                "gibt einen Teil der Messwerte nicht heraus"))
    }

    @Test
    func
        `FB-1 a filter names the field of its data type, sleep by its end, and never more than the provider takes`()
        throws
    {
        try link(portal, health, .pia, user: 6)
        try pull()
        let asked = health.state.withLock { $0.filters }
        let fields = Set(asked.compactMap { $0.split(separator: " ").first.map(String.init) })
        #expect(
            fields == [
                "steps.interval.start_time", "distance.interval.start_time",
                "active_energy_burned.interval.start_time", "heart_rate.sample_time.physical_time",
                "daily_resting_heart_rate.date", "daily_heart_rate_variability.date",
                "daily_oxygen_saturation.date", "sleep.interval.end_time",
            ])
        // A stretch that is too long is answered by 400, and would be a fault.
        #expect(try present(portal, pia)?.problem == nil)
    }

    @Test func `FB-1 what ends while it is asked keeps nothing of it`() throws {
        let made = try link(portal, health, .pia, user: 7)
        let ended = Lock(false)
        let usual = health.configured()
        let services = portal.services
        let ending = ConfiguredProvider(
            usual.provider, addresses: usual.addresses, clientID: "c", clientSecret: "s", hookSecret: nil
        ) { request, use in
            if request.url.contains("dataPoints"),
                ended.withLock({
                    let was = $0; $0 = true; return !was
                })
            {
                try? services.records.writeUnaudited(.madeUp) { connection in
                    try WearableLinkStore.remove("google_health", of: made.account, connection)
                }
            }
            return usual.send(request, use)
        }
        services.part(WearableSignal.self).set(ending)
        try pull()
        #expect(try portal.count("measurement_days") == 0)
        #expect(try portal.count("health_records") == 0)
    }

    // MARK: Hooks

    private func hook(
        _ body: String, secret: String = FakeHealth.hookSecret, authorization: String? = nil
    ) -> Int {
        var headers: Headers = ["Content-Type": "application/json"]
        if let authorization { headers.append("Authorization", authorization) }
        return portal.send(
            .post, "/api/v1/wearables/hooks/google_health/\(secret)", headers, body: Array(body.utf8)
        ).status
    }

    @Test func `FB-1 a hook means no more than to look again soon`() throws {
        try link(portal, health, .pia, user: 8)
        try pull()
        #expect(try portal.count("wearable_links") == 1)
        #expect(hook("{}", secret: "wrong-secret-0123456789") == 404)
        #expect(hook("", secret: "") == 404)
        let mine = #"{"data": {"healthUserId": "canary-user-8", "operation": "UPSERT"}}"#
        portal.wait(seconds: 1_200)
        let before = try #require(try present(portal, pia)).nextPullAt
        for nonsense in [
            "", "<html>", #"{"data": {"healthUserId": "canary-user-9"}}"#, "[]", "{\"data\": 5}",
        ] {
            #expect(hook(nonsense) == 204, "\(nonsense)")
        }
        #expect(try present(portal, pia)?.nextPullAt == before)
        #expect(hook(mine) == 204)
        #expect(try present(portal, pia)?.nextPullAt == portal.now.adding(seconds: 60))
        #expect(try pull() == 0)
        portal.wait(seconds: 61)
        #expect(try pull() == 1)
        // A provider that rings all day is listened to every ten minutes.
        for _ in 0..<5 { #expect(hook(mine) == 204) }
        let next = try #require(try present(portal, pia)).nextPullAt
        #expect(next >= portal.now.adding(seconds: 590))
        // Failing fetches get rarer by themselves, however often the hook rings.
        health.state.withLock { $0.fault = .timeout }
        portal.wait(seconds: 4_000)
        #expect(try pull() == 1)
        let later = try #require(try present(portal, pia)).nextPullAt
        portal.wait(seconds: 100)
        #expect(hook(mine) == 204)
        #expect(try present(portal, pia)?.nextPullAt == later)
        // The provider's test whether a secret is checked.
        #expect(hook(#"{"type": "verification"}"#) == 401)
        #expect(hook(#"{"type": "verification"}"#, authorization: FakeHealth.hookSecret) == 201)
    }
}
