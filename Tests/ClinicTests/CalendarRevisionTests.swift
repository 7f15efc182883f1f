import Foundation
import HTTP
import JSON
import Scheduling
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Therapies
@testable import Web

/// RP-31: what a calendar was told of an event never goes back (RFC 5545, 3.8.7.3 and 3.8.7.4).
@Suite struct CalendarRevisionTests {
    let portal: TestPortal
    let feed: String
    private var patient: String { "/patients/\(portal.cast.therapies[.pia] ?? "")" }
    private let appointments = [
        "/my/appointments/22222222-2222-4222-8222-222222222222",
        "/my/appointments/33333333-3333-4333-8333-333333333333",
    ]

    init() throws {
        portal = try TestPortal()
        _ = portal.post("/profile/calendar", as: .ada)
        let page = portal.get("/profile", as: .ada).text
        feed = page.firstMatch(of: /\/calendar\/[A-Za-z0-9_-]{43}\.ics/).map { String($0.output) } ?? ""
    }

    /// An event as a calendar reads it.
    private struct Told: Equatable {
        var lines: [String: String] = [:]
        var sequence: Int { Int(lines["SEQUENCE"] ?? "") ?? -1 }
        var modified: String { lines["LAST-MODIFIED"] ?? "" }
        var shown: [String?] { ["DTSTART", "DTEND", "STATUS"].map { lines[$0] } }
    }

    private func told(_ path: String, as person: Person) -> [String: Told] {
        var events: [String: Told] = [:]
        for part in portal.get(path, as: person).text.components(separatedBy: "BEGIN:VEVENT").dropFirst() {
            var event = Told()
            for line in part.split(separator: "\r\n") {
                let pair = line.split(separator: ":", maxSplits: 1).map(String.init)
                if pair.count == 2 { event.lines[pair[0]] = pair[1] }
            }
            events[event.lines["UID"] ?? ""] = event
        }
        return events
    }

    /// The highest that was told of each event, in both calendars.
    private struct Memory {
        var known: [String: Told] = [:]

        mutating func compare(_ now: [String: Told], _ after: Comment) {
            for (uid, event) in now {
                if let earlier = known[uid] {
                    #expect(event.sequence >= earlier.sequence, after)
                    #expect(event.modified >= earlier.modified, after)
                    if event.shown != earlier.shown { #expect(event.sequence > earlier.sequence, after) }
                }
                known[uid] = event
            }
        }
    }

    private func times(_ start: Instant) -> String {
        #""starts_at": "\#(start.text)", "ends_at": "\#(start.adding(seconds: 3000).text)""#
    }

    @Test func `RP-31 undoing a pairing takes nothing back that a calendar was told`() throws {
        let noted = portal.call(
            .post, patient + "/sessions",
            #"{"starts_at": "2026-12-01T09:00:00Z", "ends_at": "2026-12-01T09:50:00Z"}"#, as: .ada)
        #expect(noted.status == 201)
        var memory = Memory()
        memory.compare(told(feed, as: .nobody), "noted")
        portal.wait(seconds: 60)
        let near = Instant("2026-12-01T09:10:00Z") ?? portal.now
        let body = #"{"title": "T", \#(times(near))}"#
        #expect(portal.call(.put, appointments[0], body, as: .pia).status == 201)
        memory.compare(told(feed, as: .nobody), "entered")
        portal.wait(seconds: 60)
        #expect(portal.call(.post, patient + "/pairing/undo", as: .ada).status == 204)
        let last = told(feed, as: .nobody)
        memory.compare(last, "undone")
        #expect(last["\(noted.id)@intersession"]?.shown.first == "20261201T090000Z")
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `RP-31 whatever is noted, entered, moved, marked, removed or deleted, nothing told goes back`(
        _ seed: UInt64
    ) throws {
        var dice = SplitMix64(seed)
        var (mine, theirs) = (Memory(), Memory())
        let base = Instant("2026-11-24T08:00:00Z") ?? portal.now
        for step in 0..<40 {
            portal.wait(seconds: 60)
            // Half hours of one morning: many overlap.
            let start = base.adding(seconds: Int64(dice.next() % 6) * 1800)
            let records = portal.call(.get, patient + "/sessions", as: .ada).list.filter {
                $0["attributes"]?["starts_at"]?.string?.hasPrefix("2026-11-24") == true
            }
            let one = records.isEmpty ? nil : records[Int(dice.next() % UInt64(records.count))]
            let path = patient + "/sessions/\(one?["id"]?.string ?? "")"
            let appointment = appointments[Int(dice.next() % 2)]
            let kind = dice.next() % 7
            switch kind {
            case 0: _ = portal.call(.post, patient + "/sessions", "{\(times(start))}", as: .ada)
            case 1, 2:
                let tag = portal.call(.get, appointment, as: .pia).headers["ETag"]
                let body = #"{"title": "T\#(step)", \#(times(start))}"#
                _ = portal.call(.put, appointment, body, as: .pia, tag.map { ["If-Match": $0] } ?? [:])
            case 3: _ = portal.change(.patch, path, "{\(times(start))}", as: .ada)
            case 4:
                let state = ["cancelled", "planned"][Int(dice.next() % 2)]
                _ = portal.change(.patch, path, #"{"state": "\#(state)"}"#, as: .ada)
            case 5: _ = portal.change(.patch, path, #"{"note": "Notiz \#(step)"}"#, as: .ada)
            default:
                let removed = portal.post(path + "/removal", as: .ada)
                if let way = removed.headers["Location"].flatMap({ portal.get($0, as: .ada).text })?
                    .firstMatch(of: /action="(\/undo\/[^"]+)"/), dice.next() % 2 == 0
                {
                    _ = portal.post(String(way.1), as: .ada)
                }
            }
            let after: Comment = "seed \(seed), step \(step), \(kind)"
            theirs.compare(told(feed, as: .nobody), after)
            mine.compare(told("/my/appointments.ics", as: .pia), after)
        }
        #expect(theirs.known.count > 3 && mine.known.count == 2)
    }

    @Test func `RP-31 the own calendar keeps its count over a therapy that ended`() throws {
        let start = Instant("2026-11-24T08:00:00Z") ?? portal.now
        for step in 0..<3 {
            let tag = portal.call(.get, appointments[0], as: .pia).headers["ETag"]
            let body = #"{"title": "T", \#(times(start.adding(seconds: Int64(step) * 3600)))}"#
            let answer = portal.call(
                .put, appointments[0], body, as: .pia, tag.map { ["If-Match": $0] } ?? [:])
            #expect(answer.status == (step == 0 ? 201 : 200))
        }
        var memory = Memory()
        memory.compare(told("/my/appointments.ics", as: .pia), "three times")
        #expect(memory.known.values.map(\.sequence) == [2])
        try portal.wait(awake: 5)
        #expect(portal.call(.post, patient + "/therapy/end", as: .ada).status == 200)
        let new = portal.call(.post, "/patients", "{}", as: .ada)
        let code = new.attributes["pairing_code"]?["code"]?.string ?? ""
        let body = #"{"code": "\#(code)", "birth_date": "1985-01-02", "gender": "male"}"#
        #expect(portal.call(.post, "/my/pairing", body, as: .pia).status == 201)
        let after = told("/my/appointments.ics", as: .pia)
        #expect(after.count == 1)
        memory.compare(after, "another therapy")
    }

    @Test func `RP-14 a calendar without sessions has its zone, and one with them none`() throws {
        let none = portal.get("/my/appointments.ics", as: .pia).text
        #expect(none.contains("BEGIN:VTIMEZONE\r\n") && !none.contains("VEVENT"))
        #expect(!portal.get(feed, as: .nobody).text.contains("VTIMEZONE"))
    }
}
