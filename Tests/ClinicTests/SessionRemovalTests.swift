import HTTP
import JSON
import Records
import Testing
import Wire

@testable import PortalTesting

/// FD-8: a session that was entered by a slip is undone, and deleted later.
@Suite struct SessionRemovalTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    private var patient: String { "/patients/\(portal.cast.therapies[.pia] ?? "")" }
    private var path: String { patient + "/sessions" }

    private func enter(_ day: String, _ more: String = "") -> Response {
        portal.call(
            .post, path,
            #"{"starts_at": "2026-\#(day)T09:00:00Z", "ends_at": "2026-\#(day)T09:50:00Z"\#(more)}"#, as: .ada
        )
    }

    private var starts: [String] {
        portal.call(.get, path, as: .ada).list.compactMap { $0["attributes"]?["starts_at"]?.string }
    }

    @Test func `FD-8 the form sent as it opens enters nothing`() throws {
        let new = path + "/new"
        let page = portal.get(new, as: .ada).text
        let form = try #require(FilledForm.read(page, action: new))
        let before = starts
        let sent = portal.post(new, form.fields, as: .ada)
        #expect(sent.status == 422 && sent.text.contains("href=\"#starts_at\""))
        #expect(starts == before)
        // Without an end it is as long as usual.
        let made = portal.post(new, [("starts_at", "2026-11-18T10:00"), ("ends_at", "")], as: .ada)
        #expect(made.status == 303 && starts.first == "2026-11-18T09:00:00Z")
    }

    @Test func `FD-8 the session of the day is offered, not entered a second time`() throws {
        let first = enter("11-20").id
        #expect(portal.get(path + "/new", as: .ada).text.contains("\(path)/\(first)"))
        let again = [("starts_at", "2026-11-20T15:00"), ("ends_at", "2026-11-20T15:50")]
        let refused = portal.post(path + "/new", again, as: .ada)
        #expect(refused.status == 422 && refused.text.contains("\(path)/\(first)"))
        #expect(refused.text.contains("2026-11-20T15:00"))
        #expect(portal.post(path + "/new", again + [("second", "true")], as: .ada).status == 303)
        #expect(starts.count { $0.hasPrefix("2026-11-20") } == 2)
        // One that was called off does not stand in the way.
        let off = enter("11-24").id
        #expect(portal.call(.patch, path + "/\(off)", #"{"state": "cancelled"}"#, as: .ada).status == 200)
        #expect(portal.post(path + "/new", [("starts_at", "2026-11-24T15:00")], as: .ada).status == 303)
    }

    @Test func `FD-8 what was entered is undone with its numbers, for ten minutes, once`() throws {
        let before = portal.call(.get, path, as: .ada).list
        let series = #", "repeat": {"every_weeks": 1, "count": 5}"#
        for (day, more) in [("11-17", ""), ("12-01", series)] {
            let entered = enter(day, more)
            let way = try #require(entered.headers["Undo"])
            #expect(portal.call(.post, way, as: .ben).status == 404)
            #expect(portal.call(.post, way, as: .ada).status == 204)
            #expect(portal.call(.get, path, as: .ada).list == before)
            #expect(portal.call(.post, way, as: .ada).status == 410)
        }
        let late = try #require(enter("11-17").headers["Undo"])
        portal.wait(seconds: 601)
        #expect(portal.call(.post, late, as: .ada).status == 410)
        // The page's line has the button.
        let sent = portal.post(path + "/new", [("starts_at", "2026-11-19T10:00")], as: .ada)
        let place = sent.headers["Location"] ?? ""
        let html = portal.get(place, as: .ada).text
        let way = try #require(try /action="(\/undo\/[^"]+)"/.firstMatch(in: html).map { String($0.1) })
        #expect(portal.post(way, as: .ada).headers["Location"] == place)
        #expect(!starts.contains { $0.hasPrefix("2026-11-19") })
    }

    @Test func `FD-8 what somebody wrote into it meanwhile is not undone`() throws {
        let entered = enter("11-17")
        let way = try #require(entered.headers["Undo"])
        let session = path + "/\(entered.id)"
        #expect(portal.call(.patch, session, #"{"note": "Gesagt"}"#, as: .ada).status == 200)
        let refused = portal.call(.post, way, as: .ada)
        #expect(refused.status == 409 && refused.json["code"]?.string == "session_in_use")
        let marked = enter("11-18")
        let back = try #require(marked.headers["Undo"])
        let state = #"{"state": "missed"}"#
        #expect(portal.call(.patch, path + "/\(marked.id)", state, as: .ada).status == 200)
        #expect(portal.call(.post, back, as: .ada).status == 412)
    }

    @Test func `FD-8 one entered by hand is deleted weeks later, and deleting is undone`() throws {
        let entered = enter("11-18")
        #expect(entered.attributes["number"] == .number(2))
        let session = path + "/\(entered.id)"
        let numbers = portal.call(.get, path, as: .ada).list
        try portal.wait(awake: 20)
        for (person, status) in [(Person.ben, 404), (.pia, 403), (.lena, 403), (.nobody, 401)] {
            #expect(portal.call(.delete, session, as: person).status == status, "\(person)")
        }
        let gone = portal.call(.delete, session, as: .ada)
        #expect(gone.status == 204 && starts.count == 1)
        #expect(portal.call(.get, session, as: .ada).status == 404)
        #expect(portal.call(.delete, session, as: .ada).status == 404)
        #expect(portal.call(.post, try #require(gone.headers["Undo"]), as: .ada).status == 204)
        #expect(portal.call(.get, path, as: .ada).list == numbers)
        // The page does the same, and says what hangs on it where something does.
        #expect(portal.get(session, as: .ada).text.contains(session + "/removal"))
        #expect(portal.post(session + "/removal", as: .ada).status == 303)
        #expect(starts.count == 1)
    }

    @Test func `FD-8 those who act for the therapist delete, those who read do not`() {
        let session = path + "/\(enter("11-18").id)"
        let member = #"{"email": "ben@example.org", "role": "supervisor"}"#
        let made = portal.call(.post, patient + "/members", member, as: .ada)
        #expect(portal.call(.delete, session, as: .ben).status == 404)
        #expect(portal.call(.delete, patient + "/members/\(made.id)", as: .ada).status == 204)
        let second = #"{"email": "ben@example.org", "role": "therapist"}"#
        #expect(portal.call(.post, patient + "/members", second, as: .ada).status == 201)
        #expect(portal.call(.delete, session, as: .ben).status == 204)
    }

    @Test func `FD-8 409 names what hangs on it, and a session of an appointment is the patient's`() throws {
        let noted = path + "/\(enter("11-18").id)"
        #expect(portal.call(.patch, noted, #"{"note": "Gesagt"}"#, as: .ada).status == 200)
        let refused = portal.call(.delete, noted, as: .ada)
        #expect(refused.status == 409 && refused.json["code"]?.string == "session_in_use")
        #expect(refused.wrongFields == ["notes"] && refused.text.contains("1 Notiz"))
        #expect(!portal.get(noted, as: .ada).text.contains(noted + "/removal"))
        #expect(portal.call(.patch, noted, #"{"note": null}"#, as: .ada).status == 200)
        #expect(portal.call(.delete, noted, as: .ada).status == 204)
        // What a plan asked before it, open and then answered.
        let rule = #"{"occasion": "before_session", "questionnaire_key": "between-sessions"}"#
        let made = portal.call(.post, patient + "/delivery-rules", rule, as: .ada)
        #expect(made.status == 201, "\(made.text)")
        let coming = path + "/\(enter("11-21").id)"
        let open = portal.call(.delete, coming, as: .ada)
        #expect(open.status == 409 && open.wrongFields == ["assignments"], "\(open.text)")
        let times =
            #"{"starts_at": "2026-11-25T09:00:00Z", "ends_at": "2026-11-25T09:50:00Z", "title": "Therapie"}"#
        let appointment = "/my/appointments/6f3f0d8e-3a5d-4a37-9d7a-1f7f4a0f9a01"
        #expect(portal.call(.put, appointment, times, as: .pia).status == 201)
        let id = portal.call(.get, path, as: .ada).list.first?["id"]?.string ?? ""
        let theirs = portal.call(.delete, path + "/\(id)", as: .ada)
        #expect(theirs.status == 409 && theirs.json["code"]?.string == "session_is_appointment")
        // One that was entered over it is taken back alone.
        let over = enter("11-25")
        #expect(portal.call(.post, try #require(over.headers["Undo"]), as: .ada).status == 204)
        #expect(portal.call(.get, "/my/appointments", as: .pia).list.count == 1 && starts.count == 3)
    }
}
