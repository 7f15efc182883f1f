import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Web

/// TYT-3: half-filled answers are brought together item by item.
@Suite struct DraftMergeTests {
    let portal: TestPortal
    var path: String { "/my/drafts/\(portal.cast.assignment)" }

    init() throws { portal = try TestPortal() }

    private func put(_ body: String, tag: String? = nil) -> Response {
        portal.call(.put, path, body, as: .pia, tag.map { ["If-Match": $0] } ?? [:])
    }

    @Test func `TYT-3 of each item the later one counts, whatever came first`() throws {
        let now = portal.now
        let made = put(
            #"{"answers": {"dream": 2}, "answered_at": {"dream": "\#(now.adding(seconds: -10).text)"}}"#)
        #expect(made.status == 201)
        #expect(made.attributes["answered_at"]?["dream"]?.string == now.adding(seconds: -10).text)
        let older = put(
            #"{"answers": {"dream": 4, "lighter": 1}, "answered_at": {"dream": "\#(now.adding(seconds: -60).text)"}}"#,
            tag: made.headers["ETag"])
        #expect(older.status == 200 && older.attributes["answers"]?["dream"] == .number(2))
        #expect(older.attributes["answers"]?["lighter"] == .number(1))
        #expect(older.attributes["answered_at"]?["lighter"]?.string == now.text)
        let newer = put(#"{"answers": {"dream": 4}}"#, tag: older.headers["ETag"])
        #expect(newer.attributes["answers"]?["dream"] == .number(4))
        #expect(newer.attributes["answers"]?["lighter"] == .number(1))
    }

    @Test func `TYT-3 what is taken back stays taken back, and says when`() throws {
        let made = put(#"{"answers": {"dream": 2, "lighter": 1}}"#)
        portal.wait(seconds: 5)
        let back = put(#"{"answers": {"dream": null}}"#, tag: made.headers["ETag"])
        #expect(back.attributes["answers"]?["dream"] == .null)
        #expect(back.attributes["answered_at"]?["dream"]?.string == portal.now.text)
        let late = put(
            #"{"answers": {"dream": 3}, "answered_at": {"dream": "\#(portal.now.adding(seconds: -3).text)"}}"#,
            tag: back.headers["ETag"])
        #expect(late.attributes["answers"]?["dream"] == .null)
    }

    @Test func `a clock that runs ahead wins nothing, and a time of nothing is refused`() {
        let ahead = portal.now.adding(days: 3).text
        let made = put(#"{"answers": {"dream": 2}, "answered_at": {"dream": "\#(ahead)"}}"#)
        #expect(made.attributes["answered_at"]?["dream"]?.string == portal.now.text)
        #expect(
            put(#"{"answers": {}, "answered_at": {"dream": "\#(ahead)"}}"#).wrongFields == [
                "answered_at.dream"
            ])
        #expect(
            put(#"{"answers": {"dream": 1}, "answered_at": {"dream": "soon"}}"#).wrongFields == [
                "answered_at.dream"
            ])
    }

    /// Chance that is the same every time.
    private struct Dice: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state
        }
    }

    private static let keys = AnsweringTests.all.map(\.0)

    @Test func `A3 a draft goes between app and web in 200 interleavings, and no answered item is lost`()
        throws
    {
        var dice = Dice(state: 2026)
        let web = AnsweringPerson(portal, at: "/my/assignments/\(portal.cast.assignment)")
        let page = "/my/assignments/\(portal.cast.assignment)"
        var expected: [String: Int] = [:]
        // What the app has seen last, and the form that lies open in the browser, each as old as it may be.
        var tag: String?
        for round in 0..<200 {
            portal.wait(seconds: 2)
            let key = Self.keys.randomElement(using: &dice) ?? ""
            let value = Int.random(in: 0...4, using: &dice)
            switch Int.random(in: 0..<4, using: &dice) {
            case 0:
                web.open(page)
            case 1:
                // Answers in the form as it was opened, perhaps many steps ago.
                guard web.page.text.contains("name=\"answers.\(key)\"") else { web.open(page); continue }
                let changed = !web.fields.contains { $0 == ("answers.\(key)", String(value)) }
                #expect(web.press("next", [(key, String(value))]).status == 303)
                if changed { expected[key] = value }
            default:
                var answer = put(#"{"answers": {"\#(key)": \#(value)}}"#, tag: tag)
                if [412, 428].contains(answer.status) {
                    tag = portal.call(.get, path, as: .pia).headers["ETag"]
                    answer = put(#"{"answers": {"\#(key)": \#(value)}}"#, tag: tag)
                }
                #expect((200..<300).contains(answer.status), "\(round) \(answer.text)")
                tag = answer.headers["ETag"]
                expected[key] = value
            }
            let stored = portal.call(.get, path, as: .pia).attributes["answers"]
            for (key, value) in expected {
                #expect(stored?[key] == .number(Double(value)), "\(round) \(key)")
            }
        }
        #expect(expected.count == Self.keys.count)
    }
}
