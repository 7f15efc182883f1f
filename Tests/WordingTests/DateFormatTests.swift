import Testing
import Wire

@testable import Scheduling
@testable import Wording

@Suite struct DateFormatTests {
    let vienna = Zone("Europe/Vienna")
    let now = Instant("2026-11-20T09:00:00Z")!

    @Test func `dates read as people of the language write them`() throws {
        let folder = TextsTests.folder
        let at = try #require(Instant("2026-11-17T07:12:00Z"))
        let german = DateFormat(
            try Texts(.german, as: .austria, folder: folder), vienna, now: now)
        let english = DateFormat(try Texts(.english, folder: folder), vienna, now: now)
        #expect(german.short(at) == "Di 17.11. 08:12" && english.short(at) == "Tue 17 Nov 08:12")
        #expect(
            german.day(at) == "17.11.2026" && english.day(at) == "17 Nov 2026"
                && german.longDay(at) == "17. November 2026")
        let midnight = try #require(Instant("2026-11-16T23:00:00Z"))
        #expect(german.lastDay(until: midnight) == "16.11.2026" && german.lastDay(until: at) == "17.11.2026")
        #expect(german.weekday(at) == "Dienstag, 17. November" && german.short(now) == "heute 10:00")
        #expect(german.short(try #require(Instant("2025-03-01T12:00:00Z"))) == "Sa 01.03.2025 13:00")
    }

    @Test func `FD-47, LF-10 days beside each other say the year where one is of another, in one notation`()
        throws
    {
        let german = DateFormat(
            try Texts(.german, as: .austria, folder: TextsTests.folder), Zone("Europe/Vienna"), now: now)
        let days = { (texts: [String]) in german.numericDays(texts.compactMap { LocalDate($0) }) }
        #expect(days(["2026-01-01", "2026-07-01"]) == ["1.1.", "1.7."])
        #expect(
            days(["2024-07-01", "2025-01-01", "2025-07-01", "2026-01-01"])
                == ["1.7.2024", "1.1.2025", "1.7.", "1.1.2026"])
        #expect(days(["2025-07-01", "2025-08-01"]) == ["1.7.2025", "1.8."] && days([]) == [])
    }
}
