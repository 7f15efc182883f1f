import HTTP
import JSON
import Scheduling
import Testing
import Wire

@testable import Database
@testable import PortalTesting
@testable import Records
@testable import Studies
@testable import Wearables
@testable import Web

/// FD-19: the tick for a study is the yes to it, under the sentence that says so.
@Suite struct StudyTickTests {
    let desk: StudyDesk
    let portal: TestPortal
    let study: String

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        study = desk.begin(#"{"measurements": ["steps", "sleep"]}"#)
    }

    private func rows(_ format: String) throws -> [[String]] { try desk.rows(study, format) }

    private var today: LocalDate { LocalTime(portal.now, Zone("Europe/Vienna")).date }

    /// A yes to no research at all, and a tick for this study.
    private func enrolWithoutResearch() throws {
        #expect(portal.change(.put, "/my/privacy", #"{"research_consent": false}"#, as: .pia).status == 200)
        portal.wait(seconds: 60)
        let enrolled = desk.enrol(.pia, in: study, #"{"consent_accepted": true, "measurements": ["steps"]}"#)
        #expect(enrolled.status == 201, "\(enrolled.text)")
    }

    /// As a folder of before knows it.
    private func makeEarlier() throws {
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            try connection.run("UPDATE enrolments SET measurements_sentence = 1, measurements_at = NULL")
            try connection.run("DELETE FROM enrolment_choices")
        }
    }

    private func notices() -> [String] {
        portal.call(.get, "/my/notices", as: .pia).list.compactMap { $0["attributes"]?["text"]?.string }
    }

    @Test func `FD-19 a tick is the yes: it is told without consent to research, and nothing else is`() throws
    {
        try enrolWithoutResearch()
        let wire = portal.call(.get, "/studies/\(study)/enrolment", as: .pia).attributes
        #expect(
            wire["measurements_at"]?.string == portal.now.text && wire["measurements_version"] == .number(2))
        let first = today
        try portal.wait(awake: 3)
        desk.day("steps", first.adding(days: 1), "healthkit", total: 6_000)
        desk.day("heart_rate", first.adding(days: 1), "healthkit", total: 70)
        #expect(try rows("measurements").map { $0[1] } == ["steps"])
        #expect(try desk.export(study, "open-mhealth").array?.count == 1)
        for format in ["listening", "matches", "therapy"] { #expect(try rows(format).isEmpty, "\(format)") }
        let page = portal.get("/studies/\(study)", as: .lena).text
        #expect(page.contains("Messwerte, die Teilnehmende geben") && page.contains("<dd>1 Person</dd>"))
        // A no to research that comes later is one to this study, too.
        #expect(portal.change(.put, "/my/privacy", #"{"research_consent": true}"#, as: .pia).status == 200)
        #expect(portal.change(.put, "/my/privacy", #"{"research_consent": false}"#, as: .pia).status == 200)
        #expect(try rows("measurements").isEmpty)
    }

    @Test func `FD-19 ticks of before stay bound to research, and the person is asked once`() throws {
        try enrolWithoutResearch()
        try makeEarlier()
        let first = today
        try portal.wait(awake: 3)
        desk.day("steps", first.adding(days: 1), "healthkit", total: 6_000)
        #expect(try rows("measurements").isEmpty)
        for _ in 0..<3 {
            try EarlierTicks.ask(portal.services)
            portal.wait(seconds: 60)
        }
        #expect(notices().count == 1 && notices()[0].contains("Stress im Alltag"))
        #expect(portal.get("/my", as: .pia).text.contains("/my/studies/\(study)/measurements"))
        let lead = portal.get("/studies/\(study)", as: .lena).text
        #expect(lead.contains("1 Person hat unter einem früheren Satz angekreuzt"))
        let page = portal.get("/my/studies/\(study)/measurements", as: .pia).text
        #expect(page.contains("Bisher angekreuzt: Schritte") && !page.contains(" checked"))
        // Looking is no answer.
        #expect(try rows("measurements").isEmpty)
        let saved = portal.post("/my/studies/\(study)/measurements", [("measure_steps", "true")], as: .pia)
        #expect(saved.status == 303)
        #expect(try rows("measurements").count == 1)
        #expect(!portal.get("/my", as: .pia).text.contains("/measurements"))
        #expect(!portal.get("/studies/\(study)", as: .lena).text.contains("unter einem früheren Satz"))
        try EarlierTicks.ask(portal.services)
        #expect(notices().count == 1)
    }

    @Test func `LF-3 the page and the own copy say what is given, since when and under which sentence`()
        throws
    {
        let path = "/my/studies/\(study)/measurements"
        #expect(desk.enrol(.pia, in: study).status == 201)
        #expect(!portal.get(path, as: .pia).text.contains("Sie haben angekreuzt"))
        let ticked = portal.now
        #expect(portal.post(path, [("measure_steps", "true")], as: .pia).status == 303)
        try portal.wait(awake: 1)
        let page = portal.get(path, as: .pia).text
        let words = "Das Häkchen ist Ihre Zustimmung dazu, auch wenn Sie der Forschung sonst nicht zustimmen."
        #expect(page.contains("Sie haben angekreuzt: Schritte (seit 20.11.2026, "), "\(page)")
        // Among the points, and as the sentence of the choice.
        #expect(page.ranges(of: words).count == 2, "\(page)")
        let copy = portal.call(.get, "/my/export", as: .pia).attributes["studies"]?.array ?? []
        let own = try #require(copy.first { $0["measurements"]?.array?.isEmpty == false })
        #expect(own["measurements"] == .array([.string("steps")]))
        #expect(own["measurements_at"]?.string == ticked.text)
        #expect(own["measurements_version"] == .number(2))
        #expect(own["measurements_sentence"]?.string?.contains(words) == true)
        try makeEarlier()
        let earlier = portal.get(path, as: .pia).text
        #expect(earlier.contains("Schritte (seit wann, ist nicht vermerkt)"), "\(earlier)")
        #expect(earlier.contains("„Es geht um ganze Tage aus der Zeit Ihrer Teilnahme, und nur solange"))
        #expect(portal.post(path, [], as: .pia).status == 303)
        #expect(portal.get(path, as: .pia).text.contains("Sie geben dieser Studie keine Messwerte (seit "))
    }

    @Test
    func `FD-19 a tick of before counts with consent to research, and is not asked for where it is none`()
        throws
    {
        let enrolled = desk.enrol(.pia, in: study, #"{"consent_accepted": true, "measurements": ["steps"]}"#)
        #expect(enrolled.status == 201)
        #expect(desk.enrol(.quinn, in: study).status == 201)
        try makeEarlier()
        let first = today
        try portal.wait(awake: 3)
        desk.day("steps", first.adding(days: 1), "healthkit", total: 6_000)
        // Research as a whole is an answer, as the sentence of before said.
        #expect(portal.change(.put, "/my/privacy", #"{"research_consent": true}"#, as: .pia).status == 200)
        #expect(try rows("measurements").count == 1)
        try EarlierTicks.ask(portal.services)
        #expect(notices().count == 1)
        #expect(portal.call(.get, "/my/notices", as: .quinn).list.isEmpty)
    }
}
