import Database
import Foundation
import HTTP
import JSON
import Scheduling
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Studies
@testable import Therapies
@testable import Web

/// ST-1: time points that are counted from dates of the participants' therapies.
@Suite struct TherapyDatesTests {
    private let portal: TestPortal
    private let desk: StudyDesk

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
    }

    private static let points = """
        "time_points": [
            {"key": "begin", "title": {"de": "Beginn"}, "anchor": "therapy_start", "after": 2},
            {"key": "first", "title": {"de": "Erste Sitzung"}, "anchor": "first_session", "after": 1},
            {"key": "end", "title": {"de": "Ende"}, "anchor": "therapy_end", "after": 6}]
        """
    private static let told = #"{"tells_session_dates": true, \#(points)}"#

    private var pia: String { "/patients/\(portal.cast.therapies[.pia] ?? "")" }

    private func codename(_ person: Person, in study: String) -> String {
        portal.call(.get, "/studies/\(study)/enrolment", as: person).attributes["codename"]?.string ?? ""
    }

    /// What leads learn: the date of each time point; `-` for none.
    private func dates(_ person: Person, in study: String) -> [String] {
        let path = "/studies/\(study)/participants/\(codename(person, in: study))/anchors"
        return portal.call(.get, path, as: .lena).list.map {
            "\($0["attributes"]?["key"]?.string ?? "") \($0["attributes"]?["date"]?.string ?? "-")"
        }
    }

    private func asked() -> [String] {
        portal.call(.get, "/my/assignments", as: .pia).list.compactMap {
            $0["attributes"]?["source"]?.string == "study" ? $0["attributes"]?["available_from"]?.string : nil
        }
    }

    private func session(from: String, to: String) -> String {
        let noted = portal.call(
            .post, "\(pia)/sessions", #"{"starts_at": "\#(from)", "ends_at": "\#(to)"}"#, as: .ada)
        #expect(noted.status == 201, "\(noted.text)")
        return noted.id
    }

    private func begin(onDay day: String) {
        let changed = portal.change(.patch, pia, #"{"therapy_started_on": "\#(day)"}"#, as: .ada)
        #expect(changed.status == 200, "\(changed.text)")
    }

    @Test func `ST-1 a date of the therapy needs the line of the consent text`() {
        let study = desk.begin()
        let path = "/studies/\(study)"
        let without = portal.change(.patch, path, "{\(Self.points)}", as: .lena)
        #expect(without.status == 422 && without.json["code"]?.string == "consent_line_missing")
        #expect(without.wrongFields == ["tells_session_dates"])
        #expect(portal.change(.patch, path, Self.told, as: .lena).status == 200)
        let told = portal.call(.get, path, as: .pia).attributes
        #expect(told["tells_session_dates"] == .bool(true) && told["consent_version"] == .number(2))
        let text = told["consent_text"]?.string ?? ""
        #expect(text.hasPrefix("Ich nehme freiwillig teil.\n\nDie Studienleitung erfährt, an welchem Tag"))
        // It stands there once, whatever else is changed, and cannot be taken out while something is counted so.
        #expect(portal.change(.patch, path, #"{"text": {"de": "Neu."}}"#, as: .lena).status == 200)
        let bare = #"{"consent_text": {"de": "Ich nehme freiwillig teil."}}"#
        #expect(portal.change(.patch, path, bare, as: .lena).status == 200)
        let after = portal.call(.get, path, as: .pia).attributes
        #expect(after["consent_text"]?.string == text && after["consent_version"] == .number(2))
        let off = portal.change(.patch, path, #"{"tells_session_dates": false}"#, as: .lena)
        #expect(off.status == 422 && off.json["code"]?.string == "consent_line_missing")
        let neither = #"{"tells_session_dates": false, "time_points": []}"#
        #expect(portal.change(.patch, path, neither, as: .lena).status == 200)
        let last = portal.call(.get, path, as: .pia).attributes
        #expect(last["consent_text"]?.string == "Ich nehme freiwillig teil.")
        #expect(last["tells_session_dates"] == .bool(false) && last["consent_version"] == .number(3))
    }

    @Test func `ST-1 days are counted from the dates that the therapy has, and follow them`() throws {
        let study = desk.begin(Self.told)
        for point in ["begin", "first", "end"] {
            _ = desk.add("wellbeing-5", to: study, ", \"time_point\": \"\(point)\"")
        }
        begin(onDay: "2026-11-19")
        let planned = portal.call(.get, "\(pia)/sessions", as: .ada).list
        #expect(desk.enrol(.pia, in: study).status == 201)
        let before = dates(.pia, in: study)
        #expect(before.first == "begin 2026-11-19" && before.last == "end -")
        #expect(asked() == ["2026-11-20T09:00:00Z"])
        // The first session from the first day of the therapy on.
        for one in planned {
            let path = "\(pia)/sessions/\(one["id"]?.string ?? "")"
            _ = portal.change(.patch, path, #"{"state": "cancelled"}"#, as: .ada)
        }
        #expect(dates(.pia, in: study)[1] == "first -")
        let id = session(from: "2026-11-24T09:00:00Z", to: "2026-11-24T09:50:00Z")
        #expect(dates(.pia, in: study)[1] == "first 2026-11-24")
        #expect(asked().contains("2026-11-23T23:00:00Z"))
        portal.wait(seconds: 60)
        let moved = #"{"starts_at": "2026-11-26T09:00:00Z", "ends_at": "2026-11-26T09:50:00Z"}"#
        #expect(portal.change(.patch, "\(pia)/sessions/\(id)", moved, as: .ada).status == 200)
        #expect(dates(.pia, in: study)[1] == "first 2026-11-26")
        #expect(!asked().contains("2026-11-23T23:00:00Z") && asked().contains("2026-11-25T23:00:00Z"))
        portal.wait(seconds: 60)
        let cancelled = portal.change(.patch, "\(pia)/sessions/\(id)", #"{"state": "cancelled"}"#, as: .ada)
        #expect(cancelled.status == 200, "\(cancelled.text)")
        #expect(dates(.pia, in: study)[1] == "first -" && !asked().contains("2026-11-25T23:00:00Z"))
        // After its end the study goes on.
        try portal.wait(awake: 3)
        #expect(portal.call(.post, "\(pia)/therapy/end", as: .ada).status == 200)
        #expect(dates(.pia, in: study)[2] == "end 2026-11-23")
        // Its day has begun, and was not known before.
        #expect(asked().contains(portal.now.text))
        // Leads enter none of them.
        let entered = portal.call(
            .put, "/studies/\(study)/participants/\(codename(.pia, in: study))/anchors/end",
            #"{"date": "2026-11-24"}"#, as: .lena)
        #expect(entered.status == 409 && entered.json["code"]?.string == "anchor_not_entered")
    }

    @Test func `ST-1 before somebody agrees to the line, and without research consent, leads learn nothing`()
    {
        let study = desk.begin()
        begin(onDay: "2026-11-19")
        #expect(desk.enrol(.pia, in: study).status == 201)
        #expect(portal.change(.patch, "/studies/\(study)", Self.told, as: .lena).status == 200)
        #expect(dates(.pia, in: study) == ["begin -", "first -", "end -"])
        // Nor whether there is a therapy.
        let page = "/studies/\(study)/participants/\(codename(.pia, in: study))"
        let words = portal.get(page, as: .lena).text
        #expect(words.components(separatedBy: "Einwilligung in Daten der Therapie fehlt").count == 4)
        let agreed = portal.call(
            .post, "/studies/\(study)/enrolment/consent",
            #"{"consent_accepted": true, "consent_version": 2}"#, as: .pia)
        #expect(agreed.status == 200, "\(agreed.text)")
        #expect(dates(.pia, in: study).first == "begin 2026-11-19")
        // A no to research stops it; a yes brings what has come meanwhile.
        let choose = { (yes: Bool) in
            portal.call(.put, "/my/privacy", #"{"research_consent": \#(yes)}"#, as: .pia).status
        }
        portal.wait(seconds: 60)
        #expect(choose(false) == 200)
        portal.wait(seconds: 60)
        begin(onDay: "2026-11-18")
        portal.wait(seconds: 60)
        #expect(choose(true) == 200)
        #expect(dates(.pia, in: study).first == "begin 2026-11-18")
        let stored = try? portal.services.records.read { connection in
            try connection.all("SELECT date FROM study_anchors WHERE time_point = 'begin' ORDER BY since") {
                try $0[0] as String
            }
        }
        #expect(stored == ["2026-11-19", "2026-11-18"])
    }

    @Test func `ST-1 without a therapy it is not applicable, and never missed`() throws {
        let study = desk.begin(Self.told)
        for point in ["begin", "first", "end"] {
            _ = desk.add("wellbeing-5", to: study, ", \"time_point\": \"\(point)\"")
        }
        #expect(desk.enrol(.nora, in: study).status == 201)
        let page = "/studies/\(study)/participants/\(codename(.nora, in: study))"
        let words = portal.get(page, as: .lena).text
        #expect(words.components(separatedBy: "entfällt, ohne Therapie").count == 4)
        try portal.wait(awake: 20)
        #expect(dates(.nora, in: study) == ["begin -", "first -", "end -"])
        let rows = try desk.text(study, "csv").split(separator: "\n")
        #expect(rows.count == 1, "\(rows)")
    }

    @Test
    func
        `ST-1 the therapy stays the one that ran, and its corrected begin is followed, until the study is over`()
        throws
    {
        let study = desk.begin(Self.told)
        begin(onDay: "2026-11-19")
        #expect(desk.enrol(.pia, in: study).status == 201)
        portal.wait(seconds: 60)
        #expect(portal.call(.post, "\(pia)/therapy/end", as: .ada).status == 200)
        // A file that is older than the first one, and paired after it.
        try portal.services.records.writeUnaudited(.madeUp) { [id = portal.cast.openTherapy] connection in
            try connection.run("UPDATE therapies SET created_at = 1 WHERE id = \(id)")
        }
        portal.wait(seconds: 60)
        let pairing = """
            {"code": "\(portal.cast.openCode)", "birth_date": "1990-01-01", "gender": "female"}
            """
        let paired = portal.call(.post, "/my/pairing", pairing, as: .pia)
        #expect(paired.status < 300, "\(paired.text)")
        #expect(dates(.pia, in: study).first == "begin 2026-11-19")
        #expect(dates(.pia, in: study).last == "end 2026-11-20")
        portal.wait(seconds: 60)
        begin(onDay: "2026-11-18")
        #expect(dates(.pia, in: study).first == "begin 2026-11-18")
        let one = "/studies/\(study)/participants/\(codename(.pia, in: study))/anchors/begin"
        #expect(portal.call(.get, one, as: .lena).attributes["date"]?.string == "2026-11-18")
        let over = #"{"ends_at": "\#(portal.now.adding(seconds: 60).text)"}"#
        #expect(portal.change(.patch, "/studies/\(study)", over, as: .lena).status == 200)
        portal.wait(seconds: 120)
        begin(onDay: "2026-11-17")
        #expect(portal.call(.get, one, as: .lena).attributes["date"]?.string == "2026-11-18")
    }

    @Test func `ST-1 the line needs a text to stand in`() {
        let study = desk.begin(#"{"running": false}"#)
        let empty = #"{"consent_text": {}, "tells_session_dates": true}"#
        let refused = portal.change(.patch, "/studies/\(study)", empty, as: .lena)
        #expect(refused.status == 422 && refused.wrongFields == ["consent_text"], "\(refused.text)")
    }

    @Test func `ST-1 a pairing that is undone takes the dates back`() {
        let study = desk.begin(Self.told)
        begin(onDay: "2026-11-19")
        #expect(desk.enrol(.pia, in: study).status == 201)
        #expect(dates(.pia, in: study).first == "begin 2026-11-19")
        portal.wait(seconds: 60)
        let undone = portal.call(.post, "\(pia)/pairing/undo", as: .ada)
        #expect(undone.status < 300, "\(undone.text)")
        #expect(dates(.pia, in: study) == ["begin -", "first -", "end -"])
    }

    @Test func `ST-1 the form of a time point says what the consent text lacks`() {
        let study = desk.begin()
        let form = [("key", "ende"), ("title_de", "Ende"), ("anchor", "therapy_end"), ("day", "0")]
        let refused = portal.post("/studies/\(study)/time-points/new", form, as: .lena)
        #expect(refused.status == 422, "\(refused.text)")
        #expect(refused.text.contains("Dafür muss im Einwilligungstext stehen"))
        #expect(refused.text.contains(#"<option value="therapy_end" selected>"#))
        #expect(portal.get("/studies/\(study)/edit", as: .lena).text.contains(#"name="tells_session_dates""#))
        let told = #"{"tells_session_dates": true}"#
        #expect(portal.change(.patch, "/studies/\(study)", told, as: .lena).status == 200)
        let new = "/studies/\(study)/time-points/new"
        let revision = portal.revision(on: new, as: .lena)
        #expect(portal.post(new, form + [revision], as: .lena).status == 303)
        let page = portal.get("/studies/\(study)/questionnaires", as: .lena).text
        #expect(page.contains("Tag 0 ab dem Ende der Therapie"))
    }

    @Test func `ST-1 the first session is the earliest of the therapy that was not missed`() throws {
        begin(onDay: "2026-11-22")
        let therapy = try #require(
            try portal.services.records.read {
                try TherapyStore.find(portal.cast.therapies[.pia] ?? "", $0)
            })
        let day = { (sessions: [Session]) in
            TherapyDates.date(.firstSession, of: therapy, sessions, in: Zone("Europe/Vienna"), at: portal.now)
        }
        let known = try portal.services.records.read { try SessionStore.all(of: therapy.id, $0) }
        // All of them were before the first day.
        #expect(day(known) == nil)
        _ = session(from: "2026-11-23T23:30:00Z", to: "2026-11-24T00:20:00Z")
        let sessions = try portal.services.records.read { try SessionStore.all(of: therapy.id, $0) }
        #expect(day(sessions) == LocalDate(year: 2026, month: 11, day: 24))
        #expect(day([]) == nil)
    }
}
