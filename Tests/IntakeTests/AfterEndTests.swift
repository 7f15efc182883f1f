import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Therapies
@testable import Web

/// RP-103: a device without a network does not hear of an end. What it was told is open can be completed, and is refused afterwards;
/// it lies with the therapist or the leads, who decide.
@Suite struct AfterEndTests {
    private let portal: TestPortal
    private let desk: StudyDesk
    private let pia: ID<Therapy>

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        pia = portal.cast.therapies[.pia] ?? ""
        try portal.publish("wellbeing-5")
    }

    private func wait(until text: String) throws {
        portal.wait(seconds: try #require(Instant(text)).seconds - portal.now.seconds)
        try portal.wait(awake: 0)
    }

    // MARK: Of a therapy

    private func end() {
        #expect(portal.call(.post, "/patients/\(pia)/therapy/end", as: .ada).status == 200)
    }

    /// What waits, but for the unreadable one of the cast.
    private func waiting() -> [JSON] {
        portal.call(.get, "/patients/\(pia)/quarantine", as: .ada).list.filter {
            $0["id"]?.string != portal.cast.quarantined
        }
    }

    private func sheet(at completed: String) -> String {
        SheetSample.sheetBody(assignment: portal.cast.assignment, at: completed)
    }

    @Test func `RP-103 a sheet completed after the end of the therapy lies with the therapist`() throws {
        end()
        portal.wait(seconds: 3600)
        try portal.wait(awake: 0)
        let completed = portal.now.adding(seconds: -600).text
        let refused = portal.call(.put, SheetSample.path, sheet(at: completed), as: .pia)
        #expect(refused.status == 403 && refused.json["code"] == .string("therapy_ended"), "\(refused.text)")
        // Sent again it is kept once.
        #expect(portal.call(.put, SheetSample.path, sheet(at: completed), as: .pia).status == 403)
        let held = try #require(waiting().first)
        #expect(waiting().count == 1 && held["attributes"]?["reason"] == .string("ended"))
        #expect(held["attributes"]?["admissible"] == .bool(true))
        let page = portal.get("/patients/\(pia)/quarantine", as: .ada)
        #expect(page.status == 200 && page.text.contains("nach dem Ende ausgefüllt"))
        let id = held["id"]?.string ?? ""
        #expect(portal.call(.post, "/patients/\(pia)/quarantine/\(id)/admission", as: .ada).status == 204)
        let stored = portal.call(.get, "/my/contributions/\(id)", as: .pia)
        #expect(stored.attributes["completed_at"] == .string(completed) && waiting().isEmpty)
    }

    @Test func `RP-103 what was withdrawn before the end, and completed after it, is kept nowhere`() throws {
        let withdrawn = portal.call(
            .delete, "/patients/\(pia)/assignments/\(portal.cast.assignment)", as: .ada)
        #expect(withdrawn.status == 204)
        portal.wait(seconds: 600)
        end()
        portal.wait(seconds: 3600)
        try portal.wait(awake: 0)
        let completed = portal.now.adding(seconds: -600).text
        #expect(portal.call(.put, SheetSample.path, sheet(at: completed), as: .pia).status == 403)
        #expect(waiting().isEmpty)
    }

    @Test func `RP-103 what its window, or a month, has left behind is not kept`() throws {
        end()
        portal.wait(days: 20)
        try portal.wait(awake: 0)
        // The assignment was due after a week.
        let late = portal.now.adding(seconds: -600).text
        #expect(portal.call(.put, SheetSample.path, sheet(at: late), as: .pia).status == 403)
        portal.wait(days: 11)
        try portal.wait(awake: 0)
        #expect(
            portal.call(.put, SheetSample.path, sheet(at: "2026-11-20T12:00:00Z"), as: .pia).status == 403)
        #expect(waiting().isEmpty)
    }

    @Test func `RP-103 a daily that was open at the end lies with the therapist, a later one does not`()
        throws
    {
        let version = try portal.publish("intersession-daily")
        let daily = { (from: String, due: String, completed: String) in
            """
            {"daily": {"questionnaire_id": "\(version)", "available_from": "\(from)", "due_at": "\(due)"},
             "started_at": "\(completed)", "completed_at": "\(completed)", "timezone": "Europe/Vienna",
             "answers": {"thought": 1, "feeling": 4}}
            """
        }
        try wait(until: "2026-11-20T18:40:00Z")
        end()
        try wait(until: "2026-11-21T20:00:00Z")
        let later = daily("2026-11-21T18:30:00Z", "2026-11-21T19:00:00Z", "2026-11-21T18:40:00Z")
        #expect(portal.call(.put, SheetSample.path, later, as: .pia).status == 403)
        #expect(waiting().isEmpty)
        let open = daily("2026-11-20T18:30:00Z", "2026-11-20T19:00:00Z", "2026-11-20T18:50:00Z")
        let refused = portal.call(.put, SheetSample.path, open, as: .pia)
        #expect(refused.status == 403, "\(refused.text)")
        #expect(waiting().map { $0["attributes"]?["reason"] } == [.string("ended")])
    }

    // MARK: Of a study

    private func change(_ path: String, _ body: String) {
        let changed = portal.change(.patch, path, body, as: .lena)
        #expect(changed.status == 200, "\(changed.text)")
    }

    private func told() -> [JSON] {
        portal.call(.get, "/my/assignments", as: .nora).list.filter {
            $0["attributes"]?["source"]?.string == "study"
        }
    }

    private func send(_ asked: String?, completed: Instant) -> Response {
        portal.call(
            .put, "/my/contributions/\(UUID().uuidString.lowercased())",
            """
            {"assignment_id": "\(asked ?? "")", "started_at": "\(completed.text)",
             "completed_at": "\(completed.text)", "timezone": "Europe/Vienna", "answers": \(StudyDesk.wellbeing)}
            """, as: .nora)
    }

    private func held(_ study: String) -> [JSON] {
        portal.call(.get, "/studies/\(study)/quarantine", as: .lena).list
    }

    private func completions(_ study: String) throws -> [String] {
        let list = try desk.export(study, "json")["occasions"]?.array ?? []
        return list.compactMap { $0["completed_at"]?.string }
    }

    @Test(arguments: [
        ("", #"{"running": false}"#, 409), ("", #"{"ends_at": "2026-11-20T20:00:00Z"}"#, 422),
        ("/item", #"{"is_active": false}"#, 409),
    ])
    func `RP-103 what is asked once and completed after a moved end lies with the leads`(
        _ of: String, _ body: String, _ status: Int
    ) throws {
        let study = desk.begin(#"{"ends_at": "2026-12-20T20:00:00Z"}"#)
        let item = desk.add("wellbeing-5", to: study)
        #expect(desk.enrol(.nora, in: study).status == 201)
        let asked = told().first
        #expect(asked?["attributes"]?["due_at"]?.string == "2026-12-20T20:00:00Z")
        try wait(until: "2026-11-20T19:30:00Z")
        change("/studies/\(study)" + (of.isEmpty ? "" : "/questionnaires/\(item)"), body)
        try wait(until: "2026-11-20T21:30:00Z")
        #expect(told().isEmpty)
        let completed = portal.now.adding(seconds: -600)
        let refused = send(asked?["id"]?.string, completed: completed)
        #expect(refused.status == status, "\(refused.text)")
        #expect(held(study).map { $0["attributes"]?["reason"] } == [.string("ended")])
        let id = held(study).first?["id"]?.string ?? ""
        #expect(
            portal.get("/studies/\(study)/quarantine", as: .lena).text.contains("nach dem Ende ausgefüllt"))
        let admitted = portal.call(.post, "/studies/\(study)/quarantine/\(id)/admission", as: .lena)
        #expect(admitted.status == 204, "\(admitted.text)")
        #expect(try completions(study) == [completed.text] && held(study).isEmpty)
    }

    @Test func `RP-103 what was completed after leaving the study is kept nowhere`()
        throws
    {
        let study = desk.begin(#"{"ends_at": "2026-12-20T20:00:00Z"}"#)
        _ = desk.add("wellbeing-5", to: study)
        #expect(desk.enrol(.nora, in: study).status == 201)
        let asked = told().first?["id"]?.string
        try wait(until: "2026-11-20T19:30:00Z")
        change("/studies/\(study)", #"{"ends_at": "2026-11-20T20:00:00Z"}"#)
        #expect(portal.call(.delete, "/studies/\(study)/enrolment", as: .nora).status == 204)
        try wait(until: "2026-11-20T21:30:00Z")
        let refused = send(asked, completed: portal.now.adding(seconds: -600))
        #expect(refused.status == 409, "\(refused.text)")
        #expect(held(study).isEmpty)
    }

    @Test func `RP-103 a month after the end, and before the begin, nothing is kept`() throws {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        #expect(desk.enrol(.nora, in: study).status == 201)
        let asked = told().first?["id"]?.string
        change("/studies/\(study)", #"{"running": false}"#)
        portal.wait(days: 31)
        try portal.wait(awake: 0)
        #expect(send(asked, completed: portal.now).status == 409 && held(study).isEmpty)
    }

    @Test func `RP-103 a study that ends, pauses and begins again in one day`() throws {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study, StudyDesk.daily("10:30", "14:00", "20:00", startDay: 0))
        #expect(desk.enrol(.nora, in: study).status == 201)
        let path = "/studies/\(study)"
        // What a device holds that has had no network since the morning.
        try wait(until: "2026-11-20T09:31:00Z")
        let device = told()
        #expect(device.first?["attributes"]?["available_from"]?.string == "2026-11-20T09:30:00Z")
        let noon = device.first { $0["attributes"]?["available_from"]?.string == "2026-11-20T13:00:00Z" }
        try wait(until: "2026-11-20T10:00:00Z")
        change(path, #"{"ends_at": "2026-11-20T11:00:00Z"}"#)
        try wait(until: "2026-11-20T12:00:00Z")
        #expect(told().isEmpty)
        // It goes on after the second prompt had been due.
        try wait(until: "2026-11-20T13:30:00Z")
        change(path, #"{"ends_at": "2026-12-20T20:00:00Z"}"#)
        try wait(until: "2026-11-20T15:00:00Z")
        change(path, #"{"running": false}"#)
        try wait(until: "2026-11-20T16:00:00Z")
        change(path, #"{"running": true}"#)
        try wait(until: "2026-11-20T19:01:00Z")
        // The first is open until the end of its day in spite of all, and the third came.
        #expect(send(device.first?["id"]?.string, completed: portal.now).status == 201)
        let third = told().first { $0["attributes"]?["available_from"]?.string == "2026-11-20T19:00:00Z" }
        #expect(send(third?["id"]?.string, completed: portal.now).status == 201)
        // The second: held by the device, and never asked while the study stood still.
        let second = send(noon?["id"]?.string, completed: try #require(Instant("2026-11-20T13:10:00Z")))
        #expect(second.status == 201, "\(second.text)")
        #expect(held(study).isEmpty)
    }

    @Test func `RP-103 a prompt of a questionnaire that was retired meanwhile is taken, a later one lies`()
        throws
    {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study, StudyDesk.daily("10:30", "20:00", startDay: 0))
        #expect(desk.enrol(.nora, in: study).status == 201)
        try wait(until: "2026-11-20T09:31:00Z")
        let device = told()
        let evening = device.first { $0["attributes"]?["available_from"]?.string == "2026-11-20T19:00:00Z" }
        try portal.services.records.writeUnaudited(.madeUp) { [now = portal.now] connection in
            try connection.run("UPDATE questionnaires SET retired_at = \(now) WHERE key = 'wellbeing-5'")
        }
        try wait(until: "2026-11-20T19:10:00Z")
        #expect(send(device.first?["id"]?.string, completed: portal.now).status == 201)
        #expect(send(evening?["id"]?.string, completed: portal.now).status == 409)
        #expect(held(study).map { $0["attributes"]?["reason"] } == [.string("ended")])
    }
}
