import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Wearables

/// Corrections of single values, and what becomes of the others where one is refused.
@Suite struct CorrectedValueTests: ValueFiling {
    let portal: TestPortal

    init() throws { portal = try TestPortal() }

    @Test func `RP-113 a value corrected into a day that was sent whole leaves the day where it was`() {
        let known = [item(1, 10, at: "2026-11-18T08:00:00Z"), item(2, 20, at: "2026-11-18T08:10:00Z")]
        #expect(file(known).status == 200 && send(whole: "2026-11-19", 500) == 201)
        // What takes its place is filed in the same call.
        let moved = file([
            item(1, 10, at: "2026-11-19T08:00:00Z"), item(3, 30, at: "2026-11-18T08:00:00Z"),
        ])
        #expect(moved.status == 200 && refused(moved) == [] && moved.attributes["days"] == .number(1))
        #expect(days() == ["2026-11-18": 50, "2026-11-19": 500])
        // The last values of a day take the day along.
        let last = file([
            item(2, 20, at: "2026-11-19T08:10:00Z"), item(3, 30, at: "2026-11-19T08:20:00Z"),
        ])
        #expect(last.status == 200 && last.attributes["days"] == .number(1))
        #expect(days() == ["2026-11-19": 500])
    }

    @Test func `RP-113 a value corrected out of a day that was sent whole since is filed once`() {
        #expect(file([item(1, 10, at: "2026-11-19T08:00:00Z")]).status == 200)
        #expect(file([item(2, 20, at: "2026-11-18T08:00:00Z")]).status == 200)
        #expect(send(whole: "2026-11-19", 500) == 200)
        let refusal = file([item(1, 10, at: "2026-11-18T08:00:30Z")])
        #expect(refusal.status == 422 && days() == ["2026-11-18": 20, "2026-11-19": 500])
        #expect(file([item(1, 11, at: "2026-11-18T08:05:00Z")]).attributes["days"] == .number(1))
        #expect(days() == ["2026-11-18": 31, "2026-11-19": 500])
    }

    @Test func `RP-113 a long chain of corrections that ends refused takes no other correction along`() {
        // Each moves to where the next one was, a day on or back; the last one cannot.
        let place = { (number: Int) in "2026-11-\(17 + number % 2)T07:\(10 + number):00Z" }
        let others = [
            item(70, 5, at: "2026-11-13T08:00:00Z"), item(71, 5, at: "2026-11-17T12:00:00Z"),
        ]
        #expect(file((0..<24).map { item($0, 1, at: place($0)) } + others).status == 200)
        let shifted = (0..<23).map { item($0, 2, at: place($0 + 1)) }
        let filed = file(
            shifted + [item(70, 6, at: "2026-11-14T08:00:00Z"), item(71, 7, at: "2026-11-18T12:00:00Z")])
        #expect(filed.status == 200 && refused(filed).count == 23)
        #expect(days() == ["2026-11-14": 6, "2026-11-17": 12, "2026-11-18": 19], "\(filed.text)")
    }

    @Test func `RP-113 a chain of corrections that ends free is filed, however long it is`() {
        let place = { (number: Int) in
            (Instant("2026-11-18T00:00:00Z") ?? .distantPast).adding(seconds: Int64(number) * 60).text
        }
        #expect(file((0..<600).map { item($0, 1, at: place($0)) }).status == 200)
        let filed = file((0..<600).map { item($0, 2, at: place($0 + 1)) })
        #expect(filed.status == 200 && refused(filed) == [] && days() == ["2026-11-18": 1_200])
    }

    @Test func `RP-113 what overlaps only a value that is refused itself is filed`() {
        let known = [
            item(1, 10, at: "2026-11-19T08:00:00Z"), item(2, 20, at: "2026-11-19T09:00:00Z"),
        ]
        #expect(file(known).status == 200)
        // The one that ends first would make the day impossible.
        let impossible = file([
            item(3, 40, at: "2026-11-19T10:00:00Z", lasting: 1_200),
            item(4, 119_990, at: "2026-11-19T10:10:00Z"),
        ])
        #expect(refused(impossible) == ["\(id(4)) items.1.value invalid"] && days() == ["2026-11-19": 70])
        // The one that ends first would take the place of a correction that is refused.
        let waiting = file([
            item(1, 10, at: "2026-11-19T09:00:30Z"), item(5, 50, at: "2026-11-19T08:00:30Z"),
            item(6, 60, at: "2026-11-19T08:01:00Z", lasting: 120),
        ])
        let named = ["\(id(1)) items.0.starts_at invalid", "\(id(5)) items.1.starts_at invalid"]
        #expect(refused(waiting) == named && days() == ["2026-11-19": 130], "\(waiting.text)")
    }

    @Test func `RP-113 two that change places do so, whatever new value wants one of them`() {
        let known = [
            item(1, 10, at: "2026-11-18T08:00:00Z"), item(2, 20, at: "2026-11-19T08:00:00Z"),
        ]
        #expect(file(known).status == 200)
        let swapped = file([
            item(1, 11, at: "2026-11-19T08:00:00Z"), item(2, 22, at: "2026-11-18T08:00:00Z"),
            item(3, 30, at: "2026-11-19T08:00:10Z", lasting: 20),
        ])
        #expect(refused(swapped) == ["\(id(3)) items.2.starts_at invalid"], "\(swapped.text)")
        #expect(days() == ["2026-11-18": 22, "2026-11-19": 11])
    }

    @Test
    func `RP-113 a correction that makes an impossible day possible is filed before others are refused`() {
        let known = [
            item(1, 100_000, at: "2026-11-19T08:00:00Z"), item(2, 10, at: "2026-11-19T09:00:00Z"),
        ]
        #expect(file(known).status == 200)
        let corrected = file([
            item(1, 60_000, at: "2026-11-19T08:00:00Z"), item(3, 30_000, at: "2026-11-19T10:00:00Z"),
            item(4, 40_000, at: "2026-11-19T11:00:00Z"),
        ])
        #expect(refused(corrected) == ["\(id(4)) items.2.value invalid"], "\(corrected.text)")
        #expect(days() == ["2026-11-19": 90_010])
    }
}
