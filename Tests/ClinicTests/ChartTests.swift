import Database
import Foundation
import HTTP
import Testing
import Wire

@testable import Clinic
@testable import Contributions
@testable import PortalTesting
@testable import Questionnaires
@testable import Records
@testable import Scheduling
@testable import Therapies
@testable import Web

/// What figures are drawn from: axes, paths, means with their gaps.
@Suite struct ChartTests {
    static let begin = Instant("2026-09-07T08:00:00Z")!
    let vienna = Zone("Europe/Vienna")

    func at(_ days: Double) -> Instant { Self.begin.adding(seconds: Int64(days * 86_400)) }

    // MARK: Axes

    @Test func `time runs from left to right, and what lies outside stands at the edge`() {
        let axis = TimeAxis(from: at(0), to: at(10))
        #expect(axis.x(at(0)) == 0 && axis.x(at(5)) == 500 && axis.x(at(10)) == 1000)
        #expect(axis.x(at(-3)) == 0 && axis.x(at(30)) == 1000)
        #expect(axis.percent(at(5)) == "50.0%" && axis.percent(at(3.33)) == "33.3%")
        #expect(axis.holds(at(10)) && !axis.holds(at(10.1)))
        #expect(TimeAxis(from: at(1), to: at(1)).days == 1)
    }

    @Test func `values run from bottom to top with room for a mark at the edge`() {
        let axis = ValueAxis(low: 1, high: 5, height: 96)
        #expect(axis.y(5) == 6 && axis.y(1) == 90 && axis.y(3) == 48)
        #expect(axis.y(9) == 6 && axis.y(-9) == 90)
        #expect(ValueAxis(low: 2, high: 2, height: 96).y(2) == 48)
    }

    @Test func `paths are short: whole units, dots without length`() {
        var path = PathText()
        path.dot(10.4, 20.6)
        path.line([(0, 1), (2.5, 3)])
        path.bar(10, 50, width: 0.2, to: 90)
        path.dot(7, 90)
        #expect(path.text == "M10 21h0M0 1l3 2m7 87v-40h1v40zm-3 0h0")
    }

    @Test func `days, weeks from Monday on, or months, as long as the time is`() {
        let unit = { (days: Double) in Buckets(TimeAxis(from: at(0), to: at(days)), vienna).unit }
        #expect(unit(7) == .day && unit(100) == .day && unit(101) == .week && unit(801) == .month)
        let weeks = Buckets(TimeAxis(from: at(0), to: at(200)), vienna)
        // Monday, 7 September 2026.
        #expect(weeks.begin(of: at(6)).text == "2026-09-07" && weeks.begin(of: at(7)).text == "2026-09-14")
        let span = weeks.span(LocalDate("2026-10-19")!)
        // The clocks are put back in it.
        #expect(span.to.seconds - span.from.seconds == 7 * 86_400 + 3600)
        let months = Buckets(TimeAxis(from: at(0), to: at(2000)), vienna)
        #expect(
            months.span(LocalDate("2027-02-01")!).to
                == vienna.instant(LocalDate("2027-03-01")!, hour: 0, minute: 0))
    }

    // MARK: Means

    func series(_ values: [(Double, Double?)]) -> DailySeries {
        DailySeries(values.map { .init(at: at($0.0), thought: $0.1 != nil, feeling: $0.1) })
    }

    @Test func `a mean counts only those who thought of it, and says how many`() {
        let mean = DailySeries.feeling(series([(1, 2), (2, nil), (3, 5)]).answers)
        #expect(mean?.mean == 3.5 && mean?.n == 2)
        #expect(DailySeries.feeling(series([(1, nil)]).answers) == nil)
    }

    @Test func `the line over seven days breaks where fewer than three answered, and is not bridged`() {
        let values =
            [0.5, 1.0, 1.5, 2.0].map { ($0, Optional(4.0)) } + [30.0, 30.5, 31].map { ($0, Optional(2.0)) }
        let lines = series(values).movingMean(
            TimeAxis(from: at(0), to: at(40)), until: at(40), steps: 400)
        #expect(lines.count == 2)
        #expect(lines[0].allSatisfy { $0.mean == 4 } && lines[1].allSatisfy { $0.mean == 2 })
        // From the third answer on, and until only two of the last seven days are left.
        #expect(lines[0].first?.at == at(1.5) && (lines[0].last?.at ?? at(0)) < at(8.1))
        #expect(
            series([(1, 3), (2, 3)]).movingMean(TimeAxis(from: at(0), to: at(9)), until: at(9), steps: 90)
                .isEmpty)
        // The future has no mean.
        let cut = series(values).movingMean(TimeAxis(from: at(0), to: at(40)), until: at(3), steps: 400)
        #expect(cut.count == 1 && cut[0].last?.at == at(3))
    }

    @Test func `a stretch holds what lies in it, its end not`() {
        let all = series([(1, 1), (2, 2), (3, 3)])
        #expect(all.between(at(1), at(3)).map(\.feeling) == [1, 2])
        #expect(all.between(at(5), at(2)).isEmpty)
    }

    @Test func `days since a session are calendar days, late ones together, those before the first left out`()
    {
        let starts = [at(0), at(7)]
        let day = { (days: Double) in DayCharting.day(of: at(days), after: starts, vienna) }
        #expect(
            day(-1) == nil && day(0) == 0 && day(0.9) == 1 && day(6.9) == 7 && day(7) == 0 && day(60) == 14)
    }

    // MARK: Verdicts

    func scale(worse: Bool?, cutoff: Double?, figures: Bool = true) -> Scale {
        Scale(
            key: "s", title: .init(translations: [("de", "S")]), method: .sum, items: ["a"], reversed: [],
            factor: 1, isPercent: false, minimumAnswered: nil, range: 0...100, higherIsWorse: worse,
            cutoff: cutoff, reliability: figures ? 0.8 : nil, standardDeviation: figures ? 7.5 : nil)
    }

    @Test func `classes after Jacobson and Truax: the criterion of the vector is 9.297 points`() {
        let better = scale(worse: false, cutoff: 50)
        let verdict = { (scale: Scale, first: Double, last: Double) in
            ClinicalChange(scale, from: first, to: last)
        }
        #expect(verdict(better, 32.5, 47.5) == .improved)
        #expect(verdict(better, 45, 54.4) == .recovered && verdict(better, 45, 54.2) == .unchanged)
        // Healthy already at the begin: that cannot become a recovery.
        #expect(verdict(better, 55, 70) == .improved)
        #expect(verdict(better, 60, 50) == .deteriorated)
        // At the cut-off is not past it.
        #expect(verdict(better, 40, 50) == .improved)
        let worse = scale(worse: true, cutoff: 50)
        #expect(verdict(worse, 60, 49) == .recovered && verdict(worse, 40, 60) == .deteriorated)
        #expect(verdict(scale(worse: true, cutoff: nil), 60, 49) == .improved)
        // At the cut-off but for the last bit is not across it.
        #expect(verdict(worse, 65, 50 - 1e-12) == .improved && verdict(worse, 65, 49.9) == .recovered)
        #expect(verdict(scale(worse: nil, cutoff: 50), 60, 40) == nil)
        #expect(verdict(scale(worse: true, cutoff: 50, figures: false), 60, 40) == nil)
    }
}

/// The pages that therapists read before a session.
@Suite struct BriefingTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }
    var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }

    /// Three days of dailies, the first half with a thought.
    func addDailies() throws {
        let questionnaire = try portal.publish("intersession-daily")
        for number in 0..<9 {
            let from = portal.now.adding(days: -3).adding(seconds: Int64(number) * 21_600)
            let answers = number < 5 ? #"{"thought": 1, "feeling": \#(2 + number % 3)}"# : #"{"thought": 0}"#
            let body =
                #"{"daily": {"questionnaire_id": "\#(questionnaire)", "available_from": "\#(from.text)", "due_at": "\#(from.adding(seconds: 1800).text)"}, "started_at": "\#(from.text)", "completed_at": "\#(from.adding(seconds: 60).text)", "timezone": "Europe/Vienna", "answers": \#(answers)}"#
            let id = "5a1c9a0e-98a5-4a9f-8d3e-00000000010\(number)"
            _ = portal.call(.put, "/my/contributions/\(id)", body, as: .pia)
        }
    }

    @Test func `the timeline shows figures on one axis, each with its table, and zooms by links`() throws {
        try addDailies()
        let page = portal.get("/patients/\(pia)/timeline", as: .ada).text
        #expect(page.contains("chart--mood") && page.contains("chart--thoughts"))
        #expect(
            page.contains("chart--scale-between-sessions-intensity") && page.contains("chart--interventions"))
        // One table of values for the whole card, figure by figure (PR-5).
        #expect(page.matches(of: /<details class="chart__table">/).count == 1)
        #expect(page.matches(of: /<caption>/).count == 4)
        // The dots of the answers with a thought that count, and none for the others.
        let dots = try #require(page.firstMatch(of: /class="chart__dots" d="([^"]*)"/)).1
        #expect(dots.matches(of: /h0/).count >= 3)
        for zoom in ["week", "interval", "days"] {
            #expect(page.contains("timeline?zoom=\(zoom)"))
            let zoomed = portal.get("/patients/\(pia)/timeline?zoom=\(zoom)&kind=session", as: .ada)
            #expect(zoomed.status == 200 && zoomed.text.contains("zoom=\(zoom)&amp;kind=daily"))
        }
        #expect(portal.get("/patients/\(pia)/timeline?zoom=century", as: .ada).status == 200)
    }

    @Test func `without a daily answer the figure says so instead of drawing an empty frame`() throws {
        let page = portal.get("/patients/\(pia)/timeline", as: .ada).text
        #expect(page.contains("In diesem Zeitraum gibt es dazu keine Antworten."))
        #expect(!page.contains("chart--thoughts"))
    }

    @Test func `the briefing counts what happened since the last session and says what it rests on`() throws {
        try addDailies()
        let page = portal.get("/patients/\(pia)/briefing", as: .ada).text
        #expect(page.contains("C000001") && page.contains("Seit der letzten Sitzung, 4 Tage"))
        #expect(page.contains("Zwischen den Sitzungen, kurz · Intensität") && page.contains("erster Wert"))
        #expect(page.contains("Achten Sie auf den Weg.") && page.contains("Erzeugt 20.11.2026, 10:00"))
    }

    @Test func `own questions are kept until they change, sealed, and no other therapist's`() throws {
        let path = "/patients/\(pia)/briefing"
        let saved = portal.post(path, [("questions", "Bruder?\nSchlaf")], as: .ada)
        #expect(saved.status == 303)
        let page = portal.get(path, as: .ada).text
        #expect(page.contains("<li>Bruder?</li>") && page.contains("<li>Schlaf</li>"))
        #expect(page.contains("Ihre Notiz vom 20.11.2026"))
        let stored: [[UInt8]] = try portal.services.records.read { connection in
            try connection.all("SELECT words FROM briefing_questions") { try $0[0] }
        }
        #expect(stored.count == 1 && !String(decoding: stored[0], as: UTF8.self).contains("Bruder"))
        #expect(try portal.audit().contains("briefing.noted"))
        #expect(!portal.call(.get, "/my/export", as: .pia).text.contains("Bruder"))
        let long = portal.post(path, [("questions", String(repeating: "x", count: 2001))], as: .ada)
        #expect(long.status == 422 && long.text.contains("xxx"))
        #expect(portal.post(path, [("questions", "")], as: .ada).status == 303)
        #expect(try portal.count("briefing_questions") == 0)
    }

    @Test func `two intervals stand side by side, and nonsense in the address falls back to the last two`()
        throws
    {
        try addDailies()
        let page = portal.get("/patients/\(pia)/comparison", as: .ada).text
        #expect(page.contains("Vor Sitzung 1") && page.contains("Seit Sitzung 1"))
        let row = try #require(
            page.firstMatch(of: /Intensität<\/th><td[^>]*>([^<]*)<\/td><td[^>]*>([^<]*)<\/td>/))
        #expect(row.1 == "–" && row.2 == "2 (Di 17.11.)")
        let same = portal.get("/patients/\(pia)/comparison?first=99&second=x", as: .ada).text
        #expect(same.contains("Seit Sitzung 1"))
        let turned = portal.get("/patients/\(pia)/comparison?first=1&second=0", as: .ada).text
        #expect(
            turned.firstMatch(of: /Intensität<\/th><td[^>]*>2 \(Di 17.11.\)<\/td><td[^>]*>–<\/td>/) != nil)
    }

    @Test
    func `today tells of a session in two lines and its menu, and of whom nothing was heard for a week`()
        throws
    {
        let start = portal.now.adding(seconds: 7200)
        let session = #"{"starts_at": "\#(start.text)", "ends_at": "\#(start.adding(seconds: 3000).text)"}"#
        #expect(portal.call(.post, "/patients/\(pia)/sessions", session, as: .ada).status == 201)
        let page = portal.get("/", as: .ada).text
        #expect(
            page.contains(
                /Intensität<\/a> <span class="mute">Zwischen den Sitzungen, kurz<\/span><\/p>\s*<div class="visit__value"><p><strong>2 von 4<\/strong>/
            ))
        #expect(
            page.contains("1 neuer Fragebogen") && page.contains("offen: Zwischen den Sitzungen, kurz bis"))
        #expect(page.contains("/patients/\(pia)/briefing"))
        try portal.wait(awake: 20)
        let later = portal.get("/", as: .ada).text
        #expect(
            later.contains("Länger keine Rückmeldung")
                && later.contains("seit 48 Tagen keine Rückmeldung"))
    }
}

/// The course of a lead scale in the list of patients.
@Suite struct CourseTests {
    @Test func `the list shows the newest value of the lead scale, and from the second value on the change`()
        throws
    {
        let portal = try TestPortal()
        let row = { () -> String in
            let page = portal.get("/patients", as: .ada).text
            return String(page.components(separatedBy: "C000001").last?.prefix(1500) ?? "")
        }
        #expect(
            row().contains("Intensität</a> <span class=\"whole\"><strong>2</strong>")
                && !row().contains("2 → "))
        let questions = [
            "came_back", "hard_moment", "dream", "inner_talk", "tried_out", "looked_ahead", "lighter",
            "heavier",
        ].map { "\"\($0)\": 4" }.joined(separator: ", ")
        let body =
            #"{"assignment_id": "\#(portal.cast.assignment)", "started_at": "\#(portal.now.text)", "completed_at": "\#(portal.now.text)", "timezone": "Europe/Vienna", "answers": {\#(questions)}}"#
        let id = "5a1c9a0e-98a5-4a9f-8d3e-000000000201"
        #expect(portal.call(.put, "/my/contributions/\(id)", body, as: .pia).status == 201)
        #expect(
            row().contains("Intensität</a> <span class=\"whole\"><strong>4</strong>")
                && row().contains("2 → 4"))
        // Other therapists' patients are not in it.
        #expect(!portal.get("/patients", as: .ben).text.contains("2 → 4"))
    }
}
