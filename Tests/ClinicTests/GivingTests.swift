import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Therapies
@testable import Web

/// PR-19: interventions are read in full before they are sent.
@Suite struct GivingTests {
    let portal: TestPortal
    var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }
    var path: String { "/patients/\(pia)/interventions/new" }

    init() throws { portal = try TestPortal() }

    private static let long = String(repeating: "Gehen Sie jeden Tag ein Stück. ", count: 20)

    private func text(_ german: String) -> String {
        let english = "Go for a walk every day."
        let body = #"{"kind": "task", "text": {"de": "\#(german)", "en": "\#(english)"}}"#
        return portal.call(.post, "/interventions", body, as: .ada).id
    }

    @Test func `PR-19 the whole text, how often this person had it and what came of it`() throws {
        let library = text(Self.long)
        let fresh = portal.get(path, as: .ada).text
        #expect(fresh.contains(Self.long.trimmingCharacters(in: .whitespaces)))
        #expect(fresh.contains("hatte diese Person noch nicht"))
        // An assignment of another patient does not count for this one.
        let form = [("intervention_id", library), ("kind", "task"), ("text", "")]
        #expect(portal.post(path, form, as: .ada).status == 303)
        #expect(portal.post(path, form, as: .ada).status == 303)
        let given = portal.call(.get, "/my/interventions", as: .pia).list.first?["id"]?.string ?? ""
        let seen = #"{"opened_at": "2026-11-20T09:00:00Z", "completed_at": "2026-11-20T09:00:00Z"}"#
        #expect(portal.call(.patch, "/my/interventions/\(given)", seen, as: .pia).status == 200)
        let known = portal.get(path, as: .ada).text
        #expect(
            known.contains(
                "hatte diese Person 2-mal · zuletzt am 20.11.2026 · 1 von 2 geöffnet, 1 von 2 abgeschlossen"),
            "\(known)")
        // As the phone shows it, in the person's own language.
        #expect(portal.call(.patch, "/my/profile", #"{"language": "en"}"#, as: .pia).status == 200)
        #expect(portal.get(path, as: .ada).text.contains(#"lang="en">Go for a walk every day."#))
    }

    @Test func `PR-19 what is wrong is said at the choice, and nothing typed is lost`() throws {
        let library = text("Gehen.")
        let both = [("intervention_id", library), ("kind", "task"), ("text", "Laufen.")]
        let page = portal.post(path, both, as: .ada)
        #expect(page.status == 422 && page.text.contains(##"<a href="#text">"##))
        #expect(
            page.text.contains(">Laufen.</textarea>") && page.text.contains(#"value="\#(library)" checked"#))
        let unknown = [("intervention_id", "11111111-2222-4333-8444-555555555555"), ("text", "")]
        let lost = portal.post(path, unknown, as: .ada)
        #expect(lost.status == 422 && lost.text.contains(##"<a href="#intervention_id">"##))
        #expect(lost.text.contains(#"id="intervention_id""#))
    }
}

/// PR-16: the plan says what is asked when, reactions say what follows from results; each page names the other.
@Suite struct PlanAndReactionTests {
    @Test(arguments: [("de", "Plan", "Reaktionen"), ("en", "Plan", "Reactions")])
    func `PR-16 plan and reaction are two things with two names`(
        language: String, plan: String, reactions: String
    ) throws {
        let portal = try TestPortal()
        let pia = "/patients/\(portal.cast.therapies[.pia] ?? "")"
        let planned = portal.get("\(pia)/deliveries?lang=\(language)", as: .ada).text
        #expect(planned.contains(language == "de" ? "was wann gefragt wird" : "what is asked when"))
        #expect(planned.contains(#"<a href="/rules">\#(reactions)</a>"#) && planned.contains(">\(plan)</a>"))
        for path in ["\(pia)/deliveries", "\(pia)/delivery-rules/new", "/rules", "/rules/new"] {
            let page = portal.get("\(path)?lang=\(language)", as: .ada).text
            let words = page.matches(of: />([^<]+)</).map { String($0.1) }.joined(separator: " ")
            #expect(words.firstMatch(of: /\b(Regeln?|Automatik|[Rr]ules?)\b/) == nil, "\(path)")
        }
    }
}
