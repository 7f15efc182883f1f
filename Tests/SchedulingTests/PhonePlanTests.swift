import Testing
import Wire

@testable import Scheduling

/// Dailies for days ahead, as phones plan them without the portal (IO-11, chapter 5.2.2 of the iOS source).
@Suite struct PhonePlanTests {
    let vienna = Zone("Europe/Vienna")

    func windows(after last: String, through day: String, at now: String, seed: UInt64) throws -> [DailyPlan
        .Window]
    {
        var clock = ZoneClock(vienna)
        return DailyPlan(seed: seed).windows(
            after: try #require(LocalDate(last)), through: try #require(LocalDate(day)),
            at: try #require(Instant(now)), &clock)
    }

    @Test func `each day has three windows of half an hour, one in each period, never two at once`() throws {
        let windows = try windows(
            after: "2026-05-03", through: "2026-08-11", at: "2026-05-03T12:00:00Z", seed: 5)
        #expect(windows.count == 300)
        for (index, window) in windows.enumerated() {
            #expect(window.closes == window.opens.adding(seconds: 1800))
            #expect(DailyPlan.period(of: LocalTime(window.opens, vienna)) == index % 3)
        }
        #expect(zip(windows, windows.dropFirst()).allSatisfy { $0.closes <= $1.opens })
        // Not the same minute every day.
        #expect(Set(windows.map { $0.opens.seconds % 86_400 }).count > 100)
    }

    @Test func `planning begins today when the last one is long ago, and leaves out what has begun`() throws {
        let now = "2026-05-10T16:00:00+02:00"
        let windows = try windows(after: "2026-04-01", through: "2026-05-11", at: now, seed: 6)
        let begin = try #require(Instant(now))
        #expect(windows.allSatisfy { $0.opens > begin } && (3...5).contains(windows.count))
        #expect(LocalTime(windows[0].opens, vienna).date.text >= "2026-05-10")
        #expect(try self.windows(after: "2026-05-11", through: "2026-05-11", at: now, seed: 6).isEmpty)
    }

    @Test func `days are those of the zone, and an unknown zone counts as UTC`() throws {
        let day = { (moment: String, zone: String) in
            LocalTime(try #require(Instant(moment)), Zone(zone)).date.text
        }
        #expect(try day("2026-05-03T22:30:00Z", "Europe/Vienna") == "2026-05-04")
        #expect(try day("2026-05-04T03:30:00Z", "America/New_York") == "2026-05-03")
        #expect(try day("1969-12-31T23:59:59Z", "Nowhere/At_All") == "1969-12-31")
    }
}
