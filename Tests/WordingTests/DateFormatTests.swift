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
        #expect(german.weekday(at) == "Dienstag, 17. November" && german.short(now) == "heute 10:00")
        #expect(german.short(try #require(Instant("2025-03-01T12:00:00Z"))) == "Sa 01.03.2025 13:00")
    }
}
