import HTTP
import JSON
import Records
import Testing
import Wire

@testable import PortalTesting

/// RP-223: a title in another language than the page's says which, on every page that shows it (WCAG 3.1.2).
@Suite struct WrittenTitleTests {
    let portal: TestPortal
    let pia: String
    static let marked = #"<span lang="en" dir="auto">Mood &amp; sleep</span>"#

    init() throws {
        portal = try TestPortal()
        pia = "/patients/\(portal.cast.therapies[.pia]?.text ?? "")"
        let file = """
            {"format": "intersession-questionnaire/1", "key": "mood-en", "title": {"en": "Mood & sleep"},
             "sections": [{"key": "s", "questions": [{"key": "q", "type": "single", "required": true,
                "text": {"en": "How are you?"}, "must_be_seen": {"at_least": 1},
                "options": [{"value": 0, "text": {"en": "Well"}}, {"value": 1, "text": {"en": "Not well"}}]}]}],
             "scales": [{"key": "sum", "title": {"en": "Sum"}, "method": "sum", "items": ["q"], "range": [0, 1]}]}
            """
        let published = portal.call(.post, "/questionnaires/import", file, as: .ada)
        #expect(published.status == 201, "\(published.text)")
    }

    private func assign() -> String {
        portal.call(.post, pia + "/assignments", #"{"questionnaire_key": "mood-en"}"#, as: .ada).id
    }

    private func answer(_ assignment: String) {
        let sent = portal.call(
            .put, "/my/contributions/5d8e2c44-52b0-4a4c-8a5e-7d3d1f0a9b7a",
            """
            {"assignment_id": "\(assignment)", "started_at": "\(portal.now.text)", "completed_at": "\(portal.now.text)",
             "timezone": "Europe/Vienna", "answers": {"q": 1}}
            """, as: .pia)
        #expect(sent.status == 201, "\(sent.text)")
    }

    @Test func `RP-223 while it waits: Today, overview, plan, list and choosing`() {
        _ = assign()
        #expect(portal.get("/my", as: .pia).text.contains(Self.marked))
        for path in [
            pia, pia + "/deliveries", pia + "/contributions", pia + "/assignments/new", pia + "/briefing",
        ] {
            let page = portal.get(path, as: .ada)
            #expect(page.status == 200 && page.text.contains(Self.marked), "\(path)")
        }
    }

    @Test func `RP-223 once it is answered: Today, timeline, briefing, lists and the sheet itself`() throws {
        answer(assign())
        for path in ["/", pia, pia + "/timeline", pia + "/briefing", pia + "/contributions"] {
            let page = portal.get(path, as: .ada)
            #expect(page.status == 200 && page.text.contains(Self.marked), "\(path)")
        }
        #expect(portal.get("/my/contributions", as: .pia).text.contains(Self.marked))
        let sheet = "/contributions/5d8e2c44-52b0-4a4c-8a5e-7d3d1f0a9b7a"
        let heading = #"<h1 lang="en" dir="auto">Mood &amp; sleep</h1>"#
        #expect(portal.get("/my" + sheet, as: .pia).text.contains(heading))
        #expect(portal.get(pia + sheet, as: .ada).text.contains(heading))
    }

    @Test func `RP-223 in the page's own language nothing is marked, and calls get the text alone`() {
        answer(assign())
        #expect(portal.change(.patch, "/my/profile", #"{"language": "en"}"#, as: .pia).status == 200)
        let english = portal.get("/my/contributions", as: .pia).text
        #expect(english.contains("Mood &amp; sleep") && !english.contains(Self.marked))
        let today = portal.call(.get, "/today", as: .ada)
        #expect(today.text.contains("Mood & sleep") && !today.text.contains("<span"))
    }
}
