import Database
import Foundation
import HTTP
import JSON
import Scheduling
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Research
@testable import Studies
@testable import Web

/// ST-10, IO-20: what an archive says of participants and their therapies beside answers.
@Suite struct ArchiveTests {
    let portal: TestPortal
    let desk: StudyDesk
    let life: TherapyLife
    /// Of the daily questionnaire.
    let version: String

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        life = TherapyLife(portal: portal)
        try portal.publish("wellbeing-5")
        version = try portal.publish("intersession-daily")
    }

    /// The rows of a table, by their columns.
    func rows(_ study: String, _ format: String) throws -> [[String: String]] {
        let lines = try desk.text(study, format).replacing("\u{FEFF}", with: "").split(separator: "\r\n")
        let cells = { (line: Substring) in
            line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let columns = lines.first.map(cells) ?? []
        return lines.dropFirst().map { line in
            Dictionary(uniqueKeysWithValues: zip(columns, cells(line)))
        }
    }

    @Test func `ST-10 of what comes after the end of the study nothing is told`() throws {
        life.agree(.pia, true)
        let study = desk.begin()
        #expect(desk.enrol(.pia, in: study).status == 201)
        _ = life.give("task", "Vorher", to: .pia, by: .ada)
        let end = #"{"ends_at": "\#(portal.now.adding(seconds: 600).text)"}"#
        #expect(portal.change(.patch, "/studies/\(study)", end, as: .lena).status == 200)
        portal.wait(seconds: 900)
        _ = life.give("question", "Nachher", to: .pia, by: .ada)
        #expect(try rows(study, "interventions").map { $0["kind"] } == ["task"])
    }

    @Test func `IO-20 a yes to research after leaving opens nothing of what was left`() throws {
        life.agree(.pia, false)
        let study = desk.begin()
        #expect(desk.enrol(.pia, in: study).status == 201)
        _ = life.give("task", "Vorher", to: .pia, by: .ada)
        portal.wait(seconds: 60)
        #expect(portal.call(.delete, "/studies/\(study)/enrolment", as: .pia).status == 204)
        life.agree(.pia, true)
        #expect(try rows(study, "interventions").isEmpty)
        #expect(try rows(study, "participants").map { $0["research_consent"] } == ["0"])
    }

    @Test
    func `ST-10 interventions are told with their moments, from the participation on and never with words`()
        throws
    {
        life.agree(.pia, true)
        let study = desk.begin()
        #expect(desk.enrol(.pia, in: study).status == 201)
        let given = life.give("task", "Kanarienvogel", to: .pia, by: .ada)
        let kept = life.give("question", "Kanarienhahn", to: .pia, by: .ada)
        let gone = life.give("commendation", "Kanarienhenne", to: .pia, by: .ada)
        portal.wait(seconds: 60)
        let opened = portal.now
        life.report(#"{"opened_at": "\#(opened.text)"}"#, on: given, as: .pia)
        portal.wait(seconds: 60)
        let completed = portal.now
        life.report(#"{"completed_at": "\#(completed.text)"}"#, on: given, as: .pia)
        let path = "/patients/\(portal.cast.therapies[.pia] ?? "")/interventions/"
        #expect(portal.change(.delete, path + gone, as: .ada).status == 204)
        let told = try rows(study, "interventions")
        // The one that was given before enrolling is none of the study's.
        #expect(told.map { $0["kind"] ?? "" }.sorted() == ["commendation", "question", "task"])
        let task = try #require(told.first { $0["kind"] == "task" })
        #expect(task["state"] == "completed" && task["source"] == "hand" && task["therapy"] == "1")
        #expect(Instant(task["opened_at"] ?? "")?.seconds == opened.seconds)
        #expect(Instant(task["completed_at"] ?? "")?.seconds == completed.seconds)
        #expect(task["text_id"]?.isEmpty == true)
        #expect(told.first { $0["kind"] == "question" }?["state"] == "new")
        #expect(told.first { $0["kind"] == "commendation" }?["state"] == "withdrawn")
        // Ids are those of the study, and the same in each export.
        let ids = Set(told.map { $0["intervention"] ?? "" })
        #expect(ids.count == 3 && ids.isDisjoint(with: [given, kept, gone]))
        #expect(try Set(rows(study, "interventions").map { $0["intervention"] ?? "" }) == ids)
        let other = desk.begin(named: "other-26")
        #expect(desk.enrol(.pia, in: other).status == 201)
        _ = life.give("task", "Kanarie", to: .pia, by: .ada)
        let elsewhere = try rows(other, "interventions").map { $0["intervention"] ?? "" }
        #expect(elsewhere.count == 1 && ids.isDisjoint(with: elsewhere))
        #expect(try rows(study, "interventions").count == 4)
    }

    @Test func `ST-10 dailies are told with their windows, answered or not, and count once`() throws {
        life.agree(.pia, true)
        let study = desk.begin()
        #expect(desk.enrol(.pia, in: study).status == 201)
        let plan = life.plan(of: .pia)
        let first = try #require(plan.first { $0.opens > portal.now })
        try life.wait(until: first.opens.adding(seconds: 60))
        life.answer(first.id, feeling: 4, as: .pia)
        let last = try #require(plan.last)
        try life.wait(until: last.closes.adding(seconds: -60))
        let told = try rows(study, "dailies")
        // Of the window that is open yet nothing is told.
        let asked = plan.filter { $0.opens >= Cast.now && $0.closes <= portal.now }
        #expect(told.map { $0["opens_at"] ?? "" } == asked.map(\.opens.text))
        let answered = told.filter { $0["state"] == "answered" }
        #expect(answered.count == 1 && answered.first?["opens_at"] == first.opens.text)
        #expect(answered.first?["score_thought"] == "1" && answered.first?["score_feeling"] == "4")
        #expect(answered.first?["origin"] == "planned" && answered.first?["counts"] == "1")
        #expect(told.allSatisfy { $0["state"] == "answered" || $0["completed_at"]?.isEmpty == true })
        #expect(told.allSatisfy { ["1", "2", "3"].contains($0["period"] ?? "") && $0["counts"] == "1" })
        try life.wait(until: last.closes.adding(seconds: 60))
        #expect(try rows(study, "dailies").count == asked.count + 1)
        // What phones have not fetched could not be seen.
        #expect(Set(told.map { $0["state"] ?? "" }).isSubset(of: ["answered", "missed", "unseen"]))
    }

    @Test func `ST-10 a window of the device's own covers the planned one of its part of the day`() throws {
        life.agree(.pia, true)
        let study = desk.begin()
        #expect(desk.enrol(.pia, in: study).status == 201)
        let plan = life.plan(of: .pia)
        // Far enough from the begin of its part of the day, which is one of three of four hours from eight on.
        let window = try #require(
            plan.first { one in
                let local = LocalTime(one.opens, Zone("Europe/Vienna"))
                return one.opens > portal.now.adding(seconds: 86_400)
                    && (local.hour * 60 + local.minute) % 240 > 40
            })
        let day = LocalTime(window.opens, Zone("Europe/Vienna")).date
        // Half an hour of the same part of the day, on a phone that has not heard of the plan.
        let begin = window.opens.adding(seconds: -1800)
        try life.wait(until: begin.adding(seconds: 60))
        let sent = portal.call(
            .put, "/my/contributions/\(UUID().uuidString.lowercased())",
            """
            {"daily": {"questionnaire_id": "\(version)", "available_from": "\(begin.text)",
             "due_at": "\(window.opens.text)"}, "started_at": "\(portal.now.text)",
             "completed_at": "\(portal.now.text)", "timezone": "Europe/Vienna", "answers": {"thought": 1, "feeling": 2}}
            """, as: .pia)
        #expect(sent.status == 201, "\(sent.text)")
        try life.wait(until: window.closes.adding(seconds: 60))
        let own = try rows(study, "dailies").filter { $0["day"] == day.text }
        let sheet = try #require(own.first { $0["origin"] == "own" })
        #expect(sheet["state"] == "answered" && sheet["counts"] == "1")
        let same = own.filter { $0["period"] == sheet["period"] }
        #expect(same.count == 2 && same.count { $0["counts"] == "1" } == 1)
        #expect(same.first { $0["origin"] == "planned" }?["state"] == "covered")
    }

    @Test(arguments: [false, true])
    func `ST-10 ST-1 days of sessions are told only where the consent text says so`(isTold: Bool) throws {
        life.agree(.pia, true)
        let study = desk.begin(isTold ? TherapyLife.eachSession : "")
        #expect(desk.enrol(.pia, in: study).status == 201)
        let held = try life.note(.pia, by: .ada, day: 21)
        let missed = try life.note(.pia, by: .ada, day: 22)
        _ = try life.note(.pia, by: .ada, day: 28)
        try portal.wait(awake: 3)
        life.mark(missed, of: .pia, by: .ada, as: "missed")
        let told = try rows(study, "sessions")
        #expect(told.map { $0["state"] } == ["held", "missed"])
        #expect(told.map { $0["number"] } == ["1", ""])
        #expect(told.map { $0["day"] } == (isTold ? ["2026-11-21", "2026-11-22"] : ["", ""]))
        // Of its time nothing is told in either case.
        #expect(try !desk.text(study, "sessions").contains("T09:00") && !held.isEmpty)
    }

    @Test func `ST-10 a pause is told as far as it was in force during the participation`() throws {
        life.agree(.pia, true)
        let study = desk.begin()
        #expect(desk.enrol(.pia, in: study).status == 201)
        let path = "/patients/\(portal.cast.therapies[.pia] ?? "")/pauses"
        let days = #"{"starts_on": "2026-11-20", "ends_on": "2026-11-30"}"#
        let pause = portal.call(.post, path, days, as: .ada)
        #expect(pause.status == 201)
        try portal.wait(awake: 3)
        let told = { try rows(study, "pauses").map { [$0["source"], $0["starts_on"], $0["ends_on"]] } }
        #expect(try told() == [["patient", "2026-11-20", "2026-11-23"]])
        #expect(portal.change(.delete, path + "/\(pause.id)", as: .ada).status == 204)
        try portal.wait(awake: 3)
        #expect(try told() == [["patient", "2026-11-20", "2026-11-23"]])
        #expect(portal.call(.delete, "/studies/\(study)/enrolment?data=keep", as: .pia).status == 204)
        try portal.wait(awake: 3)
        #expect(try told() == [["patient", "2026-11-20", "2026-11-23"]])
    }

    @Test func `ST-10 participants have a row each, with age and gender only where they consent to research`()
        throws
    {
        let study = desk.begin()
        life.agree(.pia, true)
        life.agree(.quinn, false)
        life.agree(.nora, false)
        for person in [Person.pia, .quinn, .nora] {
            #expect(desk.enrol(person, in: study).status == 201)
        }
        let told = try rows(study, "participants")
        #expect(told.count == 3)
        let pia = try #require(told.first { $0["therapies"] == "1" })
        #expect(pia["age_band"] == "35-44" && pia["gender"] == "female" && pia["research_consent"] == "1")
        #expect(pia["state"] == "enrolled" && pia["language"] == "de" && pia["source"] == "account")
        #expect(pia["timezone"] == "Europe/Vienna" && pia["consent_version"] == "1")
        let others = told.filter { $0["research_consent"] == "0" }
        #expect(others.count == 2)
        for one in others {
            #expect(["age_band", "gender", "therapies"].allSatisfy { one[$0]?.isEmpty == true })
        }
        #expect(try !desk.text(study, "participants").contains("1990"))
    }

    /// Whichever is drawn, it is one that waits.
    static let waiting = """
        {"allocation": "alternating", "size": 1, "sample_size": 4, "arms": [
            {"key": "soon", "title": {"de": "Bald"}, "interventions": false, "crosses_after_days": 5},
            {"key": "later", "title": {"de": "Später"}, "interventions": false, "crosses_after_days": 10}],
         "outcomes": [{"is_primary": true, "questionnaire_key": "wellbeing-5", "scale": "wellbeing", "day": 28}]}
        """

    @Test func `ST-10 ST-5 it is told since when a waiting list has interventions`() throws {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        let named = portal.change(.put, "/studies/\(study)/groups", Self.waiting, as: .lena)
        #expect(named.status == 200, "\(named.text)")
        #expect(desk.enrol(.pia, in: study).status == 201)
        let arm = try rows(study, "participants").first?["arm"]
        try portal.wait(awake: arm == "soon" ? 4 : 9)
        try GroupClock.run(portal.services)
        #expect(try rows(study, "participants").map { $0["crossed_at"] } == [""])
        try portal.wait(awake: 1)
        try GroupClock.run(portal.services)
        let told = try rows(study, "participants")
        // It stays in the group it was drawn for.
        #expect(told.map { $0["arm"] } == [arm])
        #expect(told.map { Instant($0["crossed_at"] ?? "")?.seconds } == [portal.now.seconds])
    }

    @Test(arguments: [
        ("2008-11-21", "0-17"), ("2008-11-20", "18-24"), ("2001-11-20", "25-34"), ("1991-11-21", "25-34"),
        ("1991-11-20", "35-44"), ("1951-11-21", "65-74"), ("1951-11-20", "75+"), ("1900-01-01", "75+"),
    ])
    func `ST-10 ages are bands`(birth: String, band: String) throws {
        let day = try #require(LocalDate("2026-11-20"))
        #expect(AgeBand.name(born: try #require(LocalDate(birth)), on: day) == band)
        #expect(AgeBand.name(born: day.adding(days: 1), on: day) == nil)
    }

    static let ofTherapy = ["therapy", "interventions", "sessions", "pauses", "dailies"]

    @Test
    func
        `IO-20 without consent to research no file has anything of the therapy, and it ends with the participation`()
        throws
    {
        let study = desk.begin(TherapyLife.eachSession)
        life.agree(.pia, false)
        #expect(desk.enrol(.pia, in: study).status == 201)
        try life.live(.pia, by: .ada)
        let counts = { try Self.ofTherapy.map { try rows(study, $0).count } }
        #expect(try counts() == [0, 0, 0, 0, 0])
        life.agree(.pia, true)
        let full = try counts()
        #expect(full.allSatisfy { $0 > 0 }, "\(full)")
        life.agree(.pia, false)
        // A no to research is a no to the study as well, until a new yes.
        #expect(try counts() == [0, 0, 0, 0, 0])
        #expect(try rows(study, "participants").isEmpty)
        life.agree(.pia, true)
        #expect(try counts() == full)
        #expect(portal.call(.delete, "/studies/\(study)/enrolment?data=keep", as: .pia).status == 204)
        portal.wait(seconds: 60)
        let left = try counts()
        _ = life.give("task", "Nachher", to: .pia, by: .ada)
        try life.live(.pia, by: .ada)
        #expect(try counts() == left)
        #expect(try rows(study, "participants").first?["state"] == "left")
        // Another study has had nothing of it.
        let other = desk.begin(named: "other-26")
        #expect(desk.enrol(.pia, in: other).status == 201)
        #expect(try Self.ofTherapy.map { try rows(other, $0).count } == [0, 0, 0, 0, 0])
    }

    @Test func `IO-20 a therapy that has ended is told to its end`() throws {
        let study = desk.begin(TherapyLife.eachSession)
        life.agree(.pia, true)
        #expect(desk.enrol(.pia, in: study).status == 201)
        try life.live(.pia, by: .ada)
        let before = try Self.ofTherapy.map { try rows(study, $0).count }
        let path = "/patients/\(portal.cast.therapies[.pia] ?? "")/therapy/end"
        #expect(portal.call(.post, path, "{}", as: .ada).status == 200)
        portal.wait(seconds: 60)
        #expect(try Self.ofTherapy.map { try rows(study, $0).count } == before)
    }

    @Test func `IO-13 IO-20 no text, note, name or address is in any file`() throws {
        let study = desk.begin(TherapyLife.eachSession)
        life.agree(.pia, true)
        #expect(desk.enrol(.pia, in: study).status == 201)
        try life.live(.pia, by: .ada)
        // They are in the therapy's file.
        let path = "/patients/\(portal.cast.therapies[.pia] ?? "")"
        let session = portal.call(.get, path + "/sessions", as: .ada).list.compactMap { $0["id"]?.string }
        let told = (["/interventions", "/pauses"] + session.map { "/sessions/\($0)" }).map {
            portal.call(.get, path + $0, as: .ada).text
        }.joined()
        for word in TherapyLife.canaries { #expect(told.contains(word), "\(word)") }
        for format in StudyExport.Format.archived {
            let file = try desk.text(study, format.rawValue)
            for word in TherapyLife.canaries + ["pia@example.org", "Ada Lindner", "C000001", "1990-05-17"] {
                #expect(!file.contains(word), "\(word) in \(format.rawValue)")
            }
        }
    }

    @Test func `ST-10 the codebook names each column, and each file is there for SPSS, too`() throws {
        let study = desk.begin()
        let book = try desk.text(study, "codebook")
        for format in ["participants", "interventions", "sessions", "pauses", "dailies"] {
            let columns = try desk.text(study, format).replacing("\u{FEFF}", with: "").split(
                separator: "\r\n")
            for column in columns[0].split(separator: ",").dropFirst() {
                #expect(book.contains("\r\n\(format).\(column),"), "\(format).\(column)")
            }
            #expect(try desk.text(study, format + "-sav").hasPrefix("$FL2"))
        }
    }
}
