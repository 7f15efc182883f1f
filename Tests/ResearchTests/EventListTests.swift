import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Research
@testable import Web

/// ST-2: what leads see of a participant's events.
@Suite struct EventListTests {
    @Test
    func `ST-2 leads see when events were and whether they are answered, and no text`()
        throws
    {
        let portal = try TestPortal()
        let desk = StudyDesk(portal: portal)
        for key in ["wellbeing-5", "between-sessions"] { try portal.publish(key) }
        let study = desk.begin()
        let span = desk.add("wellbeing-5", to: study, #", "event": "span""#)
        _ = desk.add("between-sessions", to: study, #", "event": "moment""#)
        #expect(desk.enrol(.nora, in: study).status == 201)
        portal.wait(seconds: 7200)
        try portal.wait(awake: 0)
        let ids = (0..<3).map { _ in UUID().uuidString.lowercased() }
        let begins: [Int64] = [-5400, -3600, -1800]
        for (id, begin) in zip(ids, begins) {
            let end = id == ids[2] ? "" : #", "ended_at": "\#(portal.now.adding(seconds: begin + 720).text)""#
            let start = portal.now.adding(seconds: begin).text
            let noted = portal.call(
                .put, "/my/events/\(id)", #"{"item_id": "\#(span)", "started_at": "\#(start)"\#(end)}"#,
                as: .nora)
            #expect(noted.status == 201, "\(noted.text)")
        }
        let sent = portal.call(
            .put, "/my/contributions/\(UUID().uuidString.lowercased())",
            """
            {"study_id": "\(study)", "questionnaire_id": "\(desk.version("wellbeing-5", .nora))",
             "event_id": "\(ids[0])", "started_at": "\(portal.now.text)", "completed_at": "\(portal.now.text)",
             "timezone": "Europe/Vienna", "answers": \(StudyDesk.wellbeing)}
            """, as: .nora)
        #expect(sent.status == 201, "\(sent.text)")
        let row = portal.call(.get, "/studies/\(study)/participants", as: .lena).list.first?["attributes"]
        let codename = try #require(row?["codename"]?.string)
        let page = portal.get("/studies/\(study)/participants/\(codename)", as: .lena).text
        let table = try #require(page.components(separatedBy: "id=\"events\"").last)
        #expect(table.contains("<dd>3 notiert, 1 ausgefüllt</dd>"), "\(table)")
        #expect(table.contains("<dd>0 notiert, 0 ausgefüllt</dd>"))
        // The latest first.
        let states = table.matches(of: /<span class="badge[^"]*">([^<]+)<\/span>/).prefix(3).map {
            String($0.1)
        }
        #expect(states == ["nicht ausgefüllt", "nicht ausgefüllt", "beantwortet"])
        let ends = table.matches(of: /data-label="Ende">([^<]+)</).map { String($0.1) }
        #expect(ends.count == 3 && ends[0] == "dauert an" && ends[1].hasSuffix(", 12 min"))
        #expect(portal.get("/studies/\(study)/participants/\(codename)", as: .nora).status != 200)
    }

    @Test func `ST-2 a study without buttons shows no list of events`() throws {
        let portal = try TestPortal()
        let desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        #expect(desk.enrol(.nora, in: study).status == 201)
        let row = portal.call(.get, "/studies/\(study)/participants", as: .lena).list.first?["attributes"]
        let codename = try #require(row?["codename"]?.string)
        let page = portal.get("/studies/\(study)/participants/\(codename)", as: .lena)
        #expect(page.status == 200 && !page.text.contains("id=\"events\""))
    }
}
