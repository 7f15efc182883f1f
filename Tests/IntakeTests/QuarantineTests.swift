import Database
import HTTP
import JSON
import Testing
import Wire

@testable import Intake
@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Scheduling
@testable import Therapies
@testable import Web

/// IO-10: what is refused and may still be of worth.
@Suite struct QuarantineTests {
    let portal: TestPortal
    var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }
    var path: String { SheetSample.path }

    init() throws { portal = try TestPortal() }

    /// What waits, but for the unreadable one of the cast.
    func waiting() -> [JSON] {
        portal.call(.get, "/patients/\(pia)/quarantine", as: .ada).list.filter {
            $0["id"]?.string != portal.cast.quarantined
        }
    }

    func sheet(completed: String = "2026-11-20T08:45:00Z", dream: Int = 0) -> String {
        SheetSample.sheetBody(assignment: portal.cast.assignment, at: completed)
            .replacing("\"dream\": 0", with: "\"dream\": \(dream)")
    }

    @Test func `a clock that runs ahead is refused, kept, and taken in as of its arrival`() throws {
        let refused = portal.call(.put, path, sheet(completed: "2026-11-22T08:45:00Z"), as: .pia)
        #expect(refused.status == 422 && refused.wrongFields == ["completed_at"])
        _ = portal.call(.put, path, sheet(completed: "2026-11-22T08:45:00Z"), as: .pia)
        let held = try #require(waiting().first)
        #expect(waiting().count == 1 && held["attributes"]?["reason"] == .string("clock"))
        #expect(held["attributes"]?["admissible"] == .bool(true))
        let id = held["id"]?.string ?? ""
        #expect(portal.get("/patients/\(pia)/quarantine", as: .ada).text.contains("20.11.2026, 10:00"))
        #expect(portal.call(.post, "/patients/\(pia)/quarantine/\(id)/admission", as: .ben).status == 404)
        #expect(portal.call(.post, "/patients/\(pia)/quarantine/\(id)/admission", as: .ada).status == 204)
        #expect(portal.call(.post, "/patients/\(pia)/quarantine/\(id)/discard", as: .ada).status == 409)
        let stored = portal.call(.get, "/my/contributions/\(id)", as: .pia)
        #expect(stored.attributes["completed_at"] == .string("2026-11-20T09:00:00Z"))
        #expect(stored.attributes["assignment_id"] == .string(portal.cast.assignment))
        #expect(portal.call(.get, "/my/assignments", as: .pia).list.isEmpty && waiting().isEmpty)
        #expect(
            portal.get("/patients/\(pia)/contributions/\(id)", as: .ada).text.contains(
                "nachträglich übernommen"))
    }

    @Test func `a contradicting repeat is refused, kept, and stands beside the first once admitted`() throws {
        #expect(portal.call(.put, path, sheet(), as: .pia).status == 201)
        #expect(portal.call(.put, path, sheet(dream: 3), as: .pia).status == 409)
        let other = "/my/contributions/11111111-1111-4111-8111-111111111111"
        #expect(portal.call(.put, other, sheet(dream: 4), as: .pia).status == 409)
        #expect(waiting().count == 2)
        #expect(waiting().allSatisfy { $0["attributes"]?["reason"] == .string("contradiction") })
        let id = waiting().last?["id"]?.string ?? ""
        #expect(portal.post("/patients/\(pia)/quarantine/\(id)/admission", as: .ada).status == 303)
        let first = portal.call(.get, path, as: .pia)
        #expect(first.attributes["answers"]?["dream"] == .number(0))
        let stored = portal.call(.get, "/my/contributions/\(id)", as: .pia)
        #expect(stored.attributes["assignment_id"] == .null)
        #expect(try portal.audit().suffix(1) == ["quarantine.admitted"])
    }

    @Test func `an unknown version of the daily is refused, kept, and read as the one in force`() throws {
        let version = try portal.publish("intersession-daily")
        let body = """
            {"daily": {"questionnaire_id": "11111111-2222-4333-8444-555555555555", "available_from": "2026-11-20T08:30:00Z",
             "due_at": "2026-11-20T09:00:00Z"}, "started_at": "2026-11-20T08:32:00Z", "completed_at": "2026-11-20T08:32:00Z",
             "timezone": "Europe/Vienna", "answers": {"thought": 1, "feeling": 4}}
            """
        #expect(portal.call(.put, path, body, as: .pia).wrongFields == ["daily.questionnaire_id"])
        let strange = body.replacing("\"feeling\": 4", with: "\"color\": 4")
        #expect(portal.call(.put, path, strange, as: .pia).status == 422)
        #expect(
            waiting().map { $0["attributes"]?["admissible"] } == [.bool(false), .bool(true)]
                || waiting().map { $0["attributes"]?["admissible"] } == [.bool(true), .bool(false)])
        let good = waiting().first { $0["attributes"]?["admissible"] == .bool(true) }?["id"]?.string ?? ""
        let bad = waiting().first { $0["attributes"]?["admissible"] == .bool(false) }?["id"]?.string ?? ""
        #expect(portal.call(.post, "/patients/\(pia)/quarantine/\(bad)/admission", as: .ada).status == 409)
        #expect(portal.call(.post, "/patients/\(pia)/quarantine/\(bad)/discard", as: .ada).status == 204)
        #expect(portal.call(.post, "/patients/\(pia)/quarantine/\(good)/admission", as: .ada).status == 204)
        let sql: String? = try portal.services.records.read { connection in
            try connection.value("SELECT questionnaire_id FROM contributions WHERE id = \(good)")
        }
        #expect(sql == version)
    }

    @Test func `too late, foreign and broken sheets are refused and not kept`() throws {
        #expect(portal.call(.put, path, sheet(), as: .quinn).status == 404)
        #expect(portal.call(.put, path, sheet(dream: 9), as: .pia).status == 422)
        portal.wait(days: 20)
        #expect(
            portal.call(.put, path, sheet(completed: "2026-11-28T08:45:00Z"), as: .pia).wrongFields == [
                "completed_at"
            ])
        #expect(waiting().isEmpty)
    }

    @Test func `a broken device does not fill the disk`() throws {
        for number in 0..<60 {
            let later = Instant("2026-11-22T08:45:00Z")?.adding(seconds: Int64(number)).text ?? ""
            _ = portal.call(.put, path, sheet(completed: later), as: .pia)
        }
        #expect(waiting().count < Quarantine.limit)
    }

    @Test func `what is kept is sealed`() throws {
        _ = portal.call(.put, path, sheet(completed: "2026-11-22T08:45:00Z"), as: .pia)
        let sheets: [[UInt8]] = try portal.services.records.read { connection in
            try connection.all("SELECT sheet FROM quarantined_sheets") { row in try row[0] }
        }
        #expect(
            sheets.count == 2 && sheets.allSatisfy { !String(decoding: $0, as: UTF8.self).contains("dream") })
    }

    @Test func `what is admitted never counts as completed after it arrived`() throws {
        // The window opens on Monday; a clock three days ahead fills it in on Friday.
        let window = #"{"questionnaire_key": "between-sessions", "available_from": "2026-11-23T08:00:00Z"}"#
        let later = portal.call(.post, "/patients/\(pia)/assignments", window, as: .ada).id
        let early = SheetSample.sheetBody(assignment: later, at: "2026-11-23T09:00:00Z")
        #expect(portal.call(.put, path, early, as: .pia).status == 422)
        let held = try #require(waiting().first)
        #expect(held["attributes"]?["admissible"] == .bool(false))
        let admission = "/patients/\(pia)/quarantine/\(held["id"]?.string ?? "")/admission"
        #expect(portal.call(.post, admission, as: .ada).status == 409)
        #expect(portal.get("/patients/\(pia)/quarantine", as: .ada).text.contains("noch nicht begonnen"))
    }

    @Test func `the same answers under another id are no contradiction`() throws {
        #expect(portal.call(.put, path, sheet(), as: .pia).status == 201)
        let other = "/my/contributions/11111111-1111-4111-8111-111111111111"
        #expect(portal.call(.put, other, sheet(), as: .pia).status == 409)
        #expect(waiting().isEmpty)
    }

    @Test func `what comes for a therapy that is over reaches nobody any more`() throws {
        try portal.publish("intersession-daily")
        try portal.services.records.writeUnaudited(.madeUp) { [pia, portal] connection in
            let therapist = portal.cast.accounts[.ada] ?? ""
            let end = portal.now.adding(days: -40)
            try TherapyStore.end(
                pia, on: LocalTime(end, Zone("UTC")).date, at: end, therapist: therapist, connection)
        }
        let daily = """
            {"daily": {"questionnaire_id": "11111111-2222-4333-8444-555555555555", "available_from": "2026-11-20T08:30:00Z",
             "due_at": "2026-11-20T09:00:00Z"}, "started_at": "2026-11-20T08:32:00Z", "completed_at": "2026-11-20T08:32:00Z",
             "timezone": "Europe/Vienna", "answers": {"secret": "x"}}
            """
        #expect(portal.call(.put, path, daily, as: .pia).status == 403)
        #expect(portal.call(.put, path, sheet(completed: "2026-11-25T08:45:00Z"), as: .pia).status == 403)
        #expect(try portal.count("quarantined_sheets") == 1)
    }

    @Test func `a daily from before the therapy, or of another questionnaire, says so`() throws {
        let daily = try portal.publish("intersession-daily")
        let body = { (version: String, day: String) in
            """
            {"daily": {"questionnaire_id": "\(version)", "available_from": "\(day)T08:30:00Z", "due_at": "\(day)T09:00:00Z"},
             "started_at": "\(day)T08:32:00Z", "completed_at": "\(day)T08:32:00Z", "timezone": "Europe/Vienna",
             "answers": {"thought": 0}}
            """
        }
        let before = portal.call(.put, path, body(daily, "2026-08-01"), as: .pia)
        #expect(before.status == 422 && before.wrongFields == ["daily.available_from"])
        let other = portal.call(.put, path, body(portal.cast.questionnaire, "2026-11-20"), as: .pia)
        #expect(other.wrongFields == ["daily.questionnaire_id"] && waiting().isEmpty)
    }

    @Test func `an admitted sheet leaves nothing behind`() throws {
        _ = portal.call(.put, path, sheet(completed: "2026-11-22T08:45:00Z"), as: .pia)
        let id = waiting().first?["id"]?.string ?? ""
        #expect(portal.call(.post, "/patients/\(pia)/quarantine/\(id)/admission", as: .ada).status == 204)
        let left: [UInt8]? = try portal.services.records.read { connection in
            try connection.value("SELECT sheet FROM quarantined_sheets WHERE id = \(id)")
        }
        #expect(left == [])
    }

    // MARK: PR-15: discarded, and brought back

    /// A sheet that waits, from a clock that runs ahead; its id.
    func held() throws -> String {
        _ = portal.call(.put, path, sheet(completed: "2026-11-22T08:45:00Z"), as: .pia)
        return try #require(waiting().first?["id"]?.string)
    }

    func discarded() -> [String] {
        portal.call(.get, "/patients/\(pia)/quarantine?state=discarded", as: .ada).list.compactMap {
            $0["id"]?.string
        }
    }

    @Test func `PR-15 discarding answers with a message that undoes it, without scripts`() throws {
        let id = try held()
        let page = "/patients/\(pia)/quarantine"
        #expect(portal.post("\(page)/\(id)/discard", as: .ada).status == 303)
        let after = portal.get(page, as: .ada).text
        #expect(after.contains(#"action="\#(page)/\#(id)/return""#) && after.contains("Rückgängig machen"))
        #expect(waiting().isEmpty)
        let answers = portal.get("/patients/\(pia)/contributions", as: .ada).text
        #expect(answers.contains("1 verworfener Fragebogen"))
        #expect(portal.post("\(page)/\(id)/return", as: .ada).status == 303)
        #expect(try portal.changes().last == "quarantine.returned")
        #expect(waiting().count == 1 && discarded().isEmpty)
        #expect(portal.post("\(page)/\(id)/return", as: .ada).status == 409)
        #expect(portal.post("\(page)/\(id)/admission", as: .ada).status == 303)
        #expect(portal.call(.get, "/my/contributions/\(id)", as: .pia).status == 200)
    }

    @Test func `PR-15 what was discarded is listed and can be brought back for 30 days, then it is gone`()
        throws
    {
        let id = try held()
        let page = "/patients/\(pia)/quarantine"
        let discard = { portal.call(.post, "\(page)/\(id)/discard", as: .ada).status }
        let bringBack = { (person: Person) in
            portal.call(.post, "\(page)/\(id)/return", as: person).status
        }
        #expect(bringBack(.ada) == 409)
        #expect(discard() == 204 && discard() == 409 && discarded() == [id])
        #expect(bringBack(.ben) == 404 && bringBack(.pia) == 403)
        try portal.wait(awake: 29)
        Housekeeping.run(portal.services)
        #expect(bringBack(.ada) == 204 && waiting().count == 1)
        #expect(discard() == 204)
        try portal.wait(awake: 30)
        #expect(discarded().isEmpty && bringBack(.ada) == 410)
        #expect(!portal.get(page, as: .ada).text.contains("Verworfen"))
        Housekeeping.run(portal.services)
        let left: Int = try portal.services.records.read { connection in
            try connection.count("SELECT length(sheet) FROM quarantined_sheets WHERE id = \(id)")
        }
        #expect(left == 0 && bringBack(.ada) == 410)
        // The same sheet sent again is known and not kept a second time.
        _ = portal.call(.put, path, sheet(completed: "2026-11-22T08:45:00Z"), as: .pia)
        #expect(discarded().isEmpty)
    }

    @Test func `PR-15 the copy of one's own data holds what was discarded while it can be brought back`()
        throws
    {
        let id = try held()
        _ = portal.call(.post, "/patients/\(pia)/quarantine/\(id)/discard", as: .ada)
        #expect(portal.call(.get, "/my/export", as: .pia).text.contains(#""decision":"discarded","sheet":{"#))
    }

    @Test func `PR-15 erasing the account takes what was discarded at once`() throws {
        let id = try held()
        _ = portal.call(.post, "/patients/\(pia)/quarantine/\(id)/discard", as: .ada)
        let before = try portal.count("quarantined_sheets")
        let password = #"{"password": "\#(Cast.password)"}"#
        #expect(portal.call(.delete, "/my/account", password, as: .pia).status == 204)
        #expect(try before > 0 && portal.count("quarantined_sheets") == 0)
    }
}
