import Foundation
import HTTP
import JSON
import Records
import Testing
import Wire

@testable import Clinic
@testable import Contributions
@testable import Portal
@testable import PortalTesting
@testable import Therapies

/// PR-4 and PR-5: one scale at a time, and figures that claim no unknown values.
@Suite struct ScaleTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }
    var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }
    var page: String { portal.get("/patients/\(pia)/scales/between-sessions/intensity", as: .ada).text }

    /// Assigns and answers the shipped questionnaire once more.
    func answer(_ number: Int, at day: String, _ values: [Int]) throws {
        let keys = ["came_back", "hard_moment", "dream", "inner_talk", "tried_out", "looked_ahead"]
        let answers = zip(keys, values).map { "\"\($0)\": \($1)" }.joined(separator: ", ")
        let assigned = portal.call(
            .post, "/patients/\(pia)/assignments",
            #"{"questionnaire_key": "between-sessions", "available_from": "2026-11-19T08:00:00Z", "due_at": "2026-11-30T08:00:00Z"}"#,
            as: .ada)
        #expect(assigned.status == 201)
        let body =
            #"{"assignment_id": "\#(assigned.id)", "started_at": "2026-11-\#(day)T08:00:00Z", "completed_at": "2026-11-\#(day)T08:05:00Z", "timezone": "Europe/Vienna", "answers": {\#(answers), "lighter": 3, "heavier": 1}}"#
        let id = "5a1c9a0e-98a5-4a9f-8d3e-00000000020\(number)"
        #expect(portal.call(.put, "/my/contributions/\(id)", body, as: .pia).status == 201)
    }

    @Test func `PR-4 value, range, direction, changes, items by time and the formula stand on one page`()
        throws
    {
        try portal.wait(awake: 3)
        try answer(1, at: "21", [4, 4, 0, 4, 4, 4])
        #expect(page.contains("<h1>Intensität</h1>"))
        #expect(page.contains("<strong class=\"scale__number\">3,3</strong> von 4"))
        // How it is judged opens in place, and stands below the table as well.
        let how = "Zu diesem Instrument fehlen Reliabilität"
        #expect(page.contains("<details class=\"how\">") && page.contains("<p class=\"mute\">\(how)"))
        #expect(page.contains("seit Beginn") && page.contains("RC = ") == false)
        // Both sheets in columns, the newest answer bold and shaded by the question's own range.
        #expect(page.matches(of: /items__head"><a href/).count == 2)
        #expect(page.contains("items__cell--4 items__cell--last") && page.contains("gestiegen"))
        // The value is written at its point, the newest one apart from the others.
        #expect(page.matches(of: /chart__note--last"[^>]*>3,3</).count == 1)
        #expect(page.contains("data-readings="))
    }

    @Test func `PR-4 every score leads to it: overview, list, briefing, sheet and timeline`() throws {
        let link = "/patients/\(pia)/scales/between-sessions/intensity"
        let sheets = portal.call(.get, "/patients/\(pia)/contributions", as: .ada).list
        let sheet = try #require(sheets.first?["id"]?.string)
        for path in [
            "/patients/\(pia)", "/patients", "/patients/\(pia)/briefing", "/patients/\(pia)/timeline",
            "/patients/\(pia)/contributions/\(sheet)",
        ] {
            #expect(portal.get(path, as: .ada).text.contains("href=\"\(link)\""), "\(path)")
        }
        let overview = portal.get("/patients/\(pia)", as: .ada).text
        #expect(overview.contains("<span class=\"card__range\">von 4</span>"))
    }

    @Test func `PR-4 what there is no sheet of is not found, nor somebody else's`() {
        for path in ["between-sessions/none", "none/intensity", "wellbeing-5/wellbeing"] {
            #expect(portal.get("/patients/\(pia)/scales/\(path)", as: .ada).status == 404, "\(path)")
        }
        #expect(portal.get("/patients/\(pia)/scales/between-sessions/intensity", as: .ben).status == 404)
        let beside = portal.get("/patients/\(pia)/scales/between-sessions/intensity?with=x/y", as: .ada)
        #expect(beside.status == 200)
    }

    @Test func `PR-4 two scales over one time`() throws {
        let beside = portal.get(
            "/patients/\(pia)/scales/between-sessions/intensity?with=between-sessions/positive", as: .ada)
        #expect(beside.text.matches(of: /<figure class="chart chart--scale/).count == 2)
        #expect(page.matches(of: /<figure class="chart chart--scale/).count == 1)
    }

    @Test func `FD-47 two years say their years, numbers stand apart, and columns of another year are told`()
        throws
    {
        for week in 1...90 {
            let start = portal.now.adding(days: Int64(-7 * week))
            let body =
                #"{"starts_at": "\#(start.text)", "ends_at": "\#(start.adding(seconds: 3000).text)"}"#
            #expect(portal.call(.post, "/patients/\(pia)/sessions", body, as: .ada).status == 201)
        }
        let days = page.matches(of: /class="chart__day[^>]*>([^<]*)</).map { String($0.1) }
        #expect(
            days.count > 3 && days.contains { $0.hasSuffix(".2025") }
                && days.contains { $0.hasSuffix(".2026") })
        // Within a year the year is said once by those that are shown on small screens, and once by all.
        #expect(days.count { $0.hasSuffix(".2026") } <= 2)
        let numbers = page.matches(of: /<text x="([0-9.]+)%" y="16"/).compactMap { Double($0.1) }
        #expect(numbers.count > 10 && numbers == numbers.sorted())
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 - $0 >= 4.9 }, "\(numbers)")
        try portal.wait(awake: 50)
        let head = page.matches(of: /items__head"><a href="[^"]*">([^<]*)</).map { String($0.1) }
        #expect(!head.isEmpty && head[0].hasSuffix("2026"), "\(head)")
    }

    // MARK: Figures

    @Test func `PR-5 a line breaks where values are missing for longer than twice the usual distance`() throws
    {
        let begin = try #require(Instant("2026-09-01T08:00:00Z"))
        let runs = { (days: [Int64]) in ScaleSeries.runs(days.map { begin.adding(days: $0) }).map(\.count) }
        #expect(runs([0, 7, 14, 21]) == [4])
        #expect(runs([0, 7, 14, 28]) == [4])
        #expect(runs([0, 7, 14, 29, 36]) == [3, 2])
        #expect(runs([0, 300]) == [2])
        #expect(runs([]).isEmpty && runs([0]) == [1])
    }

    @Test func `PR-5 dates below are days, Mondays or firsts of a month`() throws {
        let first = try #require(LocalDate("2026-09-02"))
        let ticks = { (days: Int) in
            Charting.ticks(from: first, to: first.adding(days: days), most: 8)
        }
        #expect(ticks(6).count == 7)
        for days in [8, 30, 75, 120, 300] {
            #expect(
                ticks(days).allSatisfy { $0.weekday == 1 } && (1...9).contains(ticks(days).count), "\(days)")
        }
        for days in [400, 800, 1900, 5000] {
            #expect(ticks(days).allSatisfy { $0.day == 1 } && (1...9).contains(ticks(days).count), "\(days)")
        }
    }

    @Test func `PR-4 shades follow what can be answered, and only long steps are pointed out`() {
        #expect(ItemReader.shade(0, in: 0...4) == 0 && ItemReader.shade(4, in: 0...4) == 4)
        #expect(ItemReader.shade(50, in: 0...100) == 2 && ItemReader.shade(9, in: nil) == 0)
        #expect(
            ItemReader.hasRisen([3, 0], in: 0...4) == false && ItemReader.hasRisen([0, 2], in: 0...4) == true)
        #expect(
            ItemReader.hasRisen([3, 2], in: 0...4) == nil && ItemReader.hasRisen([nil, 4], in: 0...4) == nil)
        #expect(
            ItemReader.hasRisen([4, nil, 1], in: 0...4) == false
                && ItemReader.hasRisen([0, 1], in: 0...1) == nil)
        #expect(ItemReader.hasRisen([10, 40], in: 0...100) == nil)
    }
}
