import HTTP
import JSON
import Records
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Rules
@testable import Therapies
@testable import Web

/// PR-20 and PR-21: access to another therapist's file, before, during and after.
@Suite struct SharingTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }
    var file: String { "/patients/\(pia)" }

    private func cover(
        _ access: String, from: String = "2026-11-20", until: String = "2026-11-22",
        patients: String? = nil, colleague: String = "ben@example.org", as person: Person = .ada
    ) -> Response {
        portal.call(
            .post, "/covers",
            """
            {"colleague_email": "\(colleague)", "patients": \(patients ?? "[\"\(pia)\"]"), "from": "\(from)",
             "until": "\(until)", "access": "\(access)"}
            """, as: person)
    }

    private func member(_ role: String, shares: Bool = false, as person: Person = .ada) -> Response {
        portal.call(
            .post, file + "/members",
            #"{"email": "ben@example.org", "role": "\#(role)", "shares_words": \#(shares)}"#, as: person)
    }

    /// Every way into the file, as data: what Ben gets from it.
    private func opened(_ rule: AccessRule) -> [String: Int] {
        var statuses: [String: Int] = [:]
        for route in Routes.all.list where route.rule == rule && route.method.isSafe {
            let path = route.pattern.description.replacing(":patient", with: pia.text)
            if path.contains(":") { continue }
            let status =
                route.surface == .api
                ? portal.call(.get, String(path.dropFirst("/api/v1".count)), as: .ben).status
                : portal.get(path, as: .ben).status
            statuses[path] = status
        }
        return statuses
    }

    private func expect(_ reads: Bool, _ acts: Bool, _ when: String) {
        for (rule, mayPass) in [
            (AccessRule.caseloadReader, reads), (.caseload, acts), (.caseloadOwner, false),
        ] {
            let all = opened(rule)
            #expect(!all.isEmpty)
            for (path, status) in all { #expect((status == 404) != mayPass, "\(when): \(path) \(status)") }
        }
        let assigned = portal.call(
            .post, file + "/assignments", #"{"questionnaire_key": "between-sessions"}"#, as: .ben)
        #expect(assigned.status == (acts ? 201 : 404), "\(when): \(assigned.text)")
        #expect(portal.call(.patch, file, #"{"note": "x"}"#, as: .ben).status == 404, "\(when)")
        #expect(portal.post(file + "/briefing", [("questions", "x")], as: .ben).status == 404, "\(when)")
    }

    @Test func `PR-20 a cover opens the file from day to day, to read or to act, and ends by itself`() throws
    {
        expect(false, false, "before")
        #expect(cover("read", from: "2026-11-21").status == 201)
        expect(false, false, "the day before")
        try portal.wait(awake: 1)
        expect(true, false, "while reading")
        try portal.wait(awake: 2)
        expect(false, false, "after its last day")
        #expect(cover("act", from: "2026-11-23", until: "2026-11-30").status == 201)
        expect(true, true, "while acting")
    }

    @Test func `PR-20 a cover ends at once when the therapist says so, and is told to the patient`() throws {
        let made = cover("act", patients: #""all""#)
        #expect(made.status == 201 && made.attributes["patients"] == .string("all"))
        expect(true, true, "during")
        let notice = portal.call(.get, "/my/notices", as: .pia).list.first?["attributes"]
        #expect(notice?["kind"] == .string("cover"))
        #expect(
            notice?["text"]?.string?.contains("Ben Steiner vertritt") == true
                && notice?["text"]?.string?.contains("20.11.2026") == true)
        #expect(portal.call(.delete, "/covers/\(made.id)", as: .ben).status == 404)
        #expect(portal.call(.delete, "/covers/\(made.id)", as: .ada).status == 204)
        #expect(portal.call(.delete, "/covers/\(made.id)", as: .ada).status == 204)
        expect(false, false, "ended")
        #expect(portal.call(.get, "/my/notices", as: .pia).list.count == 2)
        #expect(try portal.audit().contains("cover.made") && portal.audit().contains("cover.ended"))
    }

    @Test func `PR-20 PR-21 whoever is paired meanwhile is told who else may open their file`() {
        let open = "/patients/\(portal.cast.openTherapy)"
        #expect(cover("read", patients: #""all""#).status == 201)
        let supervisor = #"{"email": "ben@example.org", "role": "supervisor"}"#
        #expect(portal.call(.post, open + "/members", supervisor, as: .ada).status == 201)
        let draft = #"{"code": "\#(portal.cast.openCode)", "birth_date": "1984-02-29", "gender": "diverse"}"#
        #expect(portal.call(.post, "/my/pairing", draft, as: .nora).status == 201)
        let told = portal.call(.get, "/my/notices", as: .nora).list.compactMap { $0["attributes"] }
        #expect(Set(told.compactMap { $0["kind"]?.string }) == ["cover", "supervisor"])
        let texts = told.compactMap { $0["text"]?.string }.joined()
        #expect(texts.contains("Ben Steiner vertritt Ada Lindner") && texts.contains("als Supervision"))
    }

    @Test func `PR-20 the patient's access log says who read as cover`() throws {
        #expect(cover("read").status == 201)
        #expect(portal.get(file + "/timeline", as: .ben).status == 200)
        let log = portal.call(.get, "/my/access-log", as: .pia).list.compactMap { $0["attributes"] }
        let seen = log.first { $0["action"] == .string("file.viewed_as_cover") }
        #expect(seen?["by"]?.string?.contains("Ben Steiner") == true)
        let page = portal.get("/my/settings/access-log", as: .pia).text
        #expect(page.contains("in Vertretung"), "\(page.matches(of: /<p>.*<\/p>/).map { String($0.0) })")
    }

    static let wrong: [(String, String, String, String, String)] = [
        ("ada@example.org", "2026-11-20", "2026-11-22", "read", "colleague_email"),
        ("lena@example.org", "2026-11-20", "2026-11-22", "read", "colleague_email"),
        ("nobody@example.org", "2026-11-20", "2026-11-22", "read", "colleague_email"),
        ("ben@example.org", "2026-11-22", "2026-11-20", "read", "until"),
        ("ben@example.org", "2026-11-01", "2026-11-19", "read", "until"),
        ("ben@example.org", "2026-11-20", "2027-12-20", "read", "until"),
        ("ben@example.org", "2026-11-20", "2026-11-22", "all", "access"),
        ("ben@example.org", "soon", "2026-11-22", "read", "from"),
    ]

    @Test(arguments: wrong) func `PR-20 a cover that cannot be is refused with its field`(
        _ email: String, _ from: String, _ until: String, _ access: String, _ field: String
    ) {
        let answer = cover(access, from: from, until: until, colleague: email)
        #expect(answer.status == 422 && answer.wrongFields == [field], "\(answer.text)")
        #expect(portal.call(.get, "/covers", as: .ada).list.isEmpty)
    }

    @Test func `PR-20 nobody covers somebody else's patients, and no patient has two covers`() {
        #expect(cover("read", as: .ben).wrongFields == ["colleague_email"])
        #expect(cover("read", colleague: "ada@example.org", as: .ben).wrongFields == ["patients.0"])
        #expect(cover("read", patients: "[]").wrongFields == ["patients"])
        #expect(cover("read").status == 201)
        #expect(cover("act", from: "2026-11-22", until: "2026-11-25").wrongFields == ["from"])
        #expect(cover("act", from: "2026-11-22", until: "2026-11-25", patients: #""all""#).status == 422)
        #expect(cover("act", from: "2026-11-23", until: "2026-11-25").status == 201)
        let listed = portal.call(.get, "/covers", as: .ben).list.compactMap { $0["attributes"] }
        #expect(listed.count == 2 && listed.allSatisfy { $0["direction"] == .string("received") })
    }

    @Test func `PR-20 the page sets a cover up, shows what was typed, and lists both sides`() throws {
        let fields = [
            ("colleague_email", "ben@example.org"), ("from", "2026-11-20"), ("until", "2026-11-19"),
            ("whom", "named"), ("patient", pia.text), ("access", "act"),
        ]
        let refused = portal.post("/covers", fields, as: .ada)
        #expect(refused.status == 422 && refused.text.contains("ben@example.org"))
        #expect(refused.text.contains(#"value="\#(pia)" checked"#))
        let none = portal.post(
            "/covers", fields.filter { $0.0 != "patient" && $0.0 != "until" } + [("until", "2026-11-21")],
            as: .ada)
        #expect(none.status == 422 && none.text.contains("mindestens eine Person"))
        let made = portal.post(
            "/covers", fields.filter { $0.0 != "until" } + [("until", "2026-11-21")], as: .ada)
        #expect(made.status == 303)
        let given = portal.get("/covers", as: .ada).text
        #expect(given.contains("Ben Steiner") && given.contains("C000001"))
        let received = portal.get("/covers", as: .ben).text
        #expect(received.contains("Ada Lindner") && received.contains("/patients/\(pia)\""))
        let end = try #require(given.firstMatch(of: /action="(\/covers\/[^"]*\/end)"/)?.1)
        #expect(portal.post(String(end), as: .ada).status == 303)
        #expect(portal.get(file, as: .ben).status == 404)
    }

    @Test func `PR-21 a second therapist acts and a supervisor reads, until they are removed`() throws {
        expect(false, false, "before")
        let reader = member("supervisor")
        #expect(reader.status == 201 && reader.attributes["role"] == .string("supervisor"))
        expect(true, false, "supervisor")
        #expect(member("therapist").wrongFields == ["email"])
        #expect(portal.call(.delete, file + "/members/\(reader.id)", as: .ben).status == 404)
        #expect(portal.call(.delete, file + "/members/\(reader.id)", as: .ada).status == 204)
        expect(false, false, "removed")
        let second = member("therapist")
        #expect(second.status == 201)
        expect(true, true, "second therapist")
        // Of the same moment: their order says nothing.
        let kinds = portal.call(.get, "/my/notices", as: .pia).list.compactMap {
            $0["attributes"]?["kind"]?.string
        }
        #expect(kinds.sorted() == ["second_therapist", "supervisor", "supervisor"])
        // The sharing of a therapy ends when it is handed over.
        let body = #"{"email": "ada@example.org"}"#
        #expect(portal.call(.post, "/patients/C000001/hand-over", body, as: .uma).status == 422)
        #expect(
            portal.call(.post, "/patients/C000001/hand-over", #"{"email": "ben@example.org"}"#, as: .uma)
                .status == 204)
        #expect(
            portal.call(.post, "/patients/C000001/hand-over", body, as: .uma).status == 204)
        expect(false, false, "handed over and back")
    }

    @Test func `PR-21 alias, note and agenda are seen by others only where they are shared`() throws {
        #expect(
            portal.call(.patch, file, #"{"alias": "Kanari", "note": "Kanari"}"#, as: .ada).status == 200)
        #expect(portal.post(file + "/briefing", [("questions", "Kanari")], as: .ada).status == 303)
        let session = file + "/sessions/\(portal.cast.session)"
        #expect(portal.call(.patch, session, #"{"note": "Kanari"}"#, as: .ada).status == 200)
        let paths = ["", "/briefing", "/timeline", "/appointments", "/sessions/\(portal.cast.session)"]
        func found() -> [String] {
            paths.filter { portal.get(file + $0, as: .ben).text.contains("Kanari") }
                + (portal.call(.get, file, as: .ben).text.contains("Kanari") ? ["api"] : [])
                + (portal.call(.get, session, as: .ben).text.contains("Kanari") ? ["api session"] : [])
        }
        #expect(cover("act").status == 201)
        #expect(found() == [])
        #expect(portal.get("/", as: .ben).text.contains("Kanari") == false)
        let made = member("therapist", shares: true)
        #expect(made.attributes["shares_words"] == .bool(true))
        #expect(found().contains("/briefing") && found().contains("api"))
        // Notes on sessions stay with their authors.
        #expect(portal.call(.get, session, as: .ben).attributes["note"] == .null)
        #expect(portal.call(.patch, session, #"{"note": "Bens"}"#, as: .ben).status == 200)
        #expect(portal.call(.get, session, as: .ada).attributes["note"] == .string("Kanari"))
        _ = portal.post("/screen", [("names", "hidden"), ("back", "/patients")], as: .ben)
        #expect(found().filter { !$0.hasPrefix("api") } == [])
    }

    @Test func `PR-20 whoever stands in acknowledges alerts, also one who only reads; supervision does not`()
        throws
    {
        let rule = """
            {"name": "x", "combine": "all", "rest_days": 1, "alert": "Kein Lebenszeichen", "enabled": true,
             "conditions": [{"kind": "silent", "days": 2}]}
            """
        #expect(portal.call(.post, "/rules", rule, as: .ada).status == 201)
        try portal.wait(awake: 5)
        #expect(try RuleRun.tick(portal.services).fired > 0)
        func waiting() -> [String] {
            portal.call(.get, "/alerts?acknowledged=false", as: .ben).list.compactMap { $0["id"]?.string }
        }
        let raised = portal.call(.get, "/alerts?acknowledged=false", as: .ada).list.first {
            $0["attributes"]?["patient_id"] == .string(pia.text)
        }
        let alert = try #require(raised?["id"]?.string)
        let path = "/alerts/\(alert)/acknowledge"
        #expect(waiting().isEmpty && portal.call(.post, path, as: .ben).status == 404)
        let reader = member("supervisor")
        #expect(waiting().isEmpty && portal.call(.post, path, as: .ben).status == 404)
        #expect(portal.call(.delete, file + "/members/\(reader.id)", as: .ada).status == 204)
        #expect(cover("read", from: "2026-11-24", until: "2026-11-26").status == 201)
        #expect(waiting().contains(alert))
        #expect(portal.get("/alerts", as: .ben).text.contains("C000001"))
        #expect(portal.call(.post, path, #"{"comment": "angerufen"}"#, as: .ben).status == 200)
        #expect(!waiting().contains(alert))
        #expect(
            portal.call(.get, "/alerts?acknowledged=true", as: .ada).list.contains {
                $0["attributes"]?["comment"] == .string("angerufen")
            })
    }

    @Test func `PR-20 what is shared is found in lists and search`() {
        #expect(!portal.get("/patients", as: .ben).text.contains("C000001"))
        #expect(cover("read").status == 201)
        #expect(portal.get("/patients", as: .ben).text.contains("C000001"))
        #expect(portal.get("/search?q=C000001", as: .ben).text.contains("/patients/\(pia)"))
        let page = portal.get(file, as: .ben).text
        #expect(page.contains("Sie lesen diese Akte in Vertretung"))
        #expect(!page.contains("assignments/new") && !page.contains("audit-log"))
        #expect(portal.call(.get, file, as: .ben).attributes["access"] == .string("read"))
        #expect(portal.call(.get, file, as: .ada).attributes["access"] == .string("own"))
        // Over the API they are a list of their own, without the first therapist's words.
        #expect(portal.call(.patch, file, #"{"alias": "Kanari"}"#, as: .ada).status == 200)
        #expect(portal.call(.get, "/patients", as: .ben).list.allSatisfy { $0["id"]?.string != pia.text })
        let shared = portal.call(.get, "/patients?shared=true", as: .ben).list
        #expect(shared.map { $0["id"]?.string } == [pia.text])
        #expect(shared.first?["attributes"]?["access"] == .string("read"))
        #expect(shared.first?["attributes"]?["alias"] == .null)
        #expect(portal.call(.get, "/patients?shared=true&query=Kanari", as: .ben).list.isEmpty)
        #expect(portal.call(.get, "/patients?shared=true&query=C000001", as: .ben).list.count == 1)
        #expect(portal.call(.get, "/patients?shared=true", as: .ada).list.isEmpty)
        #expect(portal.call(.get, "/patients?shared=maybe", as: .ben).status == 422)
    }
}
