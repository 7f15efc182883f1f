import Database
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Therapies
@testable import Web

/// The end of a therapy, another therapist, and a pairing that was a mistake.
@Suite struct EndingTests {
    let portal: TestPortal
    let pia: ID<Therapy>

    init() throws {
        portal = try TestPortal()
        pia = portal.cast.therapies[.pia] ?? ""
    }

    func end(_ body: String? = nil) -> Response {
        portal.call(.post, "/patients/\(pia)/therapy/end", body, as: .ada)
    }

    @Test func `what is open is taken back, what was done stays, and the account counts as unpaired`() throws
    {
        let answer = end()
        #expect(answer.status == 200 && answer.attributes["state"] == .string("ended"))
        #expect(answer.attributes["therapy_ended_on"] == .string("2026-11-20"))
        #expect(end().status == 409)
        #expect(portal.call(.get, "/my/overview", as: .pia).attributes["paired"] == .bool(false))
        #expect(portal.call(.get, "/my/assignments", as: .pia).list.isEmpty)
        // D3: at the very next call.
        for path in ["/my/interventions", "/my/appointments", "/my/therapist", "/my/dailies"] {
            #expect(portal.call(.get, path, as: .pia).status == 403, "\(path)")
        }
        #expect(portal.call(.get, "/my/contributions", as: .pia).list.count == 1)
        #expect(portal.call(.get, "/my/export", as: .pia).status == 200)
        #expect(portal.get("/patients/\(pia)/timeline", as: .ada).status == 200)
        let open = try portal.services.records.read { connection in
            try connection.count("SELECT count(*) FROM interventions WHERE withdrawn_at IS NULL")
        }
        #expect(open == 0)
    }

    @Test func `what was completed before comes in for thirty days more`() throws {
        let sheet = SheetSample.sheetBody(assignment: portal.cast.assignment)
        portal.wait(seconds: 60)
        #expect(end().status == 200)
        portal.wait(days: 29)
        try portal.services.records.writeUnaudited(.madeUp) { [now = portal.now] connection in
            try connection.run(
                "UPDATE credentials SET last_used_at = \(now), expires_at = \(now.adding(days: 9))")
        }
        #expect(portal.call(.put, SheetSample.path, sheet, as: .pia).status == 201)
        portal.wait(days: 2)
        let other = "/my/contributions/33333333-3333-4333-8333-333333333333"
        #expect(portal.call(.put, other, sheet, as: .pia).status == 403)
    }

    @Test func `a last day has to be one`() {
        #expect(end(#"{"ended_on": "2026-11-21"}"#).wrongFields == ["ended_on"])
        #expect(end(#"{"ended_on": "2020-01-01"}"#).wrongFields == ["ended_on"])
        #expect(end(#"{"ended_on": "2026-11-19"}"#).attributes["therapy_ended_on"] == .string("2026-11-19"))
    }

    @Test func `a patient goes on with another therapist and keeps the account`() throws {
        #expect(end().status == 200)
        let new = portal.call(.post, "/patients", "{}", as: .ben)
        let code = new.attributes["pairing_code"]?["code"]?.string ?? ""
        let body = #"{"code": "\#(code)", "birth_date": "1990-05-17", "gender": "female"}"#
        #expect(portal.call(.post, "/my/pairing", body, as: .pia).status == 201)
        #expect(portal.call(.get, "/my/therapist", as: .pia).attributes["name"] == .string("Ben Steiner"))
        #expect(portal.call(.get, "/my/contributions", as: .pia).list.count == 1)
        // The new therapist sees nothing of before.
        #expect(portal.call(.get, "/patients/\(new.id)/contributions", as: .ben).list.isEmpty)
    }

    @Test func `the page says what goes, and asks for the codename`() {
        let page = portal.get("/patients/\(pia)/end-therapy", as: .ada).text
        #expect(page.contains("1 offener Fragebogen") && page.contains("1 ungeöffnete Intervention"))
        let wrong = portal.post(
            "/patients/\(pia)/end-therapy", [("ended_on", "2026-11-20"), ("codename", "C9")], as: .ada)
        #expect(wrong.status == 422 && wrong.text.contains("nicht der Codename"))
        let right = portal.post(
            "/patients/\(pia)/end-therapy", [("ended_on", "2026-11-20"), ("codename", "c000001")], as: .ada)
        #expect(right.status == 303)
        #expect(portal.get("/patients/\(pia)/end-therapy", as: .ada).status == 409)
    }

    // MARK: A pairing that was a mistake

    @Test func `undoing a pairing erases what came in, and the right person pairs with a new code`() throws {
        let appointment =
            #"{"title": "Termin", "starts_at": "2026-11-24T08:00:00Z", "ends_at": "2026-11-24T08:50:00Z"}"#
        let id = "22222222-2222-4222-8222-222222222222"
        #expect(portal.call(.put, "/my/appointments/\(id)", appointment, as: .pia).status == 201)
        #expect(portal.call(.post, "/patients/\(pia)/pairing/undo", as: .ada).status == 204)
        for table: StaticString in [
            "contributions", "appointments", "quarantined_sheets", "contribution_scores",
        ] {
            #expect(try portal.count(table) == 0, "\(table)")
        }
        let patient = portal.call(.get, "/patients/\(pia)", as: .ada).attributes
        #expect(patient["state"] == .string("code_open") && patient["birth_date"] == .null)
        #expect(patient["therapy_started_on"] == .null && patient["last_activity_at"] == .null)
        // The account stays, unpaired.
        #expect(portal.call(.get, "/my/overview", as: .pia).attributes["paired"] == .bool(false))
        #expect(portal.call(.get, "/my/contributions", as: .pia).list.isEmpty)
        let code = patient["pairing_code"]?["code"]?.string ?? ""
        let body = #"{"code": "\#(code)", "birth_date": "1985-01-02", "gender": "male"}"#
        #expect(portal.call(.post, "/my/pairing", body, as: .nora).status == 201)
        #expect(portal.call(.get, "/my/interventions", as: .nora).list.count == 1)
        #expect(try portal.changes().contains("pairing.undone"))
    }

    @Test func `only a pairing that is one can be undone`() {
        #expect(
            portal.call(.post, "/patients/\(portal.cast.openTherapy)/pairing/undo", as: .ada).status == 409)
        #expect(portal.post("/patients/\(pia)/pairing-undo", [("codename", "x")], as: .ada).status == 422)
        #expect(
            portal.post("/patients/\(pia)/pairing-undo", [("codename", "C000001")], as: .ada).status == 303)
        #expect(portal.call(.post, "/patients/\(pia)/pairing/undo", as: .ada).status == 409)
    }
}
