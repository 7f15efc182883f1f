import HTTP
import JSON
import Records
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Therapies
@testable import Web

/// PR-30: absence and cover are one form, and what an absence leaves open is said until it is settled.
@Suite struct AbsenceTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }
    var file: String { "/patients/\(pia)" }

    private func absence(
        from: String = "2026-11-23", until: String = "2026-11-27", more: String = "",
        as person: Person = .ada
    ) -> Response {
        portal.call(
            .post, "/absences", #"{"from": "\#(from)", "until": "\#(until)"\#(more)}"#, as: person)
    }

    private func cover(
        from: String = "2026-11-23", until: String = "2026-11-27", patients: String = #""all""#,
        alias: Bool = false
    ) -> Response {
        portal.call(
            .post, "/covers",
            """
            {"colleague_email": "ben@example.org", "patients": \(patients), "from": "\(from)",
             "until": "\(until)", "access": "act", "shares_alias": \(alias)}
            """, as: .ada)
    }

    private func session(_ start: String, _ end: String) -> String {
        portal.call(
            .post, file + "/sessions", #"{"starts_at": "\#(start)", "ends_at": "\#(end)"}"#, as: .ada
        ).id
    }

    private func state(_ session: String) -> JSON? {
        portal.call(.get, "\(file)/sessions/\(session)", as: .ada).attributes["state"]
    }

    // MARK: Days without cover

    @Test func `PR-30 Today says from when there is no cover, until there is one`() {
        #expect(!portal.get("/", as: .ada).text.contains("ohne Vertretung"))
        let made = absence()
        #expect(made.status == 201 && made.attributes["uncovered_from"] == .string("2026-11-23"))
        #expect(portal.get("/", as: .ada).text.contains("ab 23. November ohne Vertretung"))
        #expect(cover(until: "2026-11-25").status == 201)
        #expect(portal.get("/", as: .ada).text.contains("ab 26. November ohne Vertretung"))
        #expect(cover(from: "2026-11-26").status == 201)
        #expect(!portal.get("/", as: .ada).text.contains("ohne Vertretung"))
        let list = portal.call(.get, "/absences", as: .ada).list
        #expect(list.count == 1 && list.first?["attributes"]?["uncovered_from"] == .null)
    }

    @Test
    func `PR-30 a cover of some patients leaves the others without, and that is said with their number`() {
        #expect(absence().status == 201)
        #expect(cover(patients: #"["\#(pia)"]"#).status == 201)
        let text = portal.get("/", as: .ada).text
        #expect(text.contains("ab 23. November für"), "\(text.contains("ohne Vertretung"))")
    }

    @Test func `PR-30 it is silent once it was chosen to be without cover`() {
        let made = absence(more: #", "without_cover": true"#)
        #expect(made.status == 201 && made.attributes["without_cover"] == .bool(true))
        #expect(!portal.get("/", as: .ada).text.contains("ab 23. November ohne Vertretung"))
        #expect(
            portal.call(.patch, "/absences/\(made.id)", #"{"without_cover": false}"#, as: .ada).status
                == 200)
        #expect(portal.get("/", as: .ada).text.contains("ab 23. November ohne Vertretung"))
        #expect(portal.post("/absences/\(made.id)/choice", as: .ada).status == 303)
        #expect(!portal.get("/", as: .ada).text.contains("ab 23. November ohne Vertretung"))
        #expect(portal.call(.delete, "/absences/\(made.id)", as: .ada).status == 204)
        #expect(portal.call(.delete, "/absences/\(made.id)", as: .ada).status == 404)
    }

    @Test func `PR-30 one form enters the absence with its cover, and the alias where it is ticked`() throws {
        #expect(portal.call(.patch, file, #"{"alias": "Kanari", "note": "Zeisig"}"#, as: .ada).status == 200)
        let page = portal.get("/covers", as: .ada).text
        #expect(page.contains(#"name="shares_alias" type="checkbox" value="true" checked"#))
        let made = portal.post(
            "/covers",
            [
                ("colleague_email", "ben@example.org"), ("from", "2026-11-20"), ("until", "2026-11-22"),
                ("whom", "all"), ("access", "act"), ("shares_alias", "true"),
            ], as: .ada)
        #expect(made.status == 303, "\(made.text)")
        let list = portal.call(.get, "/absences", as: .ada).list.compactMap { $0["attributes"] }
        #expect(list.count == 1 && list.first?["cover_id"]?.string != nil)
        #expect(portal.get(file, as: .ben).text.contains("Kanari"))
        #expect(portal.call(.get, file, as: .ben).attributes["note"] == .null)
        let open = portal.post(
            "/covers", [("colleague_email", ""), ("from", "2026-12-01"), ("until", "2026-12-02")], as: .ada)
        let without = portal.post(
            "/covers", [("colleague_email", "none"), ("from", "2026-12-05"), ("until", "2026-12-06")],
            as: .ada)
        #expect(open.status == 303 && without.status == 303)
        let chosen = portal.call(.get, "/absences", as: .ada).list.map { $0["attributes"]?["without_cover"] }
        #expect(chosen.count { $0 == .bool(true) } == 1 && chosen.count == 3)
    }

    // MARK: Bad input

    static let wrong: [(String, String, String, String)] = [
        ("2026-11-27", "2026-11-23", "", "until"), ("2026-11-01", "2026-11-19", "", "until"),
        ("2026-11-23", "2027-12-20", "", "until"), ("2029-11-23", "2029-11-24", "", "until"),
        ("soon", "2026-11-24", "", "from"), ("2026-11-23", "2026-11-24", #", "cover_id": "x""#, "cover_id"),
        (
            "2026-11-23", "2026-11-24", #", "cover_id": "11111111-2222-4333-8444-555555555555""#, "cover_id"
        ),
    ]

    @Test(arguments: wrong) func `PR-30 an absence that cannot be is refused with its field`(
        _ from: String, _ until: String, _ more: String, _ field: String
    ) {
        let answer = absence(from: from, until: until, more: more)
        #expect(answer.status == 422 && answer.wrongFields == [field], "\(answer.text)")
        #expect(portal.call(.get, "/absences", as: .ada).list.isEmpty)
    }

    @Test func `PR-30 no day is entered twice, and nobody touches another's absence or cover`() {
        let made = absence()
        #expect(made.status == 201)
        #expect(absence(from: "2026-11-27", until: "2026-12-01").wrongFields == ["from"])
        #expect(absence(as: .ben).status == 201)
        let given = cover()
        #expect(given.status == 201)
        let theirs = absence(
            from: "2026-12-01", until: "2026-12-02", more: #", "cover_id": "\#(given.id)""#, as: .ben)
        #expect(theirs.wrongFields == ["cover_id"])
        let patch = #"{"until": "2026-11-28"}"#
        #expect(portal.call(.patch, "/absences/\(made.id)", patch, as: .ben).status == 404)
        #expect(portal.call(.delete, "/absences/\(made.id)", as: .ben).status == 404)
        #expect(portal.post("/absences/\(made.id)/cancellation", as: .ben).status == 404)
        let longer = portal.call(.patch, "/absences/\(made.id)", patch, as: .ada)
        #expect(longer.status == 200 && longer.attributes["until"] == .string("2026-11-28"))
        let both = #"{"cover_id": "\#(given.id)", "without_cover": true}"#
        let refused = portal.call(.patch, "/absences/\(made.id)", both, as: .ada)
        #expect(refused.wrongFields == ["without_cover"])
        let named = #"{"cover_id": "\#(given.id)"}"#
        #expect(
            portal.call(.patch, "/absences/\(made.id)", named, as: .ada).attributes["cover_id"]
                == .string(given.id))
    }

    // MARK: Sessions

    @Test func `PR-30 the sessions in it are called off in one step, told, and brought back`() throws {
        let inside = session("2026-11-24T09:00:00Z", "2026-11-24T09:50:00Z")
        let outside = session("2026-11-30T09:00:00Z", "2026-11-30T09:50:00Z")
        let made = absence()
        #expect(made.attributes["planned_sessions"] == .array([.string(inside)]))
        let page = portal.get("/covers", as: .ada).text
        #expect(page.contains("24.11.2026, 10:00") && page.contains("Diese Sitzung absagen"))
        let path = "/absences/\(made.id)/cancellation"
        let done = portal.call(.post, path, "{}", as: .ada)
        #expect(done.status == 204)
        #expect(state(inside) == .string("cancelled") && state(outside) == .string("planned"))
        let notice = portal.call(.get, "/my/notices", as: .pia).list.first?["attributes"]?["text"]?.string
        #expect(notice?.contains("24.11.2026, 10:00") == true && notice?.contains("Ada Lindner") == true)
        // A second time there is nothing to call off.
        let again = portal.call(.post, path, "{}", as: .ada)
        #expect(again.status == 204 && again.headers["Undo"] == nil)
        let undo = try #require(done.headers["Undo"])
        let undone = portal.call(.post, undo, "{}", as: .ada)
        #expect(undone.status == 204, "\(undone.text)")
        #expect(state(inside) == .string("planned"))
        // The notice was not read yet, so that there is nothing to correct.
        #expect(portal.call(.get, "/my/notices", as: .pia).list.isEmpty)
        #expect(try portal.audit().contains("absence.sessions_called_off"))
        #expect(try portal.audit().contains("absence.sessions_returned"))
    }

    @Test func `PR-30 an absence across the change of the clocks has its whole days`() throws {
        // On 28 March 2027 the day has 23 hours in Vienna; its last session begins at 23:30 local time.
        let late = session("2027-03-28T21:30:00Z", "2027-03-28T21:50:00Z")
        let next = session("2027-03-28T22:10:00Z", "2027-03-28T22:50:00Z")
        let made = absence(from: "2027-03-27", until: "2027-03-28")
        #expect(made.status == 201)
        #expect(made.attributes["planned_sessions"] == .array([.string(late)]))
        #expect(portal.call(.post, "/absences/\(made.id)/cancellation", "{}", as: .ada).status == 204)
        #expect(state(late) == .string("cancelled") && state(next) == .string("planned"))
    }

    // MARK: The cover's Today

    @Test(arguments: [false, true])
    func `PR-30 a cover's Today has a section for the colleague, with aliases only where shared`(
        sharesAlias: Bool
    ) throws {
        #expect(portal.call(.patch, file, #"{"alias": "Kanari"}"#, as: .ada).status == 200)
        _ = session("2026-11-20T15:00:00Z", "2026-11-20T15:50:00Z")
        #expect(!portal.get("/", as: .ben).text.contains("Sie vertreten"))
        #expect(cover(from: "2026-11-20", until: "2026-11-22", alias: sharesAlias).status == 201)
        let text = portal.get("/", as: .ben).text
        #expect(text.contains("Sie vertreten Ada Lindner bis 22. November"))
        #expect(text.contains("C000001") && text.contains(file + "/briefing"))
        #expect(text.contains("Kanari") == sharesAlias)
        let told = portal.call(.get, "/today", as: .ben).attributes["stand_ins"]?.array ?? []
        #expect(told.map { $0["therapist"] } == [.string("Ada Lindner")])
        let visit = told.first?["sessions"]?.array?.first
        #expect(visit?["starts_at"] == .string("2026-11-20T15:00:00Z"))
        #expect(visit?["alias"] == (sharesAlias ? .string("Kanari") : .null))
        // The day of a colleague is theirs: Ben's own sessions stay apart, and the visit is told as standing in.
        let log = portal.call(.get, "/my/access-log", as: .pia).list.compactMap { $0["attributes"] }
        #expect(log.contains { $0["action"] == .string("file.viewed_as_cover") })
        try portal.wait(awake: 3)
        #expect(!portal.get("/", as: .ben).text.contains("Sie vertreten"))
        #expect(portal.call(.get, "/today", as: .ben).attributes["stand_ins"]?.array?.isEmpty == true)
    }
}
