import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Web

/// ST-3: what became of each prompt, and when: in the portal and in a file.
@Suite struct PromptTimesTests {
    @Test func `ST-3 pushed, shown, begun, answered, received, or missed`() throws {
        let called = try CalledPortal()
        let portal = called.portal
        let desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study, StudyDesk.daily("20:00", startDay: 0))
        called.subscribe(.nora)
        #expect(desk.enrol(.nora, in: study).status == 201)
        var round = try called.round()
        let reach = { (moment: String) in
            portal.wait(seconds: try #require(Instant(moment)).seconds - portal.now.seconds)
            try portal.wait(awake: 0)
        }
        try reach("2026-11-20T19:00:00Z")
        try called.send(&round)
        let asked = try #require(
            portal.call(.get, "/my/assignments", as: .nora).list.first {
                $0["attributes"]?["available_from"]?.string == "2026-11-20T19:00:00Z"
            }?["id"]?.string)
        try reach("2026-11-20T19:02:00Z")
        let shown = portal.post("/my/offline/shown", [("shown", "\(asked) \(portal.now.text)")], as: .nora)
        #expect(shown.status == 200)
        try reach("2026-11-20T19:12:00Z")
        #expect(desk.answer("wellbeing-5", in: study, as: .nora, assignment: asked).status == 201)
        // At will: no prompt.
        try reach("2026-11-20T19:20:00Z")
        #expect(desk.answer("wellbeing-5", in: study, as: .nora).status == 201)
        // The next one is missed, and the one after it still open.
        try reach("2026-11-22T20:30:00Z")
        let codename = try #require(
            portal.call(.get, "/studies/\(study)/participants", as: .lena).list.first?["attributes"]?[
                "codename"]?.string)
        let item = desk.item("wellbeing-5", .nora)
        let lines = try desk.text(study, "prompts").replacing("\u{FEFF}", with: "").split(separator: "\r\n")
        #expect(
            lines.map(String.init) == [
                "participant,questionnaire,occasion,item_id,time_point,prompt_state,prompted_at,pushed_at,shown_at,"
                    + "started_at,completed_at,received_at,seconds_to_start,seconds_to_complete",
                "\(codename),wellbeing-5,1,\(item),study,answered,2026-11-20T19:00:00Z,2026-11-20T19:00:00Z,"
                    + "2026-11-20T19:02:00Z,2026-11-20T19:12:00Z,2026-11-20T19:12:00Z,2026-11-20T19:12:00Z,720,720",
                "\(codename),wellbeing-5,3,\(item),study,missed,2026-11-21T19:00:00Z,,,,,,,",
            ])
        let page = portal.get("/studies/\(study)/participants/\(codename)", as: .lena).text
        let rows = page.matches(of: /<tr><th scope="row">(.*?)<\/tr>/).map { row in
            String(row.1).replacing(/<[^>]*>/, with: "|").replacing(/\|+/, with: "|")
        }
        #expect(rows.count == 3)
        #expect(rows.first?.hasPrefix("22.11.2026, 20:00|") == true, "\(rows)")
        #expect(rows.first?.hasSuffix("|–|–|–|offen|") == true)
        #expect(rows.dropFirst().first?.hasSuffix("|–|–|–|versäumt|") == true)
        #expect(
            rows.last?.hasSuffix("|zugestellt 20:00 · angezeigt 20:02|20:12|20:12, nach 12 min|beantwortet|")
                == true, "\(rows)")
    }

    @Test func `ST-3 without a prompt there is no list, and other leads find nothing`() throws {
        let portal = try TestPortal()
        let desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        #expect(desk.enrol(.nora, in: study).status == 201)
        #expect(desk.answer("wellbeing-5", in: study, as: .nora).status == 201)
        let codename = try #require(
            portal.call(.get, "/studies/\(study)/participants", as: .lena).list.first?["attributes"]?[
                "codename"]?.string)
        let path = "/studies/\(study)/participants/\(codename)"
        #expect(!portal.get(path, as: .lena).text.contains("Letzte Abfragen"))
        #expect(try desk.text(study, "prompts").split(separator: "\r\n").count == 1)
        try desk.takeIn(.ben)
        #expect(portal.get(path, as: .ben).status == 404)
    }
}
