import Foundation
import HTTP
import Scheduling
import Testing
import Wire
import Wording

@testable import PortalTesting
@testable import Research
@testable import Studies
@testable import Web

/// ST-1: the whole course of a participant as a picture, before the first one enrols.
@Suite struct CoursePictureTests {
    private static let points = """
        {"time_points": [
            {"key": "phase", "title": {"de": "Intensiv"}, "anchor": "enrolment", "day": 1, "after": 13},
            {"key": "t1", "title": {"de": "Nach drei Monaten"}, "anchor": "enrolment", "day": 90, "before": 7, "after": 7},
            {"key": "visit", "title": {"de": "Besuch"}, "anchor": "lead", "day": 0, "before": 2, "after": 3}]}
        """

    private func study(_ portal: TestPortal, _ more: String = "") throws -> (id: String, desk: StudyDesk) {
        let desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        return (desk.begin(Self.points), desk)
    }

    /// The rows of the tables behind the figures, as `questionnaire: days = prompts`.
    private func rows(_ page: String) -> [String] {
        let plain = { (text: Substring) in String(text).replacing(/<[^>]*>/, with: "") }
        return page.matches(
            of: /<table class="table">\s*<caption>(.*?)<\/caption>.*?<\/table>/.dotMatchesNewlines()
        ).flatMap {
            table in
            table.0.matches(of: /<tr><th scope="row">(.*?)<\/th><td>(.*?)<\/td>/).map { row in
                "\(plain(table.1)): \(plain(row.1)) = \(plain(row.2))"
            }
        }
    }

    @Test func `ST-1 each questionnaire over the days, and dates known later by themselves`() throws {
        let portal = try TestPortal()
        let (study, desk) = try study(portal)
        let path = "/studies/\(study)/questionnaires"
        #expect(!portal.get(path, as: .lena).text.contains("Der ganze Verlauf"))
        _ = desk.add(
            "wellbeing-5", to: study, #", "time_point": "phase""# + StudyDesk.daily("12:00", "18:00"))
        _ = desk.add("wellbeing-5", to: study, #", "time_point": "t1""#)
        _ = desk.add("wellbeing-5", to: study, #", "time_point": "visit""#)
        let page = portal.get(path, as: .lena).text
        #expect(page.contains("Der ganze Verlauf einer Teilnahme") && page.contains("Ab der Anmeldung"))
        #expect(page.contains("Ab dem Datum, das die Studienleitung für „Besuch“ einträgt"))
        let title = "Wohlbefinden"
        #expect(
            rows(page).map { $0.split(separator: ": ").last.map(String.init) ?? "" } == [
                "1 – 14 = 2", "90 = 1", "0 = 1",
            ], "\(rows(page)) \(title)")
        #expect(page.contains("28 Abfragen") && page.contains("1 Abfrage<"))
        // The study ends before what it plans: leads are told.
        let end = portal.now.adding(days: 60)
        let ended = portal.change(.patch, "/studies/\(study)", #"{"ends_at": "\#(end.text)"}"#, as: .lena)
        #expect(ended.status == 200, "\(ended.text)")
        #expect(portal.get(path, as: .lena).text.contains("Die Studie endet an Tag 60;"))
    }

    @Test func `ST-1 what never ends is drawn for four weeks, and what is asked at will as a line`() throws {
        let portal = try TestPortal()
        let desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study, StudyDesk.daily("12:00", startDay: 3))
        let page = portal.get("/studies/\(study)/questionnaires", as: .lena).text
        #expect(rows(page).first?.hasSuffix("3 – 27 = 1") == true, "\(rows(page))")
        #expect(page.contains("25 Abfragen in den gezeigten Tagen"))
        let other = desk.begin("", named: "andere")
        _ = desk.add("wellbeing-5", to: other)
        let free = portal.get("/studies/\(other)/questionnaires", as: .lena).text
        #expect(free.contains("chart__plan") && rows(free).isEmpty && !free.contains("chart__asks"))
    }

    /// A line of phases: no day is in two of them, and none in none.
    @Test func `ST-3 the plan is a line of phases`() throws {
        let portal = try TestPortal()
        let texts = portal.services.texts(.german)
        let named = { (points: [(String, ClosedRange<Int>)]) in
            StudyStanding.plan(points.map { (title: $0.0, days: $0.1) }, texts).map {
                "\($0.0) \($0.1.lowerBound)..\($0.1.upperBound == .max ? "" : String($0.1.upperBound))"
            }
        }
        #expect(
            named([("A", 0...0), ("B", 1...14), ("C", 83...97)]) == [
                "A 0..1", "B 1..15", "bis „C“ 15..83", "C 83..98", "nach „C“ 98..",
            ])
        // The later one ends the earlier; one that lies within another is left out once its days are over.
        #expect(named([("A", 0...20), ("B", 10...30)]) == ["A 0..10", "B 10..31", "nach „B“ 31.."])
        #expect(named([("A", -5...3), ("B", -4...(-2))]).first == "A 0..4")
        // One within another interrupts it.
        #expect(
            named([("A", 1...90), ("B", 25...31)]) == [
                "bis „A“ 0..1", "A 1..25", "B 25..32", "A 32..91", "nach „A“ 91..",
            ])
        #expect(named([("A", -9...(-2))]).isEmpty)
        // Of many each takes the days before it.
        let many = (0..<8).map { ("T\($0)", $0 * 10...($0 * 10 + 2)) }
        #expect(named(many).count == 9 && named(many)[1] == "T1 3..13")
    }
}
