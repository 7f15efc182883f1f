import Foundation
import HTTP
import JSON
import Records
import Testing
import Wire

@testable import Clinic
@testable import Contributions
@testable import PortalTesting
@testable import Therapies
@testable import Web

/// The first impression, place 4: a session is two lines on Today, with one action in sight.
@Suite struct TodayRowTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    private var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }

    /// The sessions' rows of a page, from top to bottom.
    private func rows(_ path: String = "/") -> [String] {
        portal.get(path, as: .ada).text.components(separatedBy: #"<li class="visit visit--session"#)
            .dropFirst()
            .map { $0.components(separatedBy: "</section>")[0] }
    }

    private func meet(in seconds: Int64, lasting length: Int64 = 3000, _ patient: ID<Therapy>? = nil) {
        let start = portal.now.adding(seconds: seconds)
        let session =
            #"{"starts_at": "\#(start.text)", "ends_at": "\#(start.adding(seconds: length).text)"}"#
        let answer = portal.call(.post, "/patients/\(patient ?? pia)/sessions", session, as: .ada)
        #expect(answer.status == 201, "\(answer.text)")
    }

    /// One number from 0 to 28, more being worse; reliable from 5.2 points on.
    private func publish() {
        let file = """
            {"format": "intersession-questionnaire/1", "key": "insomnia", "title": {"de": "Schlaf"},
             "sections": [{"key": "s", "questions": [{"key": "n", "type": "number", "required": true,
               "text": {"de": "Wie sehr"}, "minimum": 0, "maximum": 28}]}],
             "scales": [{"key": "i", "title": {"de": "Last"}, "method": "sum", "items": ["n"], "range": [0, 28],
                         "higher_is_worse": true, "standard_deviation": 6, "reliability": 0.9}]}
            """
        #expect(portal.call(.post, "/questionnaires/import", file, as: .ada).status == 201)
    }

    private func answer(_ value: Int, _ number: Int) {
        let assigned = portal.call(
            .post, "/patients/\(pia)/assignments", #"{"questionnaire_key": "insomnia"}"#, as: .ada)
        portal.wait(seconds: 60)
        let at = portal.now.text
        let id = "5a1c9a0e-98a5-4a9f-8d3e-0000000007\(number < 10 ? "0" : "")\(number)"
        let body =
            #"{"assignment_id": "\#(assigned.id)", "started_at": "\#(at)", "completed_at": "\#(at)", "timezone": "Europe/Vienna", "answers": {"n": \#(value)}}"#
        let sent = portal.call(.put, "/my/contributions/\(id)", body, as: .pia)
        #expect(sent.status == 201, "\(sent.text)")
    }

    /// What draws the small courses of a page.
    private func courses(_ page: String) -> [String] {
        page.matches(
            of: /<svg class="course"[^>]*>(<path d="[^"]*"\/><path class="course__end" d="[^"]*"\/>)/
        ).map {
            String($0.1)
        }
    }

    @Test func `impression 4 the day says how many sessions there are and when the next begins`() throws {
        #expect(!portal.get("/", as: .ada).text.contains(" · 1 Sitzung"))
        meet(in: 7200)
        #expect(portal.get("/", as: .ada).text.contains(#/ · 1 Sitzung · die nächste um \d\d:\d\d</p>/#))
        #expect(!portal.get("/", as: .ada).text.contains("visit--over"))
    }

    @Test func `impression 4 the next session alone has the filled button, also when it is another day's`()
        throws
    {
        let filled = #"class="button button--primary" href="/patients/\#(pia)/briefing""#
        for start: Int64 in [-1200, 1200, 2400] { meet(in: start, lasting: 600) }
        #expect(rows().map { $0.contains(filled) } == [false, true, false])
        #expect(rows().map { $0.hasPrefix(" visit--over") } == [true, false, false])
        // While it runs, it is still the next one.
        portal.wait(seconds: 1500)
        #expect(rows().map { $0.contains(filled) } == [false, true, false])
        meet(in: 86_400)
        #expect(rows().map { $0.contains(filled) } == [false, true, false, false])
        portal.wait(seconds: 1700)
        #expect(rows().map { $0.contains(filled) } == [false, false, false, true])
        let tomorrow = portal.now.adding(days: 1).text.prefix(10)
        #expect(rows("/?day=\(tomorrow)").map { $0.contains(filled) } == [false])
    }

    @Test func `impression 4 a row has one action, and a menu of its own with all others`() throws {
        meet(in: -7200)
        meet(in: -600)
        meet(in: 7200)
        let rows = rows()
        let parts = rows.map { row in
            (
                action: row.components(separatedBy: "visit__act")[1].components(separatedBy: "visit__more")[
                    0],
                menu: row.components(separatedBy: "visit__more").last ?? ""
            )
        }
        try #require(parts.count == 3)
        for part in parts { #expect(part.action.matches(of: /class="button[^"]*"/).count == 1) }
        let mark = #"action="/patients/\#(pia)/sessions/"#
        let assign = #"<a class="menu__entry" href="/patients/\#(pia)/assignments/new">"#
        let briefing = #"<a class="menu__entry" href="/patients/\#(pia)/briefing">"#
        // What has begun is marked by one button; what is next opens its briefing, also while it runs.
        #expect(parts.map { $0.action.contains(mark) } == [true, false, false])
        #expect(parts.map { $0.menu.contains(mark) } == [false, true, false])
        #expect(parts.map { $0.menu.contains(briefing) } == [true, false, false])
        #expect(
            parts.allSatisfy {
                $0.menu.contains(assign) && $0.menu.contains(/\d neuer? Fragebo|\d neue Fragebö/)
            })
        // The key for the briefing finds it in every row.
        #expect(rows.allSatisfy { $0.matches(of: /data-key="b"/).count == 1 })
        let menus = rows.compactMap { $0.firstMatch(of: /id="(menu-[^"]+)" popover/)?.1 }
        #expect(Set(menus).count == 3)
        for (row, menu) in zip(rows, menus) { #expect(row.contains(#"popovertarget="\#(menu)""#)) }
        #expect(rows.allSatisfy { $0.contains(#"aria-label="Weitere Aktionen: C000001""#) })
    }

    @Test func `impression 4 two sessions of one moment have menus of their own`() {
        meet(in: 7200)
        meet(in: 7200)
        let menus = rows().compactMap { $0.firstMatch(of: /id="(menu-[^"]+)" popover/)?.1 }
        #expect(menus.count == 2 && Set(menus).count == 2)
    }

    @Test func `impression 4 a course is that of the patient's overview and ends with the row's value`()
        throws
    {
        publish()
        // One value is no course.
        answer(4, 0)
        meet(in: 7200)
        meet(in: 86_400)
        #expect(rows().map(courses) == [[], []])
        #expect(rows().allSatisfy { $0.contains("erster Wert") && $0.contains("<strong>4 von 28</strong>") })
        // A course shows twelve values; of the fourteenth on the first ones leave it.
        for (number, value) in [9, 12, 3, 20, 28, 0, 7, 15, 11, 2, 19, 23, 6].enumerated() {
            answer(value, number + 1)
            let row = try #require(rows().first)
            let shown = courses(row)
            #expect(
                courses(portal.get("/patients/\(pia)", as: .ada).text).contains(shown[0]) && shown.count == 1)
            let height = Int((6 + (1 - Double(value) / 28) * 20).rounded())
            #expect(
                shown[0].hasSuffix(#"d="M100 \#(height)h0"/>"#)
                    && row.contains("<strong>\(value) von 28</strong>"))
            #expect(rows().map(courses) == [shown, shown])
            portal.wait(seconds: 60)
        }
    }

    @Test func `impression 4 a row has room for one change: that for the worse, else that since the begin`() {
        func change(_ label: String, _ tone: String) -> JudgedChange {
            JudgedChange(difference: "+1", label: label, verdict: tone, tone: tone)
        }
        func chosen(_ session: String, _ begin: String) -> String? {
            ResultView.foremost([change("session", session), change("begin", begin)])?.label
        }
        #expect(chosen("plain", "plain") == "begin")
        #expect(chosen("danger", "good") == "session" && chosen("good", "danger") == "begin")
        #expect(chosen("good", "plain") == "session" && chosen("danger", "danger") == "begin")
        #expect(ResultView.foremost([change("session", "plain")])?.label == "session")
        #expect(ResultView.foremost([]) == nil)
    }

    @Test func `impression 4 both changes stand in the menu with their verdicts`() throws {
        publish()
        answer(4, 1)
        answer(20, 2)
        portal.wait(seconds: 900)
        meet(in: -700, lasting: 600)
        answer(21, 3)
        meet(in: 7200)
        let row = try #require(rows().last)
        let parts = row.components(separatedBy: "visit__more")
        #expect(
            parts[0].contains("<strong>+17</strong> seit Beginn") && !parts[0].contains("letzten Sitzung"))
        #expect(parts[1].contains("+1 seit der letzten Sitzung: nicht reliabel verändert"))
        #expect(parts[1].contains("+17 seit Beginn: reliabel verschlechtert"))
    }

    @Test func `impression 4 without a value a row says so, and without sessions the day does`() throws {
        #expect(rows().isEmpty)
        #expect(portal.get("/", as: .ada).text.contains("Heute ist keine Sitzung eingetragen."))
        let patients = portal.call(.get, "/patients", as: .ada).list.compactMap { $0["id"]?.string }
        let other = try #require(patients.first { $0 != pia.text })
        meet(in: 7200, lasting: 3000, ID(other))
        let row = try #require(rows().first)
        #expect(row.contains("noch kein Wert") && courses(row).isEmpty && !row.contains("visit__value"))
    }

    @Test func `impression 4 a long name stands above its codename, and hidden names are nowhere`() throws {
        meet(in: 7200)
        let long = String(repeating: "Ä", count: 60)
        #expect(portal.call(.patch, "/patients/\(pia)", #"{"alias": "\#(long)"}"#, as: .ada).status == 200)
        let row = try #require(rows().first)
        #expect(
            row.contains(
                #"<span class="name__alias">\#(long)</span> <span class="name__code">C000001</span>"#))
        #expect(portal.post("/screen", [("names", "hidden"), ("back", "/")], as: .ada).status == 303)
        let page = portal.get("/", as: .ada).text
        #expect(!page.contains(long) && page.contains(#"">C000001</a>"#))
    }
}
