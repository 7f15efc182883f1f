import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Web

/// ST defect 9: sheets of studies that are refused and may still be of worth wait for their leads, by codename.
@Suite struct StudyQuarantineTests {
    let portal: TestPortal
    let desk: StudyDesk
    let study: String

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        study = desk.begin()
        _ = desk.add("wellbeing-5", to: study, StudyDesk.daily("10:00", "14:00", startDay: 1))
        #expect(desk.enrol(.nora, in: study).status == 201)
        let at = try #require(Instant("2026-11-21T13:05:00Z"))
        portal.wait(seconds: at.seconds - portal.now.seconds)
        try portal.wait(awake: 0)
    }

    var prompt: String {
        portal.call(.get, "/my/assignments", as: .nora).list.first {
            $0["attributes"]?["available_from"]?.string == "2026-11-21T13:00:00Z"
        }?["id"]?.string ?? ""
    }

    func send(_ reason: String, at completed: Instant, calm: Int = 3) -> Response {
        portal.call(
            .put, "/my/contributions/\(UUID().uuidString.lowercased())",
            """
            {\(reason), "started_at": "\(completed.adding(seconds: -60).text)", "completed_at": "\(completed.text)",
             "timezone": "Europe/Vienna", "answers": {"enjoyed": 3, "calm": \(calm), "energy": 2, "slept": 4, "company": 3}}
            """, as: .nora)
    }

    func waiting(_ state: String = "waiting") -> [JSON] {
        portal.call(.get, "/studies/\(study)/quarantine?state=\(state)", as: .lena).list
    }

    func occasions() throws -> [[String]] {
        let list = try desk.export(study, "json")["occasions"]?.array ?? []
        return list.map { [$0["prompted_at"]?.string ?? "", $0["completed_at"]?.string ?? ""] }
    }

    @Test func `a clock that is days ahead is refused, kept by codename, and taken in for its prompt`() throws
    {
        let named = "\"assignment_id\": \"\(prompt)\""
        let refused = send(named, at: portal.now.adding(days: 3))
        #expect(refused.status == 422 && refused.wrongFields == ["completed_at"], "\(refused.text)")
        let held = try #require(waiting().first)
        let codename = try desk.export(study, "json")["participants"]?.array?.first?["participant"]
        #expect(held["attributes"]?["reason"] == .string("clock") && waiting().count == 1)
        #expect(
            held["attributes"]?["codename"] == codename && held["attributes"]?["admissible"] == .bool(true))
        let id = held["id"]?.string ?? ""
        let path = "/studies/\(study)/quarantine"
        let page = portal.get(path, as: .lena).text
        #expect(page.contains(codename?.string ?? "-") && page.contains("21.11.2026, 14:05"))
        #expect(!page.contains("nora"))
        #expect(portal.get("/studies/\(study)/participants", as: .lena).text.contains(path))
        #expect(
            portal.get("/patients/\(portal.cast.therapies[.pia] ?? "")/quarantine/\(id)", as: .ada).status
                == 404)
        #expect(portal.call(.post, "\(path)/\(id)/admission", as: .ada).status == 403)
        #expect(portal.call(.post, "\(path)/\(id)/admission", as: .lena).status == 204)
        #expect(portal.call(.post, "\(path)/\(id)/discard", as: .lena).status == 409)
        #expect(waiting().isEmpty)
        #expect(try occasions() == [["2026-11-21T13:00:00Z", "2026-11-21T13:05:00Z"]])
    }

    @Test func `what contradicts an answered prompt stands beside the first, as filled in at will`() throws {
        let named = "\"assignment_id\": \"\(prompt)\""
        #expect(send(named, at: portal.now).status == 201)
        // The same answers under another id are no contradiction.
        #expect(send(named, at: portal.now).status == 409 && waiting().isEmpty)
        #expect(send(named, at: portal.now, calm: 5).status == 409)
        let id = try #require(waiting().first?["id"]?.string)
        #expect(portal.post("/studies/\(study)/quarantine/\(id)/admission", as: .lena).status == 303)
        let prompts = try occasions().map { $0[0] }.sorted()
        #expect(prompts == ["", "2026-11-21T13:00:00Z"])
    }

    @Test
    func
        `an unknown version is kept, discarded, brought back and read as the one whose questions it answers`()
        throws
    {
        let reason = "\"study_id\": \"\(study)\", \"questionnaire_id\": \"\(UUID().uuidString.lowercased())\""
        #expect(send(reason, at: portal.now).wrongFields == ["questionnaire_id"])
        let held = try #require(waiting().first)
        let id = held["id"]?.string ?? ""
        #expect(held["attributes"]?["questionnaire_key"]?.string == "wellbeing-5")
        let path = "/studies/\(study)/quarantine/\(id)"
        #expect(portal.post("\(path)/discard", as: .lena).status == 303)
        #expect(waiting().isEmpty && waiting("discarded").count == 1)
        #expect(portal.call(.post, "\(path)/return", as: .lena).status == 204 && waiting().count == 1)
        #expect(portal.call(.post, "\(path)/admission", as: .lena).status == 204)
        #expect(try occasions().last == ["2026-11-21T13:00:00Z", "2026-11-21T13:05:00Z"])
        // A participant without consent is hidden.
        #expect(send(reason, at: portal.now, calm: 4).status == 422 && waiting().count == 1)
        portal.wait(seconds: 60)
        #expect(portal.call(.put, "/my/privacy", #"{"research_consent": false}"#, as: .nora).status == 200)
        #expect(waiting().isEmpty)
    }

    @Test func `a discarded sheet is brought back by no lead who may not be told of it any more`() throws {
        let reason = "\"study_id\": \"\(study)\", \"questionnaire_id\": \"\(UUID().uuidString.lowercased())\""
        #expect(send(reason, at: portal.now).status == 422)
        let path = "/studies/\(study)/quarantine/\(try #require(waiting().first?["id"]?.string))"
        #expect(portal.call(.post, "\(path)/discard", as: .lena).status == 204)
        portal.wait(seconds: 60)
        #expect(portal.call(.put, "/my/privacy", #"{"research_consent": false}"#, as: .nora).status == 200)
        #expect(waiting("discarded").isEmpty)
        #expect(portal.call(.post, "\(path)/return", as: .lena).status == 404)
        #expect(portal.post("\(path)/return", as: .lena).status == 404)
        let decision: String? = try portal.services.records.read { connection in
            try connection.value("SELECT decision FROM quarantined_sheets WHERE enrolment_id IS NOT NULL")
        }
        #expect(decision == "discarded")
    }

    @Test func `who leaves and has everything removed leaves no refused sheet behind`() throws {
        let reason = "\"study_id\": \"\(study)\", \"questionnaire_id\": \"\(UUID().uuidString.lowercased())\""
        #expect(send(reason, at: portal.now).status == 422 && waiting().count == 1)
        let left = portal.call(.delete, "/studies/\(study)/enrolment?data=remove", as: .nora)
        #expect((200..<300).contains(left.status))
        let rows = try portal.services.records.read { connection in
            try connection.count("SELECT count(*) FROM quarantined_sheets WHERE enrolment_id IS NOT NULL")
        }
        #expect(rows == 0)
    }
}
