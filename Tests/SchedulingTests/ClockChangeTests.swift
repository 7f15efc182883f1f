import Testing
import Wire

@testable import Scheduling

/// G10: the hours that clocks leave out or show twice, for the portal and for phones. A local time that does not exist moves
/// to the next that does; of one that exists twice the first is taken.
@Suite struct ClockChangeTests {
    struct Vector: Sendable, CustomStringConvertible {
        let zone: String
        let day: String
        let clock: String
        let instant: String
        var description: String { "\(zone) \(day) \(clock)" }
    }

    static let leftOut = [
        Vector(zone: "Europe/Vienna", day: "2027-03-28", clock: "02:00", instant: "2027-03-28T01:00:00Z"),
        Vector(zone: "Europe/Vienna", day: "2027-03-28", clock: "02:30", instant: "2027-03-28T01:00:00Z"),
        Vector(zone: "Europe/Vienna", day: "2027-03-28", clock: "02:59", instant: "2027-03-28T01:00:00Z"),
        Vector(zone: "America/New_York", day: "2027-03-14", clock: "02:30", instant: "2027-03-14T07:00:00Z"),
        // Half an hour only.
        Vector(
            zone: "Australia/Lord_Howe", day: "2027-10-03", clock: "02:15", instant: "2027-10-02T15:30:00Z"),
        // At midnight: the day begins at one.
        Vector(zone: "America/Sao_Paulo", day: "2018-11-04", clock: "00:00", instant: "2018-11-04T03:00:00Z"),
        Vector(zone: "America/Sao_Paulo", day: "2018-11-04", clock: "00:59", instant: "2018-11-04T03:00:00Z"),
    ]

    static let twice = [
        Vector(zone: "Europe/Vienna", day: "2027-10-31", clock: "02:00", instant: "2027-10-31T00:00:00Z"),
        Vector(zone: "Europe/Vienna", day: "2027-10-31", clock: "02:30", instant: "2027-10-31T00:30:00Z"),
        Vector(zone: "Europe/Vienna", day: "2027-10-31", clock: "02:59", instant: "2027-10-31T00:59:00Z"),
        Vector(zone: "America/New_York", day: "2027-11-07", clock: "01:30", instant: "2027-11-07T05:30:00Z"),
        Vector(
            zone: "Australia/Lord_Howe", day: "2027-04-04", clock: "01:45", instant: "2027-04-03T14:45:00Z"),
        Vector(zone: "America/Sao_Paulo", day: "2018-02-17", clock: "23:30", instant: "2018-02-18T01:30:00Z"),
    ]

    static let once = [
        Vector(zone: "Europe/Vienna", day: "2027-03-28", clock: "01:59", instant: "2027-03-28T00:59:00Z"),
        Vector(zone: "Europe/Vienna", day: "2027-03-28", clock: "03:00", instant: "2027-03-28T01:00:00Z"),
        Vector(zone: "Europe/Vienna", day: "2027-10-31", clock: "01:59", instant: "2027-10-30T23:59:00Z"),
        Vector(zone: "Europe/Vienna", day: "2027-10-31", clock: "03:00", instant: "2027-10-31T02:00:00Z"),
    ]

    @Test(arguments: leftOut + twice + once)
    func `G10 every way from a local time to a moment answers the same`(vector: Vector) throws {
        let zone = Zone(vector.zone)
        let day = try #require(LocalDate(vector.day))
        let clock = try #require(ClockTime(vector.clock))
        let expected = try #require(Instant(vector.instant))
        #expect(zone.instant(day, hour: clock.minutes / 60, minute: clock.minutes % 60) == expected)
        // Plans of dailies, on the portal and on phones.
        var days = ZoneClock(zone)
        #expect(days.instant(day, minute: clock.minutes) == expected)
        // Prompts of studies.
        #expect(Prompt(on: day, clock, in: zone).at == expected)
        let schedule = Schedule(moment: .fixed(clock), amount: 1, every: 1, unit: .day, startDay: 0)
        let prompts = schedule.prompts(
            enrolledOn: day, ParticipantZones(zone), seed: 1, until: expected.adding(seconds: 1))
        #expect(prompts.map(\.at) == [expected])
    }

    @Test(arguments: twice) func `G10 both hours of the same name belong to the same day`(vector: Vector)
        throws
    {
        let zone = Zone(vector.zone)
        let first = try #require(Instant(vector.instant))
        let offset = zone.offset(at: first)
        let shift = offset - zone.offset(at: first.adding(seconds: 7200))
        let second = first.adding(seconds: shift)
        #expect(shift > 0)
        for moment in [first, second] {
            let local = LocalTime(moment, zone)
            let clock = ClockTime(minutes: local.hour * 60 + local.minute).text
            #expect(local.date.text == vector.day && clock == vector.clock)
        }
    }

    @Test(arguments: ["2027-03-28", "2027-10-31"])
    func `G10 a phone that plans over the change keeps to the periods and to half an hour`(text: String)
        throws
    {
        let zone = Zone("Europe/Vienna")
        let day = try #require(LocalDate(text))
        let now = zone.instant(day.adding(days: -1), hour: 21, minute: 0)
        for seed in 0..<100 as Range<UInt64> {
            var clock = ZoneClock(zone)
            let windows = DailyPlan(seed: seed).windows(
                after: day.adding(days: -1), through: day, at: now, &clock)
            #expect(windows.map { DailyPlan.period(of: LocalTime($0.opens, zone)) } == [0, 1, 2])
            #expect(windows.allSatisfy { $0.closes.seconds - $0.opens.seconds == 1800 && $0.day == day })
        }
    }

    @Test func `a phone plans nothing on a day that its zone left out`() throws {
        var clock = ZoneClock(Zone("Pacific/Apia"))
        let last = try #require(LocalDate("2011-12-29"))
        let now = try #require(Instant("2011-12-29T00:00:00Z"))
        let windows = DailyPlan(seed: 4).windows(after: last, through: last.adding(days: 2), at: now, &clock)
        #expect(windows.map(\.day.text) == ["2011-12-31", "2011-12-31", "2011-12-31"])
    }
}
