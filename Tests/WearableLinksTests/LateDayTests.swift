import Foundation
import HTTP
import JSON
import Locks
import Records
import Scheduling
import Testing
import Wire

@testable import PortalTesting
@testable import WearableLinks
@testable import Web

/// RP-101: what a ring hands over days later is fetched, and what its person deleted stays away.
@Suite struct LateDayTests {
    let portal: TestPortal
    let health: FakeHealth
    let first: LocalDate

    init() throws {
        (portal, health) = try linkedPortal()
        first = LocalTime(portal.now, Zone("Europe/Vienna")).date
    }

    private func day(_ number: Int) -> LocalDate { first.adding(days: number) }

    private func pull(after seconds: Int64) throws {
        portal.wait(seconds: seconds)
        try portal.wait(awake: 0)
        #expect(try PullRound(portal.services).go() == 1)
    }

    private func kept(_ date: LocalDate) -> Response {
        portal.call(.get, "/my/measurement-days/steps/\(date.text)?source=google_health", as: .pia)
    }

    private func total(_ date: LocalDate) -> Double? { kept(date).attributes["total"]?.number }

    private func known(until date: LocalDate) throws -> Instant {
        try #require(Instant(kept(date).attributes["complete_until"]?.string ?? ""), "\(date.text)")
    }

    private func end(of date: LocalDate) -> Instant {
        Zone("Europe/Vienna").instant(date.adding(days: 1), hour: 0, minute: 0)
    }

    @Test func `RP-101 a ring that synchronises on the fifth day loses none of them`() throws {
        health.change(1, "steps", first, to: 1_500)
        for number in 1...4 { health.change(1, "steps", day(number), to: nil) }
        try link(portal, health, .pia, user: 1)
        try pull(after: 0)
        let noon = portal.now
        for _ in 1...3 { try pull(after: 86_400) }
        // How it went on is not known yet.
        #expect(total(first) == 1_500)
        #expect(try known(until: first) <= noon)
        #expect(try known(until: day(-1)) == end(of: day(-1)))
        for number in 0...4 { health.change(1, "steps", day(number), to: Double(7_010 + number)) }
        try pull(after: 86_400)
        for number in 0...4 { #expect(total(day(number)) == Double(7_010 + number), "\(number)") }
        for number in 0...3 { #expect(try known(until: day(number)) == end(of: day(number))) }
        #expect(try known(until: day(4)) == portal.now)
    }

    @Test
    func `RP-101 a day that is told of as far as its ring knew it is whole once the next one has something`()
        throws
    {
        health.change(1, "steps", day(1), to: nil)
        try link(portal, health, .pia, user: 1)
        try pull(after: 0)
        try pull(after: 86_400)
        // The ring was near its telephone in the evening.
        health.change(1, "steps", first, to: 8_000)
        try pull(after: 3_600)
        #expect(total(first) == 8_000)
        #expect(try known(until: first) == end(of: first).adding(seconds: -1))
        health.change(1, "steps", day(1), to: 20)
        try pull(after: 3_600)
        #expect(try known(until: first) == end(of: first))
        #expect(total(first) == 8_000 && total(day(1)) == 20)
    }

    @Test func `RP-101 four weeks are looked through once a day, in whatever order they are told`() throws {
        try link(portal, health, .pia, user: 1)
        try pull(after: 0)
        for number in [-20, -15, -25, -3] { health.change(1, "steps", day(number), to: 4_000) }
        let asked = { health.state.withLock { $0.filters.count } }
        let before = asked()
        try pull(after: 3_600)
        let hourly = asked() - before
        #expect(total(day(-20)) != 4_000)
        try pull(after: 86_400)
        #expect(asked() - before - hourly > hourly)
        for number in [-20, -15, -25, -3] { #expect(total(day(number)) == 4_000) }
        // Told backwards, and twice; one of them is taken back.
        health.change(1, "steps", day(-15), to: nil)
        for number in [-4, -6, -4] { health.change(1, "steps", day(number), to: 5_000) }
        let then = asked()
        try pull(after: 3_600)
        #expect(asked() - then == hourly && total(day(-15)) == 4_000)
        try pull(after: 86_400)
        #expect(total(day(-15)) == nil && total(day(-4)) == 5_000 && total(day(-6)) == 5_000)
    }

    @Test func `RP-101 a day that was deleted comes back by the person's own phone alone`() throws {
        try link(portal, health, .pia, user: 1)
        try pull(after: 0)
        let path = "/my/measurement-days/steps/\(day(-3).text)"
        #expect(portal.call(.delete, path + "?source=google_health", as: .pia).status == 204)
        health.change(1, "steps", day(-3), to: 4_000)
        try pull(after: 86_400)
        #expect(kept(day(-3)).status == 404 && total(day(-4)) != nil)
        let body = """
            {"source": "google_health", "zone": "Europe/Vienna", "series": [], "total": 5,
             "complete_until": "\(end(of: day(-3)).text)"}
            """
        #expect(portal.call(.put, path, body, as: .pia).status == 201)
        try pull(after: 86_400)
        #expect(total(day(-3)) == 4_000)
    }

    @Test func `RP-101 what went with a link does not come back with the next one`() throws {
        try link(portal, health, .pia, user: 1)
        try pull(after: 0)
        let nights = portal.call(.get, "/my/sleeps?limit=100", as: .pia).list.count
        #expect(nights > 20)
        #expect(portal.call(.delete, "/my/wearables/google_health?data=remove", as: .pia).status == 204)
        try link(portal, health, .pia, user: 1)
        try pull(after: 86_400)
        #expect(kept(day(-3)).status == 404)
        #expect(total(day(1)) != nil)
        #expect(portal.call(.get, "/my/sleeps?limit=100", as: .pia).list.count <= 1)
    }
}
