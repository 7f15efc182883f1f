import Database
import HTTP
import JSON
import Scheduling
import Testing
import Wire

@testable import Participants
@testable import PortalTesting
@testable import Records
@testable import Studies
@testable import Web
@testable import Wording

/// The own course: TYS-9, TYT-2, and beside the others' TYS-8.
@Suite struct CourseTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    static func sheet(_ value: Int) -> String {
        #"{"enjoyed": \#(value), "calm": \#(value), "energy": \#(value), "slept": \#(value), "company": \#(value)}"#
    }

    @Test func `TYS-9 an empty state before the first sheet, then every scale with range and direction`()
        throws
    {
        #expect(portal.get("/my/results", as: .quinn).text.contains("Noch nichts zu zeigen"))
        let desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        #expect(desk.enrol(.quinn, in: study).status == 201)
        for value in [1, 2, 4] {
            #expect(desk.answer("wellbeing-5", in: study, as: .quinn, Self.sheet(value)).status == 201)
            try portal.wait(awake: 3)
        }
        let page = portal.get("/my/results", as: .quinn).text
        #expect(page.contains("0 bis 100, höher ist günstiger") && page.contains("3 Werte"))
        // Twenty a point: the last value large, all of them in the table.
        #expect(
            page.contains(#">80<tspan class="own-course__of" x="100%" dy="1.3em">von 100</tspan></text>"#))
        #expect(page.contains("Wohlbefinden: zuletzt 80"))
        for value in ["20", "40", "80"] {
            #expect(page.contains("<td class=\"table__number\">\(value)</td>"))
        }
        for word in ["reliabel", "gebessert", "Grenzwert"] { #expect(!page.contains(word)) }
        let items = portal.get("/my/results/wellbeing-5", as: .quinn).text
        #expect(items.contains("Ich kam zur Ruhe.") && items.contains("0 an keinem bis 5 an allen"))
        #expect(portal.get("/my/results/wellbeing-5", as: .pia).status == 404)
        #expect(portal.get("/my/results/nothing", as: .quinn).status == 404)
    }

    @Test(arguments: [(20, 20), (22, 21), (40, 31), (80, 54), (81, 51), (160, 90), (200, 90)])
    func `TYT-2 the curve is thinned, the table is not`(count: Int, left: Int) throws {
        let texts = portal.services.texts(.german)
        let charting = CourseCharting(
            texts: texts, dates: DateFormat(texts, Zone("Europe/Vienna"), now: portal.now))
        let values = (0..<count).map { index in
            CourseCharting.Value(
                at: portal.now.adding(days: Int64(index - count)), number: Double(index % 7),
                words: String(index))
        }
        let chart = try #require(
            charting.chart(
                "x", name: "X", language: "de", range: 0...6, reading: nil, values: values, count: "",
                day: charting.dates.short))
        #expect(chart.dots.matches(of: /h0/).count == left)
        #expect(chart.rows.count == min(count, 160) && chart.value == String(count - 1))
        #expect(chart.isThinned == (left < count))
    }

    @Test func `IO-11 dailies are shown as means of weeks`() throws {
        try portal.publish("intersession-daily")
        let pia = portal.cast.accounts[.pia] ?? ""
        // Monday to Wednesday of two weeks: felt 2 and 4, then 5; one without a thought.
        let answers: [(String, Int, Int?)] = [
            ("2026-11-09", 1, 2), ("2026-11-10", 1, 4), ("2026-11-11", 0, nil), ("2026-11-17", 1, 5),
        ]
        for (index, (day, thought, feeling)) in answers.enumerated() {
            let at = try #require(Instant("\(day)T08:00:00Z"))
            let id = "6f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a0\(index)"
            try portal.services.records.writeUnaudited(.madeUp) { connection in
                try connection.run(
                    """
                    INSERT INTO contributions (account_id, id, therapy_id, questionnaire_id, started_at, completed_at,
                        received_at, timezone, answers, answered, asked, planned_on, period, thought, feeling)
                    SELECT account_id, \(id), therapy_id, (SELECT id FROM questionnaires WHERE key = 'intersession-daily'),
                        \(at), \(at), \(at), timezone, answers, 2, 2, \(day), 0, \(Double(thought)),
                        \(feeling.map { Double($0) })
                    FROM contributions WHERE account_id = \(pia) LIMIT 1
                    """)
            }
        }
        let page = portal.get("/my/results", as: .pia).text
        #expect(page.contains("Stimmung beim Gedanken an die Therapie") && page.contains("1 bis 5"))
        #expect(page.contains("3 Tagesabfragen, Wochenmittel") && page.contains("4 Tagesabfragen"))
        #expect(page.contains("<td class=\"table__number\">3</td>") && page.contains("67 %"))
        #expect(page.contains("Woche ab Mo 09.11."))
    }

    @Test func `TYS-8 the comparison is shown from ten others on, in words and as a figure`() throws {
        let desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        for person in [Person.pia, .quinn] { #expect(desk.enrol(person, in: study).status == 201) }
        #expect(desk.answer("wellbeing-5", in: study, as: .quinn, Self.sheet(5)).status == 201)
        let none = portal.get("/my/results", as: .pia).text
        #expect(!none.contains("Im Vergleich mit anderen"))
        #expect(desk.answer("wellbeing-5", in: study, as: .pia, Self.sheet(1)).status == 201)
        let few = portal.get("/my/results", as: .pia).text
        #expect(few.contains("sobald mindestens 10 andere") && !few.contains("own-course__box"))
        #expect(few.contains("Ihr Mittel: 20 (1 ausgefüllter Fragebogen)."))
        try desk.plantOthers(9, in: study) { _ in 100 }
        let many = portal.get("/my/results", as: .pia).text
        #expect(many.contains("own-course__box") && many.contains("Mittlere Hälfte von 10 anderen"))
        #expect(many.contains("Ihr Mittel liegt unter dem der mittleren Hälfte der anderen."))
        let told = portal.call(.get, "/my/feedback", as: .pia).list.first?["attributes"]
        #expect(told?["distribution"]?["participants"] == .number(10))
    }
}
