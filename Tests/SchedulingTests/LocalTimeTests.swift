import Testing
import Wire

@testable import Scheduling

@Suite struct LocalTimeTests {
    let vienna = Zone("Europe/Vienna")

    @Test func `G10 a local time that does not exist moves to the next that does`() throws {
        let day = try #require(LocalDate("2027-03-28"))
        #expect(vienna.instant(day, hour: 2, minute: 30) == Instant("2027-03-28T03:00:00+02:00"))
        #expect(vienna.instant(day, hour: 1, minute: 59) == Instant("2027-03-28T01:59:00+01:00"))
        #expect(vienna.instant(day, hour: 3, minute: 0) == Instant("2027-03-28T03:00:00+02:00"))
    }

    @Test func `G10 of a local time that exists twice the first is taken`() throws {
        let day = try #require(LocalDate("2027-10-31"))
        #expect(vienna.instant(day, hour: 2, minute: 30) == Instant("2027-10-31T02:30:00+02:00"))
    }

    @Test(
        arguments: [
            ("Europe/Vienna", "2027-10-31", ["+02:00", "+01:00"]), ("Europe/Vienna", "2027-03-28", []),
            ("Europe/Vienna", "2027-06-01", ["+02:00"]), ("America/New_York", "2026-11-02", ["-05:00"]),
            ("Australia/Lord_Howe", "2026-04-05", ["+11:00", "+10:30"]),
        ] as [(String, String, [String])])
    func `a local time has as many moments as clocks show it`(
        _ name: String, _ day: String, _ offsets: [String]
    ) throws {
        let zone = Zone(name)
        let date = try #require(LocalDate(day))
        // Lord Howe goes back by half an hour, from 02:00.
        let (hour, minute) = name.hasPrefix("Australia") ? (1, 45) : (2, 30)
        let moments = zone.instants(date, hour: hour, minute: minute)
        #expect(moments.map(zone.offsetText) == offsets)
        #expect(moments.isEmpty || zone.instant(date, hour: hour, minute: minute) == moments.first)
    }

    @Test func `a day that was left out altogether is stepped over`() throws {
        let apia = Zone("Pacific/Apia")
        let day = try #require(LocalDate("2011-12-30"))
        #expect(apia.instant(day, hour: 12, minute: 0) == Instant("2011-12-31T00:00:00+14:00"))
    }

    @Test(arguments: ["Europe/Vienna", "Asia/Kathmandu", "America/Sao_Paulo", "Pacific/Apia", "UTC"])
    func `there and back again`(name: String) throws {
        let zone = Zone(name)
        for offset in stride(from: 0, to: 400, by: 3) {
            let day = try #require(LocalDate("2026-01-01")).adding(days: offset)
            let local = LocalTime(zone.instant(day, hour: 12, minute: 34), zone)
            #expect(local.date == day && local.hour == 12 && local.minute == 34)
        }
    }
}

@Suite struct InstantTests {
    static let good: [(String, Int64)] = [
        ("1970-01-01T00:00:00Z", 0), ("2026-11-20T09:30:00+01:00", 1_795_163_400_000),
        ("2026-11-20T08:30:00.1234Z", 1_795_163_400_123),
        ("2024-02-29t23:59:60z", 1_709_251_200_000), ("1969-12-31T23:59:59Z", -1000),
        ("2026-11-20 08:30:00-00:00", 1_795_163_400_000),
    ]

    @Test(arguments: good) func `times are read after RFC 3339`(text: String, milliseconds: Int64) {
        #expect(Instant(text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "2026-11-20", "2026-11-20T09:30:00", "2026-11-20T24:00:00Z", "2026-02-30T00:00:00Z",
        "2026-11-20T09:30:00+1:00", "2026-11-20T09:30:00.Z", "20261120T093000Z", "2026-11-20T09:30:00+01:00x",
    ])
    func `other writings are refused`(text: String) { #expect(Instant(text) == nil) }

    @Test func `every day of four hundred years comes back as itself`() {
        for day in stride(from: Int64(-146_097), to: 146_097, by: 1) {
            let date = LocalDate(daysSince1970: day)
            #expect(date.daysSince1970 == day)
        }
        #expect(LocalDate("2026-11-20")?.weekday == 5)
        #expect(Instant("2026-11-20T09:30:00+01:00")?.text == "2026-11-20T08:30:00Z")
    }
}
