import Database
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting

/// PR-15: a rule that is on asks first, and what was deleted can be brought back for 30 days.
@Suite struct RuleReturnTests {
    let rules: RuleTests
    var portal: TestPortal { rules.portal }

    init() throws { rules = try RuleTests() }

    func state(_ id: String, as person: Person = .ada) -> JSON? {
        portal.call(.get, "/rules/\(id)", as: person).attributes["enabled"]
    }

    /// The state that a page with a form has in view.
    func revision(_ page: String) -> (String, String) {
        let seen = portal.get(page, as: .ada).text.firstMatch(of: /name="revision" value="(\d+)"/)?.1
        return ("revision", String(seen ?? ""))
    }

    @Test func `PR-15 a rule that is on asks first on a page of its own, and its deletion is undone`() throws
    {
        let id = rules.rule(RuleTests.negative, #""briefing": "x", "enabled": true"#).id
        let page = portal.get("/rules/\(id)", as: .ada).text
        #expect(page.contains(#"<a class="button button--quiet" href="/rules/\#(id)/removal">"#))
        #expect(!page.contains(#"action="/rules/\#(id)/removal""#))
        let ask = portal.get("/rules/\(id)/removal", as: .ada).text
        #expect(ask.contains("Reaktion „Zwei schwere“ löschen?") && ask.contains("30 Tage"))
        // Without the page nothing happens to a rule that is on.
        let blind = portal.post("/rules/\(id)/removal", as: .ada)
        #expect(blind.headers["Location"] == "/rules/\(id)/removal" && state(id) == .bool(true))
        let done = portal.post(
            "/rules/\(id)/removal", [("confirmed", "true"), revision("/rules/\(id)/removal")], as: .ada)
        #expect(done.status == 303 && done.headers["Location"] == "/rules")
        let list = portal.get("/rules", as: .ada).text
        #expect(list.contains("Rückgängig machen") && list.contains("Gelöschte Reaktionen"))
        #expect(list.contains(#"action="/rules/\#(id)/return""#))
        #expect(portal.get("/rules/\(id)", as: .ada).status == 404)
        #expect(portal.post("/rules/\(id)/return", as: .ada).headers["Location"] == "/rules/\(id)")
        #expect(portal.get("/rules/\(id)", as: .ada).text.contains("wieder eingeschaltet"))
        #expect(state(id) == .bool(true))
        #expect(try portal.changes().suffix(2) == ["rule.removed", "rule.returned"])
    }

    @Test func `PR-15 a rule that is off is deleted at once, and comes back off`() throws {
        let id = rules.rule().id
        #expect(
            portal.post("/rules/\(id)/removal", [revision("/rules/\(id)")], as: .ada).headers["Location"]
                == "/rules")
        #expect(portal.get("/rules", as: .ada).text.contains("Rückgängig machen"))
        #expect(portal.call(.post, "/rules/\(id)/return", as: .ada).attributes["enabled"] == .bool(false))
    }

    @Test func `PR-15 a deleted rule does nothing, and is back for its owner within 30 days only`() throws {
        let id = rules.rule(RuleTests.negative, #""briefing": "x", "enabled": true"#).id
        #expect(portal.call(.post, "/rules/\(id)/return", as: .ada).status == 409)
        #expect(portal.call(.delete, "/rules/\(id)", as: .ada).status == 204)
        rules.answer(1, at: "2026-11-18T09:00:00Z")
        rules.answer(1, at: "2026-11-18T13:00:00Z")
        #expect(try portal.count("rule_firings") == 0)
        let removed = { (person: Person) in
            portal.call(.get, "/rules?state=removed", as: person).list.compactMap { $0["id"]?.string }
        }
        #expect(removed(.ada) == [id] && removed(.ben).isEmpty)
        #expect(portal.call(.get, "/rules?state=gone", as: .ada).wrongFields == ["state"])
        #expect(portal.call(.post, "/rules/\(id)/return", as: .ben).status == 404)
        try portal.wait(awake: 29)
        #expect(portal.call(.post, "/rules/\(id)/return", as: .ada).attributes["enabled"] == .bool(true))
        #expect(portal.call(.delete, "/rules/\(id)", as: .ada).status == 204)
        try portal.wait(awake: 30)
        #expect(removed(.ada).isEmpty && portal.call(.post, "/rules/\(id)/return", as: .ada).status == 410)
    }
}
