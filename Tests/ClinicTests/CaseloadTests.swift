import Foundation
import HTTP
import JSON
import Records
import Testing
import Web
import Wire
import Wording

@testable import Clinic
@testable import Portal
@testable import PortalTesting
@testable import Therapies

/// PR-34 and PR-35: many patients in one list, and on one Monday.
@Suite struct CaseloadTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    private var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }

    private func list(_ query: String = "", as reader: Person = .ada) -> String {
        portal.get("/patients\(query)", as: reader).text
    }

    /// With a known error of measurement: 12 points are a reliable change.
    private func publish() {
        let options = (0...28).map { #"{"value": \#($0), "text": {"de": "\#($0)"}}"# }.joined(separator: ",")
        let file = """
            {"format": "intersession-questionnaire/1", "key": "insomnia", "title": {"de": "Schlaf"},
             "sections": [{"key": "s", "questions": [{"key": "n", "type": "single", "required": true,
               "text": {"de": "Wie schlimm?"}, "options": [\(options)]}]}],
             "scales": [{"key": "i", "title": {"de": "Last"}, "method": "sum", "items": ["n"], "range": [0, 28],
               "higher_is_worse": true, "standard_deviation": 6, "reliability": 0.9}]}
            """
        let answer = portal.call(.post, "/questionnaires/import", file, as: .ada)
        #expect(answer.status == 201, "\(answer.text)")
    }

    private func answer(_ value: Int, _ number: Int) {
        let assigned = portal.call(
            .post, "/patients/\(pia)/assignments", #"{"questionnaire_key": "insomnia"}"#, as: .ada)
        portal.wait(seconds: 60)
        let at = portal.now.text
        let body =
            #"{"assignment_id": "\#(assigned.id)", "started_at": "\#(at)", "completed_at": "\#(at)", "timezone": "Europe/Vienna", "answers": {"n": \#(value)}}"#
        let sent = portal.call(
            .put, "/my/contributions/5a1c9a0e-98a5-4a9f-8d3e-00000000060\(number)", body, as: .pia)
        #expect(sent.status == 201, "\(sent.text)")
    }

    // MARK: PR-34

    @Test func `PR-34 the lead scale stands with its change since the begin and the verdict on it`() {
        publish()
        answer(8, 1)
        answer(24, 2)
        let page = list()
        #expect(page.contains("8 → 24") && page.contains("reliabel verschlechtert"))
        #expect(page.contains("schlechter 1") && page.contains("von 28"))
        #expect(list("?filter=worse").contains("C000001<"))
        #expect(!list("?filter=worse").contains("C000003<"))
    }

    @Test func `PR-34 a filter without patients says so in one line instead of a table`() {
        let page = list("?filter=worse")
        #expect(page.contains("Bei niemandem ist die Leitskala seit Beginn reliabel schlechter."))
        #expect(!page.contains("<table"))
        #expect(list("?filter=all").contains("<table"))
    }

    @Test func `PR-34 filter and order are kept for each person, and reading again writes nothing`() throws {
        #expect(list().contains("aria-sort=\"ascending\""))
        #expect(try portal.count("caseload_views") == 0)
        _ = list("?filter=without_appointment&sort=rate&reversed=true")
        let kept = list()
        #expect(kept.contains("value=\"without_appointment\"") && kept.contains("value=\"rate\""))
        #expect(kept.contains("name=\"reversed\""))
        #expect(!list(as: .ben).contains("value=\"without_appointment\""))
        _ = list("?filter=without_appointment&sort=rate&reversed=true")
        #expect(try portal.count("caseload_views") == 1)
        // A search looks everywhere, and is not kept.
        #expect(list("?q=C000001").contains("C000001<"))
        #expect(list().contains("value=\"without_appointment\""))
        #expect(list("?filter=nonsense&sort=nothing").contains("value=\"without_appointment\""))
    }

    @Test func `PR-34 the order is that of the values, those without any come last in both directions`() {
        let start = portal.now.adding(days: 2)
        let session = #"{"starts_at": "\#(start.text)", "ends_at": "\#(start.adding(seconds: 3000).text)"}"#
        let other = portal.call(.get, "/patients", as: .ada).list.first {
            $0["attributes"]?["codename"]?.string == "C000003"
        }
        let id = other?["id"]?.string ?? ""
        #expect(portal.call(.post, "/patients/\(id)/sessions", session, as: .ada).status == 201)
        #expect(list().contains("ohne Termin</td>"))
        for query in ["?sort=next", "?sort=next&reversed=true"] {
            let page = list(query)
            let first = page.range(of: "C000003<")?.lowerBound
            let second = page.range(of: "C000001<")?.lowerBound
            let pages = (first ?? page.endIndex, second ?? page.startIndex)
            #expect(first != nil && second != nil)
            #expect(pages.0 < pages.1, "\(query)")
        }
    }

    @Test func `PR-34 the table has codenames, never an alias, and taking it is told`() throws {
        let path = "/patients/\(pia)"
        #expect(portal.call(.patch, path, #"{"alias": "Frau Winter"}"#, as: .ada).status == 200)
        let table = portal.post("/patients/table", [("filter", "all"), ("sort", "codename")], as: .ada)
        #expect(table.status == 200 && table.headers["Content-Type"]?.hasPrefix("text/csv") == true)
        #expect(table.text.contains("C000001,") && !table.text.contains("Winter"))
        #expect(!table.text.contains("C000002"))
        #expect(try portal.changes().last == "caseload.exported")
        #expect(portal.post("/patients/table", as: .lena).status == 403)
    }

    // MARK: PR-35

    private func today(as reader: Person = .ada) -> String { portal.get("/", as: reader).text }

    private var until: String? {
        today().firstMatch(of: /name="until" value="([^"]*)"/).map { String($0.1) }
    }

    @Test func `PR-35 unremarkable news is set aside in one step and comes back within ten minutes`() throws {
        publish()
        answer(8, 1)
        #expect(today().contains("Unauffällig: "))
        let moment = try #require(until)
        portal.wait(seconds: 1)
        let done = portal.post("/today/news/set-aside", [("until", moment)], as: .ada)
        #expect(done.status == 303, "\(done.text)")
        let after = today()
        #expect(after.contains("Abgelegt bei") && !after.contains("Unauffällig: "))
        let way = try #require(after.firstMatch(of: /action="(\/undo\/[^"]*)"/)).1
        #expect(portal.post(String(way), as: .ben).status == 404)
        #expect(portal.post(String(way), as: .ada).status == 303)
        #expect(today().contains("Unauffällig: "))
        #expect(portal.call(.post, "/today/news/return", as: .ada).status == 409)
    }

    @Test func `PR-35 what came in after the page was drawn, and what is worse, is not set aside`() throws {
        publish()
        answer(8, 1)
        let moment = try #require(until)
        portal.wait(seconds: 60)
        answer(24, 2)
        #expect(
            portal.call(.post, "/today/news/set-aside", #"{"until": "\#(moment)"}"#, as: .ada).status == 204)
        let page = today()
        #expect(page.contains("8 → 24") && page.contains("reliabel verschlechtert"))
        // The worsening stays, whichever moment is named.
        #expect(portal.call(.post, "/today/news/set-aside", as: .ada).status == 204)
        #expect(today().contains("8 → 24"))
        #expect(
            portal.call(.post, "/today/news/set-aside", #"{"until": "gestern"}"#, as: .ada).wrongFields == [
                "until"
            ])
    }

    @Test func `PR-35 ten minutes later it stays set aside`() throws {
        publish()
        answer(8, 1)
        #expect(portal.call(.post, "/today/news/set-aside", as: .ada).status == 204)
        portal.wait(seconds: 601)
        #expect(portal.call(.post, "/today/news/return", as: .ada).status == 409)
        #expect(!today().contains("Unauffällig: "))
    }

    @Test func `PR-35 a page shows twenty unremarkable people, and all when they are asked for`() throws {
        let texts = portal.services.texts(.german)
        let news = (0..<23).map { place in
            TodayPages.Show.News(
                when: "", id: ID("\(place)"), codename: "C\(place)", alias: nil, path: "", results: [],
                lines: [],
                weight: place == 22 ? 1 : 0)
        }
        let part = NewsView(news, isWhole: false, texts, now: portal.now)
        #expect(part.plain.map(\.codename) == (0..<20).map { "C\($0)" })
        #expect(part.marked.count == 1 && part.files.count == 21)
        #expect(part.plainTitle == "Unauffällig: 22 Personen")
        #expect(part.rest?.label == "2 weitere Personen anzeigen")
        let whole = NewsView(news, isWhole: true, texts, now: portal.now)
        #expect(whole.plain.count == 22 && whole.rest == nil && whole.files.count == 23)
        let twenty = NewsView(Array(news.prefix(20)), isWhole: false, texts, now: portal.now)
        #expect(twenty.plain.count == 20 && twenty.rest == nil)
        publish()
        answer(8, 1)
        #expect(today().contains("<details class=\"news__plain\">"))
        #expect(portal.get("/?news=all", as: .ada).text.contains("<details class=\"news__plain\" open>"))
    }

    // MARK: PR-36, PR-37

    @Test func `PR-36 the list of answers has values and change, and the figure where one is chosen`() {
        publish()
        answer(8, 1)
        answer(24, 2)
        let all = portal.get("/patients/\(pia)/contributions", as: .ada).text
        #expect(all.contains("8 → 24") && all.contains("24 von 28") && !all.contains("class=\"charts\""))
        let one = portal.get("/patients/\(pia)/contributions?questionnaire_key=insomnia", as: .ada).text
        #expect(one.contains("8 → 24") && one.contains("class=\"charts\""))
        _ = portal.call(
            .post, "/patients/\(pia)/assignments", #"{"questionnaire_key": "insomnia"}"#, as: .ada)
        let open = portal.get("/patients/\(pia)/contributions?questionnaire_key=insomnia", as: .ada).text
        #expect(open.contains("Offen oder zurückgehalten"))
    }

    @Test func `PR-37 the briefing stands in the frame, with a way back to Today`() {
        let page = portal.get("/patients/\(pia)/briefing", as: .ada).text
        #expect(page.contains("class=\"frame__side\"") && page.contains("Zurück zu Heute"))
        #expect(page.contains("Fragen für die Sitzung") && page.contains("class=\"paper\""))
    }
}
