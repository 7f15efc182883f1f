import Testing
import Wire

@testable import PortalClient

/// Dailies for days ahead, planned on the phone (IO-11, chapter 5.2.2 of the iOS source).
@Suite struct DailyPlannerTests {
    let vienna = PhoneZone("Europe/Vienna")

    func day(_ text: String) throws -> LocalDate { try #require(LocalDate(text)) }
    func at(_ text: String) throws -> Instant { try #require(Instant(text)) }

    @Test func `each day has three windows of half an hour, one in each period, never two at once`() throws {
        var chance = Seeded(5)
        let windows = DailyPlanner.windows(
            after: try day("2026-05-03"), through: try day("2026-08-11"), zone: vienna,
            at: try at("2026-05-03T12:00:00Z"), using: &chance)
        #expect(windows.count == 300)
        for (index, window) in windows.enumerated() {
            #expect(window.closes == window.opens.adding(seconds: 1800))
            let minute = (window.opens.seconds + 7200) % 86_400 / 60
            let period = index % 3
            // A start that falls into the window before moves to its end: half an hour at most.
            #expect(
                minute >= 480 + 240 * period && minute < 480 + 240 * (period + 1) + (period == 0 ? 0 : 30))
        }
        #expect(zip(windows, windows.dropFirst()).allSatisfy { $0.closes <= $1.opens })
        // Not the same minute every day.
        #expect(Set(windows.map { $0.opens.seconds % 86_400 }).count > 100)
    }

    @Test func `a start inside of the window before moves to its end`() throws {
        // The latest minute of each period, then the earliest of the next.
        struct Edge: RandomNumberGenerator {
            var values: [UInt64]
            mutating func next() -> UInt64 { values.isEmpty ? Self.earliest : values.removeFirst() }
            /// Not 0: that is drawn again for ever.
            static let earliest: UInt64 = 1_000_000
        }
        var chance = Edge(values: [.max])
        let windows = DailyPlanner.windows(
            after: try day("2026-05-03"), through: try day("2026-05-04"), zone: vienna,
            at: try at("2026-05-03T12:00:00Z"), using: &chance)
        #expect(windows.count == 3 && windows[1].opens == windows[0].closes)
        #expect(windows[0].opens == (try at("2026-05-04T11:59:00+02:00")))
    }

    @Test func `planning begins today when the last one is long ago, and leaves out what has begun`() throws {
        var chance = Seeded(6)
        let now = try at("2026-05-10T16:00:00+02:00")
        let windows = DailyPlanner.windows(
            after: try day("2026-04-01"), through: try day("2026-05-11"), zone: vienna, at: now,
            using: &chance)
        #expect(windows.allSatisfy { $0.opens > now } && (3...5).contains(windows.count))
        #expect(vienna.date(at: windows[0].opens) >= (try day("2026-05-10")))
        #expect(
            DailyPlanner.windows(
                after: try day("2026-05-11"), through: try day("2026-05-11"), zone: vienna, at: now,
                using: &chance
            ).isEmpty)
    }

    @Test func `half an hour is half an hour on the days the clocks change, and days are those of the zone`()
        throws
    {
        for (text, count) in [("2026-03-29", 3), ("2026-10-25", 3)] {
            var chance = Seeded(7)
            let windows = DailyPlanner.windows(
                after: try day(text).adding(days: -1), through: try day(text), zone: vienna,
                at: try at("2026-01-01T00:00:00Z"), using: &chance)
            // Everything from the first of January on is planned; the last three are the day's.
            let last = windows.suffix(count)
            #expect(last.allSatisfy { vienna.date(at: $0.opens).text == text })
            #expect(last.allSatisfy { $0.closes.seconds - $0.opens.seconds == 1800 })
        }
        #expect(vienna.date(at: try at("2026-05-03T22:30:00Z")).text == "2026-05-04")
        #expect(PhoneZone("America/New_York").date(at: try at("2026-05-04T03:30:00Z")).text == "2026-05-03")
        #expect(PhoneZone("Nowhere/At_All").date(at: try at("1969-12-31T23:59:59Z")).text == "1969-12-31")
    }
}

/// Chance from a seed.
struct Seeded: RandomNumberGenerator {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 }
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}
