import Testing
import Wire

@testable import Scheduling

/// RP-122: in the night in which the clocks change random prompts spread over the real minutes of their window.
@Suite struct RealWindowTests {
    static let zones = ["Europe/Vienna", "America/New_York", "Australia/Lord_Howe", "Australia/Sydney"]

    static func night(_ from: String, _ till: String, _ amount: Int) throws -> Schedule {
        Schedule(
            moment: .between(try #require(ClockTime(from)), try #require(ClockTime(till))),
            amount: amount, every: 1, unit: .day, startDay: 0)
    }

    /// The least seconds between two of them.
    static func gap(_ prompts: [Prompt]) -> Int64 {
        zip(prompts, prompts.dropFirst()).map { $1.at.seconds - $0.at.seconds }.min() ?? .max
    }

    /// Every day of some years: number, least gap, window; and unchanged where the clocks do not change within it.
    static func expectDays(of name: String, _ years: Range<Int>) throws {
        let zone = Zone(name)
        let zones = ParticipantZones(zone)
        let begin = try #require(LocalDate(year: years.lowerBound, month: 1, day: 1))
        let end = zone.instant(
            try #require(LocalDate(year: years.upperBound, month: 1, day: 1)), hour: 0, minute: 0)
        let schedule = try night("01:00", "05:00", 8)
        let draw = { (drawing: Drawing) in
            Dictionary(
                grouping: schedule.prompts(
                    enrolledOn: begin, zones, drawing, seed: 7, until: end), by: \.day)
        }
        let old = draw(Drawing(latestSince: end, zones))
        var changed = 0
        for (day, prompts) in draw(.latest) {
            let from = zone.instant(day, hour: 1, minute: 0)
            let till = zone.instant(day, hour: 5, minute: 0)
            #expect(prompts.count == 8 && gap(prompts) >= 900, "\(name) \(day.text)")
            #expect(prompts.allSatisfy { $0.at >= from && $0.at < till }, "\(name) \(day.text)")
            if till.seconds - from.seconds == 4 * 3600 {
                #expect(prompts.map(\.at) == old[day]?.map(\.at), "\(name) \(day.text)")
            } else {
                changed += 1
            }
        }
        #expect(changed >= years.count, "\(name)")
    }

    @Test(arguments: zones) func `RP-122 number, least gap and window of every night of two years`(
        name: String
    )
        throws
    { try Self.expectDays(of: name, 2027..<2029) }

    @Test(arguments: [
        // 60 real minutes of two hours hold three.
        ("2027-03-28", "01:30", "03:30", 7, 3), ("2027-03-28", "01:30", "03:30", 3, 3),
        // A window that does not exist asks once, when the clocks change.
        ("2027-03-28", "02:00", "03:00", 3, 1), ("2027-10-31", "01:00", "05:00", 15, 15),
    ])
    func `RP-122 where the real minutes have no room for all, as many as fit are asked`(
        day: String, from: String, till: String, amount: Int, asked: Int
    ) throws {
        let zone = Zone("Europe/Vienna")
        let day = try #require(LocalDate(day))
        for seed in 0..<50 as Range<UInt64> {
            let prompts = try Self.night(from, till, amount).prompts(
                enrolledOn: day, ParticipantZones(zone), seed: seed,
                until: zone.instant(day.adding(days: 1), hour: 0, minute: 0))
            #expect(prompts.count == asked && Self.gap(prompts) >= 900)
        }
    }

    @Test func `RP-122 an own time of the same night is kept away from, in real minutes`() throws {
        let zone = Zone("Europe/Vienna")
        let day = try #require(LocalDate("2027-03-28"))
        let window = NotificationTimes.Window(
            weekday: day.weekday, isEnabled: true, from: try #require(ClockTime("01:00")),
            till: try #require(ClockTime("05:00")))
        let own = NotificationTimes(
            option: .both, amount: 6, windows: [window],
            times: [.init(weekday: nil, at: try #require(ClockTime("03:10")), isFixed: true)])
        for seed in 0..<50 as Range<UInt64> {
            let prompts = Schedule.everyDay.prompts(
                enrolledOn: day, ParticipantZones(zone), seed: seed, own: own,
                until: zone.instant(day.adding(days: 1), hour: 0, minute: 0))
            #expect(prompts.count == 7 && Self.gap(prompts) >= 900)
        }
    }

    @Test func `RP-122 days before the version counts, and the two after it, are drawn as they were`() throws
    {
        let zone = Zone("Europe/Vienna")
        let zones = ParticipantZones(zone)
        let begin = try #require(LocalDate("2027-03-20"))
        let draw = { (noted: String) in
            try Self.night("01:00", "05:00", 8).prompts(
                enrolledOn: begin, zones, Drawing(latestSince: Instant(noted), zones), seed: 7,
                until: zone.instant(begin.adding(days: 20), hour: 0, minute: 0)
            ).filter { $0.day.text == "2027-03-28" }
        }
        #expect(Self.gap(try draw("2027-03-26T22:59:00Z")) >= 900)
        #expect(Self.gap(try draw("2027-03-26T23:00:00Z")) < 900)
    }
}

/// All years that are worth a look.
@Suite struct RealWindowSlowTests {
    @Test(arguments: RealWindowTests.zones)
    func `RP-122 number, least gap and window of every night of ten years`(name: String) throws {
        try RealWindowTests.expectDays(of: name, 2020..<2030)
    }
}
