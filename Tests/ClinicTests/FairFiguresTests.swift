import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import Delivery
@testable import PortalTesting
@testable import Records
@testable import Therapies
@testable import Web
@testable import Wording

/// PR-1: what a therapist reads before a session belongs to its time, and times of different length are compared by
/// shares.
@Suite struct FairFiguresTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }
    var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }

    /// A session of fifty minutes in Vienna's morning.
    func hold(_ day: String) {
        let answer = portal.call(
            .post, "/patients/\(pia)/sessions",
            #"{"starts_at": "2026-\#(day)T08:00:00Z", "ends_at": "2026-\#(day)T08:50:00Z"}"#, as: .ada)
        #expect(answer.status == 201)
    }

    /// Answers to dailies of the device's own: three a day from a day on.
    func answer(_ questionnaire: String, from day: String, count: Int, thoughts: Int, name: Int) throws {
        let begin = try #require(Instant("2026-\(day)T08:00:00Z"))
        for number in 0..<count {
            let opens = begin.adding(days: Int64(number / 3)).adding(seconds: Int64(number % 3) * 14_400)
            let isThought = number < thoughts
            let answers = isThought ? #"{"thought": 1, "feeling": 4}"# : #"{"thought": 0}"#
            let body =
                #"{"daily": {"questionnaire_id": "\#(questionnaire)", "available_from": "\#(opens.text)", "due_at": "\#(opens.adding(seconds: 1800).text)"}, "started_at": "\#(opens.text)", "completed_at": "\#(opens.adding(seconds: 60).text)", "timezone": "Europe/Vienna", "answers": \#(answers)}"#
            let id = "5a1c9a0e-98a5-4a9f-8d3e-0000000\(name)\(number < 10 ? "0" : "")\(number)00"
            #expect(portal.call(.put, "/my/contributions/\(id)", body, as: .pia).status == 201)
        }
    }

    /// Twelve answers in the eleven days between two sessions, six in the two days since.
    func dailies() throws {
        let questionnaire = try portal.publish("intersession-daily")
        hold("11-05")
        hold("11-18")
        try answer(questionnaire, from: "11-10", count: 12, thoughts: 6, name: 1)
        try answer(questionnaire, from: "11-18", count: 6, thoughts: 3, name: 2)
    }

    func section(_ page: String, _ heading: String) throws -> String {
        let parts = page.components(separatedBy: ">\(heading)")
        try #require(parts.count == 2, "\(heading)")
        return parts[1].components(separatedBy: "<h2")[0]
    }

    @Test func `PR-1 a value from before the last session is what is known, with its day`() throws {
        var page = portal.get("/patients/\(pia)/briefing", as: .ada).text
        #expect(try section(page, "Was sich bewegt hat").contains("Intensität"))
        #expect(!page.contains("Zuletzt bekannt"))
        // The sheet is from the 17th.
        hold("11-18")
        page = portal.get("/patients/\(pia)/briefing", as: .ada).text
        #expect(try !section(page, "Was sich bewegt hat").contains("Intensität"))
        let known = try section(page, "Zuletzt bekannt")
        #expect(known.contains("Intensität") && known.contains("Di 17.11.") && known.contains("6 von 6"))
        #expect(!known.contains("seit der letzten Sitzung"))
    }

    @Test func `PR-1 a session that was missed makes nothing old`() throws {
        hold("11-18")
        let id = portal.call(.get, "/patients/\(pia)/sessions", as: .ada).list.first?["id"]?.string ?? ""
        #expect(
            portal.call(.patch, "/patients/\(pia)/sessions/\(id)", #"{"state": "missed"}"#, as: .ada).status
                == 200)
        let page = portal.get("/patients/\(pia)/briefing", as: .ada).text
        #expect(try section(page, "Was sich bewegt hat").contains("Intensität"))
        #expect(page.contains("Seit der letzten Sitzung, 4 Tage"))
    }

    @Test func `PR-1 the briefing compares by shares with their n, and says how long each time was`() throws {
        try dailies()
        let page = portal.get("/patients/\(pia)/briefing", as: .ada).text
        #expect(page.contains("Seit der letzten Sitzung, 2 Tage · zuvor: 2 Tage"))
        let earlier = portal.get("/patients/\(pia)/comparison?first=2&second=3", as: .ada).text
        #expect(earlier.contains("Zwischen Sitzung 2 und 3") && earlier.contains("Seit Sitzung 3"))
        #expect(
            page.contains(
                "<strong>50 %</strong> <span>an die Therapie gedacht <span class=\"whole\">(3 von 6)</span>"))
        #expect(!page.contains("×"))
        #expect(
            page.contains(
                "<strong>4</strong> <span>Stimmung beim Gedanken daran <span class=\"whole\">(3 von 6)</span>"
            ))
    }

    @Test func `PR-1 two intervals are compared by shares and means, never by counts`() throws {
        try dailies()
        // From the 5th to the 16th, when the session of the cast was, and since the 18th.
        let page = portal.get("/patients/\(pia)/comparison?first=1&second=3", as: .ada).text
        let row = { (name: String) -> [String] in
            let line = page.components(separatedBy: "<th scope=\"row\">\(name)</th>").last ?? ""
            return line.matches(of: /<td[^>]*>([^<]*)<\/td>/).prefix(3).map { String($0.1) }
        }
        #expect(row("Dauer") == ["11 Tage", "2 Tage", "–"])
        #expect(row("an die Therapie gedacht") == ["50 % (6 von 12)", "50 % (3 von 6)", "0 Prozentpunkte"])
        #expect(row("Stimmung beim Gedanken daran") == ["4 (6 von 12)", "4 (3 von 6)", "0"])
    }

    @Test func `FD-47 one percentage point is one`() {
        let (german, english) = (portal.services.texts(.german), portal.services.texts(.english))
        #expect(german.difference((50, 100), (51, 100)) == "+1 Prozentpunkt")
        #expect(english.difference((50, 100), (51, 100)) == "+1 percentage point")
        #expect(english.difference((50, 100), (49, 100))?.hasSuffix("1 percentage point") == true)
        #expect(english.difference((50, 100), (52, 100)) == "+2 percentage points")
    }

    @Test func `PR-1 today tells a value of before the last session as known`() throws {
        let start = portal.now.adding(seconds: 7200)
        let today = #"{"starts_at": "\#(start.text)", "ends_at": "\#(start.adding(seconds: 3000).text)"}"#
        #expect(portal.call(.post, "/patients/\(pia)/sessions", today, as: .ada).status == 201)
        var page = portal.get("/", as: .ada).text
        #expect(page.contains(">Intensität</a>") && page.contains("<strong>2 von 4</strong>"))
        #expect(page.contains("am Di 17.11.") && !page.contains("zuletzt bekannt"))
        #expect(page.contains("vor der 2. Sitzung"))
        hold("11-18")
        page = portal.get("/", as: .ada).text
        #expect(page.contains("<strong>2 von 4</strong>") && page.contains("zuletzt bekannt: Di 17.11."))
        #expect(page.contains("0 neue Fragebögen") && page.contains("vor der 3. Sitzung"))
    }

    @Test func `PR-2 head, briefing, timeline and axis agree on the numbers, missed ones are hollow`() throws
    {
        hold("11-11")
        hold("11-18")
        let missed = portal.call(.get, "/patients/\(pia)/sessions", as: .ada).list.last?["id"]?.string ?? ""
        #expect(
            portal.call(.patch, "/patients/\(pia)/sessions/\(missed)", #"{"state": "missed"}"#, as: .ada)
                .status == 200)
        hold("11-25")
        let timeline = portal.get("/patients/\(pia)/timeline", as: .ada).text
        #expect(timeline.contains("<dt>Sitzungen</dt> <dd>2</dd>"))
        #expect(timeline.contains("Zwischen Sitzung 1 und 2") && timeline.contains("Seit Sitzung 2"))
        #expect(timeline.contains("Vor Sitzung 1") && !timeline.contains("Sitzung 3<"))
        #expect(timeline.contains("nicht erschienen"))
        let axis = try #require(
            timeline.firstMatch(of: /<svg class="chart__numbers".*?<\/svg>(?=\s*<\/div>)/)
        ).0
        #expect(axis.matches(of: /<circle/).count == 1)
        #expect(axis.contains("aria-label=\"nicht erschienen, Mi 11.11.\""))
        #expect(axis.matches(of: /<text[^>]*>([^<]*)<\/text>/).map { String($0.1) } == ["1", "2", "3"])
        #expect(axis.contains("aria-label=\"vor der 3. Sitzung, Mi 25.11.\""))
        let briefing = portal.get("/patients/\(pia)/briefing", as: .ada).text
        #expect(briefing.contains("C000001 · vor der 3. Sitzung"))
        let comparison = portal.get("/patients/\(pia)/comparison", as: .ada).text
        #expect(comparison.contains("Zwischen Sitzung 1 und 2") && comparison.contains("Seit Sitzung 2"))
        let own = portal.call(.get, "/my/export", as: .pia).text
        #expect(own.contains("\"number\":2") && !own.contains("\"number\":3"))
    }
}
