import Database
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Therapies
@testable import Web

/// One door: what every answer of a therapy goes through, and what a door leaves out by name.
@Suite struct IntakeTests {
    let portal: TestPortal
    var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }
    var path: String { SheetSample.path }
    var draft: String { "/my/drafts/\(portal.cast.assignment)" }

    init() throws { portal = try TestPortal() }

    func keepDraft(_ path: String) -> Int {
        portal.call(.put, path, #"{"answers": {"dream": 1}}"#, as: .pia).status
    }

    func hasDraft(_ path: String) -> Bool { portal.call(.get, path, as: .pia).status == 200 }

    func paper(at completed: Instant) -> Response {
        portal.call(
            .post, "/patients/\(pia)/contributions",
            """
            {"questionnaire_key": "between-sessions", "completed_at": "\(completed.text)",
             "answers": {\(SheetSample.all)}}
            """, as: .ada)
    }

    func activity() throws -> Instant? {
        try portal.services.records.read { try TherapyStore.find(pia, $0)?.lastActivityAt }
    }

    /// What waits in quarantine, but for the unreadable one of the cast.
    func held() throws -> String {
        let list = portal.call(.get, "/patients/\(pia)/quarantine", as: .ada).list
        return try #require(list.compactMap { $0["id"]?.string }.first { $0 != portal.cast.quarantined })
    }

    func admit(_ id: String) -> Int {
        portal.call(.post, "/patients/\(pia)/quarantine/\(id)/admission", as: .ada).status
    }

    func ahead(_ more: String = "") -> String {
        let sheet = SheetSample.sheetBody(
            assignment: portal.cast.assignment, at: portal.now.adding(days: 2).text)
        return String(sheet.dropLast()) + more + "}"
    }

    // MARK: Paper

    @Test func `paper that answers what waits erases its draft and counts as activity`() throws {
        #expect(keepDraft(draft) == 201)
        portal.wait(seconds: 60)
        let entered = paper(at: portal.now)
        #expect(entered.status == 201, "\(entered.text)")
        #expect(entered.attributes["assignment_id"]?.string == portal.cast.assignment)
        #expect(!hasDraft(draft))
        #expect(try activity() == portal.now)
    }

    @Test func `paper that answers nothing that waits leaves all drafts alone`() throws {
        let ofQuestionnaire = "/my/drafts/\(portal.cast.questionnaire)"
        #expect(keepDraft(draft) == 201 && keepDraft(ofQuestionnaire) == 201)
        let entered = paper(at: portal.now.adding(days: -15))
        #expect(entered.status == 201 && entered.attributes["assignment_id"] == .null, "\(entered.text)")
        #expect(hasDraft(draft) && hasDraft(ofQuestionnaire))
        #expect(try activity() == portal.now)
    }

    @Test func `paper from more than a year before the pairing is refused at its field`() {
        let refused = paper(at: portal.now.adding(days: -28 - 366))
        #expect(refused.status == 422 && refused.wrongFields == ["completed_at"])
        #expect(paper(at: portal.now.adding(days: -28 - 364)).status == 201)
    }

    // MARK: Quarantine

    @Test func `what is let in counts as activity of when it came, and erases the draft it came from`() throws
    {
        #expect(keepDraft(draft) == 201)
        portal.wait(seconds: 60)
        let came = portal.now
        #expect(portal.call(.put, path, ahead(), as: .pia).status == 422)
        portal.wait(seconds: 600)
        #expect(hasDraft(draft))
        #expect(admit(try held()) == 204)
        #expect(!hasDraft(draft))
        #expect(try activity() == came)
    }

    @Test func `a draft that was begun after a sheet had been refused stays`() throws {
        #expect(portal.call(.put, path, ahead(), as: .pia).status == 422)
        portal.wait(seconds: 60)
        #expect(keepDraft(draft) == 201)
        #expect(admit(try held()) == 204)
        #expect(try portal.count("answer_drafts") == 1)
    }

    @Test func `staff may let in more own dailies than a device may send on a day`() throws {
        let version = try portal.publish("intersession-daily")
        let body = { (minute: Int, version: String) in
            """
            {"daily": {"questionnaire_id": "\(version)", "available_from": "2026-11-20T08:\(minute):00Z",
             "due_at": "2026-11-20T09:00:00Z"}, "started_at": "2026-11-20T08:\(minute + 1):00Z",
             "completed_at": "2026-11-20T08:\(minute + 1):00Z", "timezone": "Europe/Vienna",
             "answers": {"thought": 1, "feeling": 4}}
            """
        }
        let send = { (minute: Int, version: String) in
            let id = portal.services.chance.uuid()
            return portal.call(.put, "/my/contributions/\(id)", body(minute, version), as: .pia).status
        }
        #expect([30, 32, 34].map { send($0, version) } == [201, 201, 201])
        #expect(send(36, version) == 409)
        #expect(send(36, "11111111-2222-4333-8444-555555555555") == 422)
        #expect(admit(try held()) == 204)
    }

    @Test func `values of a sensor that is switched off by now are dropped when a sheet is let in`() throws {
        try portal.askForSensors("between-sessions")
        _ = portal.call(.put, "/my/sensor-settings", #"{"gps": true, "microphone": true}"#, as: .pia)
        let more = """
            , "sensors": {"gps": [{"latitude": 48.2, "longitude": 16.3, "measured_at": "2026-11-20T08:41:00Z"}],
             "microphone": [{"amplitude": 0.5, "measured_at": "2026-11-20T08:41:00Z"}]}
            """
        #expect(portal.call(.put, path, ahead(more), as: .pia).status == 422)
        _ = portal.call(.put, "/my/sensor-settings", #"{"gps": false, "microphone": true}"#, as: .pia)
        let id = try held()
        #expect(admit(id) == 204)
        let stored = portal.call(.get, "/my/contributions/\(id)", as: .pia)
        #expect(stored.attributes["sensors_dropped"] == .array([.string("gps")]))
        let own = portal.call(.get, "/my/export", as: .pia).attributes["contributions"]?.array ?? []
        let kept = own.compactMap { $0["details"] }.first { $0["sensors"] != nil }
        #expect(kept?["sensors"]?["gps"] == nil && kept?["sensors"]?["microphone"]?.array?.count == 1)
    }

    @Test func `a clock a little behind counts from the opening, let in as well as sent`() throws {
        try portal.publish("intersession-daily")
        let body = """
            {"daily": {"questionnaire_id": "11111111-2222-4333-8444-555555555555",
             "available_from": "2026-11-20T08:30:00Z", "due_at": "2026-11-20T09:00:00Z"},
             "started_at": "2026-11-20T08:27:00Z", "completed_at": "2026-11-20T08:28:00Z",
             "timezone": "Europe/Vienna", "answers": {"thought": 0}}
            """
        #expect(portal.call(.put, path, body, as: .pia).status == 422)
        let id = try held()
        #expect(admit(id) == 204)
        let stored = portal.call(.get, "/my/contributions/\(id)", as: .pia)
        #expect(stored.attributes["completed_at"] == .string("2026-11-20T08:30:00Z"))
    }

    @Test func `two who let in the same sheet at once store it once`() throws {
        #expect(portal.call(.put, path, ahead(), as: .pia).status == 422)
        let id = try held()
        let before = try portal.count("contributions")
        let second = portal.interleaving(
            { #expect(admit(id) == 204) },
            { portal.call(.post, "/patients/\(pia)/quarantine/\(id)/admission", as: .ada) })
        #expect(second.hasComeToWrite && second.response.status == 409)
        #expect(try portal.count("contributions") == before + 1)
    }

    @Test func `what another sheet answers while somebody decides is let in beside it`() throws {
        #expect(portal.call(.put, path, ahead(), as: .pia).status == 422)
        let id = try held()
        let first = SheetSample.sheetBody(assignment: portal.cast.assignment)
        let between = portal.interleaving(
            { #expect(portal.call(.put, path, first, as: .pia).status == 201) },
            { portal.call(.post, "/patients/\(pia)/quarantine/\(id)/admission", as: .ada) })
        #expect(between.response.status == 204, "\(between.response.text)")
        #expect(portal.call(.get, "/my/contributions/\(id)", as: .pia).attributes["assignment_id"] == .null)
    }

    // MARK: What changes between looking and writing

    @Test func `an assignment taken back meanwhile refuses what was completed after that`() throws {
        let late = SheetSample.sheetBody(
            assignment: portal.cast.assignment, at: portal.now.adding(seconds: 240).text)
        let withdrawal = "/patients/\(pia)/assignments/\(portal.cast.assignment)"
        let before = try portal.count("contributions")
        let sent = portal.interleaving(
            { #expect(portal.call(.delete, withdrawal, as: .ada).status == 204) },
            { portal.call(.put, path, late, as: .pia) })
        #expect(sent.hasComeToWrite && sent.response.status == 409)
        #expect(try portal.count("contributions") == before)
    }

    @Test func `a therapy that ends meanwhile takes what was completed before, and nothing after`() throws {
        let sheet = { (at: Instant) in
            SheetSample.sheetBody(assignment: portal.cast.assignment, at: at.text)
        }
        let end: @Sendable () -> Void = { [portal, pia] in
            #expect(portal.call(.post, "/patients/\(pia)/therapy/end", "{}", as: .ada).status == 200)
        }
        let late = portal.interleaving(end) {
            portal.call(.put, path, sheet(portal.now.adding(seconds: 240)), as: .pia)
        }
        #expect(late.response.status == 403, "\(late.response.text)")
        #expect(portal.call(.put, path, sheet(portal.now.adding(seconds: -60)), as: .pia).status == 201)
    }

    @Test func `the same sheet from two phones at once is stored once`() throws {
        let sheet = SheetSample.sheetBody(assignment: portal.cast.assignment)
        let sent = portal.interleaving(
            { [portal, path] in #expect(portal.call(.put, path, sheet, as: .pia).status == 201) },
            { portal.call(.put, path, sheet, as: .pia) })
        #expect(sent.hasComeToWrite && sent.response.status == 200)
        #expect(try portal.count("contributions") == 2)
    }
}
