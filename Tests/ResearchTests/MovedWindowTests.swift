import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Web

/// ST-3: the one prompt of a time point is answered on whatever days a phone knew.
@Suite struct MovedWindowTests {
    private let portal: TestPortal
    private let desk: StudyDesk

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
    }

    /// It is the 20th of November.
    private static func points(_ days: String) -> String {
        #"{"time_points": [{"key": "t1", "title": {"de": "Ende"}, "anchor": "enrolment", \#(days)}]}"#
    }

    private func wait(until moment: String) throws {
        portal.wait(seconds: try #require(Instant(moment)).seconds - portal.now.seconds)
        try portal.wait(awake: 0)
    }

    private func move(_ study: String, to days: String) {
        let moved = portal.change(.patch, "/studies/\(study)", Self.points(days), as: .lena)
        #expect(moved.status == 200, "\(moved.text)")
    }

    private func send(_ assignment: String, completed: String) {
        let sent = portal.call(
            .put, "/my/contributions/\(UUID().uuidString.lowercased())",
            """
            {"assignment_id": "\(assignment)", "started_at": "\(completed)", "completed_at": "\(completed)",
             "timezone": "Europe/Vienna", "answers": \(StudyDesk.wellbeing)}
            """, as: .nora)
        #expect(sent.status == 201, "\(sent.text)")
    }

    private func lines(_ study: String, _ format: String) throws -> [String] {
        try desk.text(study, format).split(separator: "\r\n").dropFirst().map(String.init)
    }

    /// What the page of the only participant says of each of the latest prompts.
    private func listed(_ study: String) throws -> [String] {
        let people = portal.call(.get, "/studies/\(study)/participants", as: .lena).list
        let name = try #require(people.first?["attributes"]?["codename"]?.string)
        let page = portal.get("/studies/\(study)/participants/\(name)", as: .lena).text
        let list = try #require(page.range(of: "Letzte Abfragen"))
        return page[list.lowerBound...].matches(of: /<tr><th scope="row">(.*?)<\/tr>/).map {
            String($0.1).replacing(/<[^>]*>/, with: "|").replacing(/\|+/, with: "|")
        }
    }

    /// Days 2 to 10 are those from the 22nd to the 30th of November.
    private static let known = #""day": 2, "after": 8"#

    @Test(arguments: [#""day": 3, "after": 1"#, #""day": 1"#, #""day": 20"#])
    func `ST-3 what a phone answered on days that were moved since is one prompt, and answered`(
        _ days: String
    )
        throws
    {
        let study = desk.begin(Self.points(Self.known))
        _ = desk.add("wellbeing-5", to: study, #", "time_point": "t1""#)
        #expect(desk.enrol(.nora, in: study).status == 201)
        let held = try #require(
            portal.call(.get, "/my/assignments", as: .nora).list.first {
                $0["attributes"]?["source"]?.string == "study"
            }?["id"]?.string)
        portal.wait(seconds: 60)
        // The phone does not hear of it.
        move(study, to: days)
        try wait(until: "2026-11-26T12:00:00Z")
        send(held, completed: "2026-11-26T11:00:00Z")
        try wait(until: "2026-12-18T12:00:00Z")
        let rows = try listed(study)
        #expect(rows.count == 1 && rows.first?.hasPrefix("22.11.2026, 00:00|") == true, "\(rows)")
        #expect(rows.first?.hasSuffix("|beantwortet|") == true, "\(rows)")
        for format in ["prompts", "wide"] {
            let lines = try lines(study, format)
            #expect(lines.count == 1 && lines.first?.contains(",answered,") == true, "\(format): \(lines)")
        }
        let sent = portal.post("/studies/\(study)/compliance/table", [("sort", "codename")], as: .lena)
        let table = String(decoding: try sent.streamed(), as: UTF8.self)
        #expect(table.split(separator: "\r\n").dropFirst().map { $0.hasSuffix(",1,1,0,0") } == [true])
    }

    @Test func `ST-3 the response of the last days has no answered prompt for a missed one`() throws {
        let study = desk.begin(Self.points(Self.known))
        _ = desk.add("wellbeing-5", to: study, #", "time_point": "t1""#)
        #expect(desk.enrol(.nora, in: study).status == 201)
        let held = try #require(portal.call(.get, "/my/assignments", as: .nora).list.first?["id"]?.string)
        portal.wait(seconds: 60)
        move(study, to: #""day": 4, "after": 1"#)
        try wait(until: "2026-11-26T12:00:00Z")
        send(held, completed: "2026-11-26T11:00:00Z")
        // The prompt that the phone knew lies before the last seven days, that of the moved days within.
        try wait(until: "2026-11-30T12:00:00Z")
        let page = portal.get("/studies/\(study)/compliance?sort=response", as: .lena).text
        #expect(!page.contains("0 von 1"))
    }
}
