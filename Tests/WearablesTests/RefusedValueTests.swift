import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Web

/// One bad value of a call does not take the others along.
@Suite struct RefusedValueTests: ValueFiling {
    let portal: TestPortal

    init() throws { portal = try TestPortal() }

    @Test func `RP-113 the good ones of a call are filed, each bad one is named with its place and reason`() {
        let call = [
            item(1, 10, at: "2026-11-19T08:00:00Z"), item(2, -5, at: "2026-11-19T08:10:00Z"),
            item(3, 20, at: "2026-11-19T08:20:00Z"),
            item(4, 7, at: "2026-11-19T08:30:00Z").replacing("5a1c", with: "zzzz"),
            item(5, 1, at: "2027-11-19T08:40:00Z"),
        ]
        let mixed = file(call)
        #expect(mixed.status == 200 && mixed.attributes["days"] == .number(1), "\(mixed.text)")
        let named = [
            "\(id(2)) items.1.value invalid", "- items.3.id invalid", "\(id(5)) items.4.ends_at in_future",
        ]
        #expect(refused(mixed) == named)
        #expect(mixed.text.contains("Möglich sind Werte von 0 bis 120000."))
        #expect(file(call, in: "en").text.contains("Values from 0 to 120000 are possible."))
        #expect(days() == ["2026-11-19": 30])
        // What went well has no such member, as before.
        let good = file([item(1, 11, at: "2026-11-19T08:00:00Z")])
        #expect(good.attributes["days"] == .number(1) && good.attributes["refused"] == nil)
    }

    @Test func `RP-113 the same mixed call again changes nothing and says the same`() throws {
        let call = [item(1, 10, at: "2026-11-19T08:00:00Z"), item(2, -5, at: "2026-11-19T08:10:00Z")]
        let first = file(call)
        let audit = try portal.audit().count
        let again = file(call)
        #expect(again.status == 200 && again.attributes["days"] == .number(0))
        #expect(again.attributes["refused"] == first.attributes["refused"] && refused(again).count == 1)
        #expect(try portal.audit().count == audit && days() == ["2026-11-19": 10])
    }

    @Test func `RP-113 all bad is refused as a whole, and nothing is kept`() throws {
        let all = file([
            item(1, -1, at: "2026-11-19T08:00:00Z"), item(2, 121_000, at: "2026-11-19T08:10:00Z"),
        ])
        #expect(all.status == 422 && all.wrongFields == ["items.0.value", "items.1.value"], "\(all.text)")
        // Also where it is seen only beside what is known.
        #expect(file([item(1, 10, at: "2026-11-19T08:00:00Z")]).status == 200)
        let beside = file([
            item(2, 10, at: "2026-11-19T08:00:30Z"), item(3, 1, at: "2026-11-19T08:00:40Z", lasting: 10),
        ])
        #expect(beside.status == 422 && beside.wrongFields == ["items.0.starts_at", "items.1.starts_at"])
        #expect(days() == ["2026-11-19": 10])
    }

    @Test
    func
        `RP-113 a bad value in the middle of a night leaves the rest of the night, on both sides of midnight`()
    {
        // From 22:00 until 02:00 in Vienna, every five minutes.
        let begin = Instant("2026-11-18T21:00:00Z") ?? .distantPast
        let night = (0..<48).map { number in
            item(
                number, number == 20 ? 400 : 55, at: begin.adding(seconds: Int64(number) * 300).text,
                lasting: 0,
                "heart_rate")
        }
        let filed = file(night)
        #expect(filed.status == 200 && filed.attributes["days"] == .number(2))
        #expect(refused(filed) == ["\(id(20)) items.20.value invalid"])
        #expect(days("heart_rate") == ["2026-11-18": 23, "2026-11-19": 24])
        // Corrected under the same id it is filed.
        let corrected = file([item(20, 56, at: begin.adding(seconds: 6_000).text, lasting: 0, "heart_rate")])
        #expect(corrected.status == 200 && refused(corrected) == [])
        #expect(days("heart_rate") == ["2026-11-18": 24, "2026-11-19": 24])
    }

    @Test func `RP-113 one value over many others is refused, not they, and what is known stays`() {
        #expect(file([item(1, 10, at: "2026-11-19T08:00:00Z")]).status == 200)
        let filed = file([
            item(2, 5_000, at: "2026-11-19T08:10:00Z", lasting: 7_200),
            item(3, 20, at: "2026-11-19T08:20:00Z"),
            item(4, 30, at: "2026-11-19T08:30:00Z"), item(5, 9, at: "2026-11-19T07:59:30Z"),
        ])
        #expect(
            refused(filed) == ["\(id(2)) items.0.starts_at invalid", "\(id(5)) items.3.starts_at invalid"])
        #expect(days() == ["2026-11-19": 60])
        // What makes the day impossible is the largest of what is new.
        let many = file([
            item(6, 119_990, at: "2026-11-19T09:00:00Z"), item(7, 40, at: "2026-11-19T09:10:00Z"),
        ])
        #expect(refused(many) == ["\(id(6)) items.0.value invalid"] && days() == ["2026-11-19": 100])
    }

    @Test func `RP-113 a correction that is refused leaves what it would have corrected`() {
        let known = [
            item(1, 10, at: "2026-11-18T08:00:00Z"), item(2, 20, at: "2026-11-18T08:10:00Z"),
            item(3, 30, at: "2026-11-19T08:00:00Z"),
        ]
        #expect(file(known).status == 200)
        // Into another day, where it overlaps; what would have taken its place has to wait as well.
        let moved = file([
            item(1, 11, at: "2026-11-19T08:00:30Z"), item(4, 40, at: "2026-11-18T08:00:00Z"),
            item(5, 50, at: "2026-11-18T09:00:00Z"),
        ])
        #expect(
            refused(moved) == ["\(id(1)) items.0.starts_at invalid", "\(id(4)) items.1.starts_at invalid"],
            "\(moved.text)")
        #expect(days() == ["2026-11-18": 80, "2026-11-19": 30])
        // Two that change places do not stand in each other's way.
        let swapped = file([
            item(1, 10, at: "2026-11-18T08:10:00Z"), item(2, 20, at: "2026-11-18T08:00:00Z"),
        ])
        #expect(swapped.status == 200 && refused(swapped) == [])
        // Of an id that comes twice the last word counts, also where it is refused.
        let twice = file([
            item(3, 31, at: "2026-11-19T08:00:00Z"), item(3, -1, at: "2026-11-19T08:00:00Z"),
            item(6, 1, at: "2026-11-19T10:00:00Z"),
        ])
        #expect(refused(twice) == ["\(id(3)) items.1.value invalid"])
        #expect(days() == ["2026-11-18": 80, "2026-11-19": 31])
    }

    @Test func `RP-113 a long chain of corrections ends, and nothing is lost`() {
        // Each moves to where the next one was; the last one cannot.
        let place = { (number: Int) in "2026-11-19T07:\(number < 10 ? "0" : "")\(number):00Z" }
        #expect(file((0..<30).map { item($0, 1, at: place($0)) }).status == 200)
        let shifted = (0..<29).map { item($0, 2, at: place($0 + 1)) }
        let filed = file(shifted + [item(40, 3, at: "2026-11-19T08:00:00Z")])
        #expect(filed.status == 200 && refused(filed).count == 29)
        #expect(days() == ["2026-11-19": 33])
    }
}
