import Foundation
import HTTP
import Testing
import Wire

@testable import Portal

@Suite struct TimelineTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }
    var pia: String { portal.cast.therapies[.pia] ?? "" }

    @Test func `the timeline is cut by sessions, the newest first, with scores and n of n`() throws {
        let text = portal.get("/patients/\(pia)/timeline", as: .ada).text
        let since = try #require(text.range(of: "Seit Sitzung 1"))
        let before = try #require(text.range(of: "Vor Sitzung 1"))
        let sheet = try #require(text.range(of: "Intensität <strong>2</strong>"))
        let paired = try #require(text.range(of: "App verbunden"))
        #expect(since.lowerBound < sheet.lowerBound && sheet.lowerBound < before.lowerBound && before.lowerBound < paired.lowerBound)
        #expect(text.contains("8 von 8") && text.contains("/contributions/\(portal.cast.contribution)"))
    }

    @Test func `kinds can be chosen, and times bound the list`() {
        let kinds = { (query: String) in
            portal.call(.get, "/patients/\(pia)/timeline\(query)", as: .ada).list.compactMap { $0["attributes"]?["kind"]?.string }
        }
        #expect(kinds("") == ["assignment", "contribution", "session", "assignment", "pairing", "therapy"])
        #expect(kinds("?kind=session") == ["session"])
        #expect(kinds("?from=2026-11-16T00:00:00Z&to=2026-11-18T00:00:00Z") == ["contribution", "session"])
        #expect(portal.call(.get, "/patients/\(pia)/timeline?kind=nonsense", as: .ada).status == 422)
        #expect(portal.call(.get, "/patients/\(pia)/timeline?from=yesterday", as: .ada).status == 422)
    }

    @Test func `one sheet shows every answer in the words of the questionnaire`() {
        let text = portal.get("/patients/\(pia)/contributions/\(portal.cast.contribution)", as: .ada).text
        #expect(text.contains("In einem Traum tauchte die Therapie auf.") && text.contains("ein paar Mal (2)"))
        #expect(text.contains("8 von 8 beantwortet") && text.contains("6 von 6"))
    }

    @Test func `scores over time can be asked for by questionnaire and scale`() {
        let scores = portal.call(.get, "/patients/\(pia)/scores?questionnaire_key=between-sessions&scale=intensity", as: .ada)
        #expect(scores.list.count == 1 && scores.list.first?["attributes"]?["value"] == .number(2))
        #expect(portal.call(.get, "/patients/\(pia)/scores", as: .ada).wrongFields == ["questionnaire_key"])
    }

    @Test func `a withdrawn assignment stays on the timeline and says so`() {
        #expect(portal.post("/patients/\(pia)/assignments/\(portal.cast.assignment)/withdrawal", as: .ada).status == 303)
        #expect(portal.get("/patients/\(pia)/timeline", as: .ada).text.contains("zurückgenommen"))
    }

    @Test func `assigning by hand takes a window in the clinic's time`() {
        let path = "/patients/\(pia)/assignments/new"
        let bad = portal.post(path, [("questionnaire_key", "between-sessions"), ("available_from", "2026-11-24T09:00"), ("due_at", "2026-11-23T09:00")], as: .ada)
        #expect(bad.status == 422 && bad.text.contains("value=\"2026-11-23T09:00\"") && bad.text.contains("value=\"between-sessions\" selected"))
        #expect(portal.post(path, [("questionnaire_key", "nothing")], as: .ada).status == 422)
        #expect(portal.post(path, [("questionnaire_key", "between-sessions"), ("available_from", "2026-11-24T09:00"), ("due_at", "2026-11-25T09:00")], as: .ada).status == 303)
        let coming = portal.call(.get, "/my/assignments", as: .pia).list.first?["attributes"]
        #expect(coming?["available_from"] == .string("2026-11-24T08:00:00Z") && coming?["progress"]?["total"] == .number(8))
    }
}
