import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Research
@testable import Web

/// ST-2: what files say of the events that sheets are about.
@Suite struct EventExportTests {
    @Test func `ST-2 a sheet has the times of its event, and the JSON file every event`() throws {
        let portal = try TestPortal()
        let desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        let study = desk.begin()
        let item = desk.add("wellbeing-5", to: study, #", "event": "span""#)
        #expect(desk.enrol(.nora, in: study).status == 201)
        portal.wait(seconds: 1200)
        let begin = portal.now.adding(seconds: -600).text
        let ids = (0..<2).map { _ in UUID().uuidString.lowercased() }
        let ends = [#", "ended_at": "\#(portal.now.text)""#, ""]
        for (id, end) in zip(ids, ends) {
            let noted = portal.call(
                .put, "/my/events/\(id)", #"{"item_id": "\#(item)", "started_at": "\#(begin)"\#(end)}"#,
                as: .nora)
            #expect(noted.status == 201, "\(noted.text)")
        }
        for about in [#", "event_id": "\#(ids[0])""#, ""] {
            let sent = portal.call(
                .put, "/my/contributions/\(UUID().uuidString.lowercased())",
                """
                {"study_id": "\(study)", "questionnaire_id": "\(desk.version("wellbeing-5", .nora))"\(about),
                 "started_at": "\(portal.now.text)", "completed_at": "\(portal.now.text)",
                 "timezone": "Europe/Vienna", "answers": \(StudyDesk.wellbeing)}
                """, as: .nora)
            #expect(sent.status == 201, "\(sent.text)")
            portal.wait(seconds: 120)
        }
        let then = portal.now.adding(seconds: -240).text
        let long = try desk.text(study, "csv").split(separator: "\r\n")
        #expect(long[0].hasSuffix(",event_started_at,event_ended_at"))
        #expect(long.dropFirst().count { $0.hasSuffix(",\(begin),\(then)") } == 6)
        #expect(long.dropFirst().count { $0.hasSuffix(",,") } == 6)
        // It answers no prompt, and none was missed.
        let json = try desk.export(study, "json")
        #expect(json["manifest"]?["missed_prompts"] == .number(0))
        let lines = json["occasions"]?.array ?? []
        #expect(lines.map { $0["event_started_at"]?.string } == [begin, nil])
        #expect(lines.map { $0["prompt_state"] } == [.null, .null])
        let events = json["events"]?.array ?? []
        #expect(events.map { $0["ended_at"]?.string }.sorted { ($0 ?? "") < ($1 ?? "") } == [nil, then])
        #expect(events.count { $0["is_answered"] == .bool(true) } == 1)
        #expect(events.allSatisfy { $0["event"] == .string("span") })
        for format in ["wide", "codebook", "r"] {
            #expect(try desk.text(study, format).contains("event_ended_at"), "\(format)")
        }
    }
}
