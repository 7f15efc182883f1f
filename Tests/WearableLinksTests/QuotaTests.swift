import Database
import Foundation
import Identity
import Locks
import Outbound
import Records
import Scheduling
import Testing
import Wire
import Wording

@testable import Accounts
@testable import PortalTesting
@testable import WearableLinks
@testable import Web

/// W5: what is asked stays within the quota of every person and of the whole clinic, in every hour of the clock, and nothing is
/// asked before the end of a rest.
@Suite struct QuotaTests {
    @Test func `W5 a simulated day of thirty links stays within the quotas`() throws {
        try QuotaWeek(links: 30, days: 1).go()
    }

    @Test func `W5 what was set aside and not used is given back`() throws {
        let quota = ProviderQuota(user: 60, project: 100)
        let (portal, health) = try linkedPortal(quota: quota)
        try link(portal, health, .pia, user: 1)
        _ = try PullRound(portal.services).go()
        let calls = health.state.withLock { $0.calls[1]?.count ?? 0 }
        let used = try portal.services.records.read { connection -> [Int] in
            try connection.all("SELECT used FROM wearable_quotas ORDER BY holder") { row in try row[0] }
        }
        #expect(calls > 20 && used == [calls, calls])
    }

    @Test func `W5 a quota that is used up is no fault, and the rest comes in the next hour`() throws {
        let (portal, health) = try linkedPortal(quota: ProviderQuota(user: 14, project: 100))
        let made = try link(portal, health, .pia, user: 1)
        var hours = 0
        while try present(portal, made.account)?.lastPullAt == nil, hours < 20 {
            _ = try PullRound(portal.services).go()
            let link = try #require(try present(portal, made.account))
            #expect(link.problem == nil && link.failures == 0)
            if link.lastPullAt == nil { #expect(link.nextPullAt.seconds % 3_600 == 0) }
            hours += 1
            portal.wait(seconds: 3_600)
        }
        // What came before the quota ended was kept: the look goes on from there, and does come to an end.
        #expect(hours > 1 && hours < 8, "\(hours)")
        #expect(try portal.count("measurement_days") > 60)
    }
}

/// W5: a week, with a tenth of the links; all five hundred with QUOTA_LINKS=500, which takes ten minutes.
@Suite struct QuotaSlowTests {
    @Test func `W5 a simulated week stays within the quotas`() throws {
        let links = ProcessInfo.processInfo.environment["QUOTA_LINKS"].flatMap { Int($0) } ?? 50
        try QuotaWeek(links: links, days: 7).go()
    }
}

/// Some days in steps of five minutes. Links are looked at by the hour, hooks ring in between, and one call in two hundred is
/// answered by 429, with a rest or without one.
private struct QuotaWeek {
    let portal: TestPortal
    let health: FakeHealth
    let links: Int
    let days: Int64
    let quota: ProviderQuota

    init(links: Int, days: Int64) throws {
        self.links = links
        self.days = days
        // Narrow enough that both are met: a look takes eleven calls, the first one more than twenty.
        quota = ProviderQuota(user: 25, project: links * 9)
        (portal, health) = try linkedPortal(quota: quota)
    }

    private struct Asked: Sendable {
        var byUser: [String: Int] = [:]
        var byHour: [Int64: Int] = [:]
        /// The end of a requested rest.
        var rests: [String: Instant] = [:]
        var tooEarly = 0
        var refusals = 0
        var calls = 0
    }

    func go() throws {
        let accounts = try makeAccounts()
        let asked = Lock(Asked())
        portal.services.part(WearableSignal.self).set(counting(asked))
        let end = portal.now.adding(days: days)
        var step = 0
        let round = PullRound(portal.services)
        while portal.now < end {
            while try round.go() > 0 {}
            portal.wait(seconds: 300)
            step += 1
            try ring(accounts[(step * 7) % accounts.count])
        }
        let all = asked.withLock { $0 }
        #expect((all.byUser.values.max() ?? 0) <= quota.user)
        #expect((all.byHour.values.max() ?? 0) <= quota.project)
        #expect(all.tooEarly == 0)
        // Both quotas were met, rests were asked for, and the week was no idle one.
        #expect(all.byUser.values.max() == quota.user && all.byHour.values.max() == quota.project)
        #expect(all.refusals > links * Int(days) / 2 && all.calls > links * Int(days) * 70)
        let left = try portal.services.records.read { connection -> Int? in
            try connection.value(
                "SELECT count(*) FROM wearable_links WHERE state = 'live' AND last_pull_at IS NOT NULL")
        }
        #expect(left == links)
    }

    private func makeAccounts() throws -> [ID<Account>] {
        let services = portal.services
        return try (0..<links).map { user in
            let account = NewAccount(
                verifiedPatient: "week-\(user)@example.org", passwordHash: "", language: .german,
                timezone: "Europe/Vienna", id: services.chance.id(), keys: services.keys, now: portal.now)
            try services.records.writeUnaudited(.madeUp) { try PrivacyStore.insert(account, $0) }
            let made = try link(portal, health, account.id, user: user)
            try services.records.writeUnaudited(.madeUp) { connection in
                try WearableLinkStore.setUser(Array(account.id.text.utf8), of: made, connection)
            }
            return account.id
        }
    }

    private func ring(_ account: ID<Account>) throws {
        let now = portal.now
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            try WearableLinkStore.hint(
                "google_health", user: Array(account.text.utf8), at: now.adding(seconds: 60), pause: 600,
                connection)
        }
    }

    /// Empty answers, counted by user.
    private func counting(_ asked: Lock<Asked>) -> ConfiguredProvider {
        let usual = health.configured(quota: quota)
        let clock = portal.services.clock
        return ConfiguredProvider(
            usual.provider, addresses: usual.addresses, clientID: FakeHealth.clientID,
            clientSecret: FakeHealth.clientSecret, hookSecret: nil
        ) { request, use in
            guard use == .data else { return usual.send(request, use) }
            let token = request.headers.first { $0.0 == "Authorization" }?.1.dropFirst(7) ?? ""
            guard let user = health.state.withLock({ $0.access[String(token)]?.user }) else {
                return .success(FakeHealth.reply(401, "{}"))
            }
            let now = clock.now
            let hour = now.seconds / 3_600
            return asked.withLock { asked in
                asked.calls += 1
                asked.byUser["\(user) \(hour)", default: 0] += 1
                asked.byHour[hour, default: 0] += 1
                if let rest = asked.rests["\(user)"], now < rest { asked.tooEarly += 1 }
                guard asked.calls % 200 == 0 else {
                    return .success(FakeHealth.reply(200, #"{"dataPoints": [], "rollupDataPoints": []}"#))
                }
                asked.refusals += 1
                guard asked.refusals % 3 > 0 else {
                    // Without a word: until the next full hour.
                    asked.rests["\(user)"] = Instant(milliseconds: (hour + 1) * 3_600_000)
                    return .success(FakeHealth.reply(429, "{}"))
                }
                let seconds = Int64(asked.refusals % 7 * 600 + 30)
                asked.rests["\(user)"] = now.adding(seconds: seconds)
                return .success(FakeHealth.reply(429, "{}", ["retry-after": "\(seconds)"]))
            }
        }
    }
}
