import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Web

/// ST-5's last sentence: a control arm without app needs no account.
@Suite struct PaperParticipantTests {
    let portal: TestPortal
    let desk: StudyDesk

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
    }

    func take(_ more: String = "", in study: String) -> Response {
        let today = portal.now.text.prefix(10)
        return portal.call(
            .post, "/studies/\(study)/participants",
            #"{"consented_on": "\#(today)", "consent_version": 1\#(more)}"#, as: .lena)
    }

    func sheet(_ codename: String, in study: String) -> Response {
        portal.call(
            .post, "/studies/\(study)/participants/\(codename)/contributions",
            """
            {"questionnaire_key": "wellbeing-5", "completed_at": "\(portal.now.text)",
             "answers": \(StudyDesk.wellbeing)}
            """, as: .lena)
    }

    @Test func `somebody without an account is entered, counted like everybody, and erased`() throws {
        let study = desk.begin()
        _ = desk.add(
            "wellbeing-5", to: study,
            #", "schedules": [{"type": "fixed", "at": "08:00", "amount": 1, "every": 1, "unit": "day", "start_day": 0}]"#
        )
        let entered = take(in: study)
        #expect(entered.status == 201, "\(entered.text)")
        let codename = entered.attributes["codename"]?.string ?? ""
        #expect(entered.attributes["state"]?.string == "enrolled")
        #expect(entered.attributes["consented_on"]?.string == String(portal.now.text.prefix(10)))
        #expect(entered.attributes["consent_version"] == .number(1))
        #expect(sheet(codename, in: study).status == 204)
        try portal.wait(awake: 3)
        // Nothing reaches a phone, so nothing was prompted and nothing missed.
        let listed = portal.call(.get, "/studies/\(study)/participants", as: .lena).list.first?["attributes"]
        #expect(listed?["codename"]?.string == codename && listed?["prompted"] == .number(0))
        let results = portal.call(.get, "/studies/\(study)/results", as: .lena).list.first?["attributes"]
        #expect(results?["people"] == .number(1))
        let export = try desk.export(study, "json")
        #expect(export["participants"]?.array?.count == 1 && export["occasions"]?.array?.count == 1)
        #expect(export["occasions"]?.array?.first?["is_paper"] == .bool(true))
        let page = portal.get("/studies/\(study)/participants/\(codename)", as: .lena).text
        #expect(page.contains("Einwilligung unterschrieben am") && page.contains("von Papier"))
        #expect(portal.get("/studies/\(study)/compliance", as: .lena).text.contains(codename))
        // The study's lead erases them with the key; no other account can.
        let path = "/studies/\(study)/participants/\(codename)/erasure"
        #expect(portal.get(path, as: .lena).text.contains("endgültig gelöscht"))
        #expect(portal.post(path, [("codename", "S000000")], as: .lena).status == 422)
        #expect(portal.call(.delete, "/studies/\(study)/participants/\(codename)", as: .ada).status == 403)
        let before = (try portal.count("accounts"), try portal.count("contributions"))
        #expect(portal.post(path, [("codename", codename)], as: .lena).status == 303)
        #expect(try portal.count("accounts") == before.0 - 1)
        #expect(try portal.count("contributions") == before.1 - 1)
        #expect(try desk.export(study, "json")["participants"]?.array?.isEmpty == true)
        #expect(try portal.audit().contains("participant.erased"))
        #expect(sheet(codename, in: study).status == 404)
        #expect(portal.get(path, as: .lena).status == 404)
    }

    @Test func `nobody signs in with it, and it is in no list of accounts`() throws {
        let study = desk.begin()
        let before = portal.call(.get, "/accounts", as: .uma).list.count
        #expect(take(in: study).status == 201)
        #expect(portal.call(.get, "/accounts", as: .uma).list.count == before)
        let closed = try portal.services.records.read {
            try $0.count("SELECT count(*) FROM accounts WHERE is_paper = 1 AND disabled_at IS NOT NULL")
        }
        #expect(closed == 1)
        #expect(try portal.count("credentials") > 0)
        Housekeeping.run(portal.services)
        try portal.wait(awake: 30)
        Housekeeping.run(portal.services)
        #expect(
            try portal.services.records.read {
                try $0.count("SELECT count(*) FROM accounts WHERE is_paper = 1")
            } == 1)
    }

    @Test func `a codename, a consent and a site that are not right are refused at their fields`() throws {
        let study = desk.begin()
        let wrong: [(String, Int, String)] = [
            (#", "codename": "klein-1""#, 422, "codename"), (#", "site": "Nirgends""#, 422, "site"),
            (#", "unknown": 1"#, 422, "unknown"),
        ]
        for (more, status, field) in wrong {
            let refused = take(more, in: study)
            #expect(refused.status == status && refused.wrongFields == [field], "\(refused.text)")
        }
        let path = "/studies/\(study)/participants"
        let ahead = #"{"consented_on": "2027-01-01", "consent_version": 1}"#
        #expect(portal.call(.post, path, ahead, as: .lena).wrongFields == ["consented_on"])
        let unknown = #"{"consented_on": "2026-11-20", "consent_version": 9}"#
        #expect(portal.call(.post, path, unknown, as: .lena).wrongFields == ["consent_version"])
        #expect(portal.call(.post, path, "{}", as: .lena).status == 422)
        #expect(take(#", "codename": "AB1234""#, in: study).attributes["codename"]?.string == "AB1234")
        #expect(take(#", "codename": "AB1234""#, in: study).status == 409)
        #expect(portal.change(.patch, "/studies/\(study)", #"{"running": false}"#, as: .lena).status == 200)
        #expect(take(in: study).status == 409)
        #expect(portal.call(.post, path, unknown, as: .ada).status == 403)
    }

    @Test func `the arm is drawn like everybody's, and a study of apps alone has no place on paper`() throws {
        let arms = #""arms": ["full", "no_app"]"#
        let body = StudyDesk.groups.replacing(#""arms": ["full", "no_interventions"]"#, with: arms)
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        #expect(portal.change(.put, "/studies/\(study)/groups", body, as: .lena).status == 200)
        // Ulm's row begins with the first arm, and goes on with the next: paper takes its place in it.
        let first = take(#", "site": "Ulm""#, in: study)
        #expect(first.attributes["arm"]?.string == "full", "\(first.text)")
        #expect(take(#", "site": "Ulm""#, in: study).attributes["arm"]?.string == "no_app")
        #expect(desk.enrol(.pia, in: study).attributes["arm"]?.string == "full")
        let stored = portal.call(.get, "/studies/\(study)/groups", as: .lena).attributes
        #expect(stored["allocated"] == .number(3))
        // Erased, the place stays taken.
        let codename = first.attributes["codename"]?.string ?? ""
        #expect(portal.call(.delete, "/studies/\(study)/participants/\(codename)", as: .lena).status == 204)
        #expect(
            portal.call(.get, "/studies/\(study)/groups", as: .lena).attributes["allocated"] == .number(3))
        let apps = desk.begin(named: "zweite")
        _ = desk.add("wellbeing-5", to: apps)
        #expect(portal.change(.put, "/studies/\(apps)/groups", StudyDesk.groups, as: .lena).status == 200)
        #expect(take(in: apps).status == 409)
        #expect(
            try portal.services.records.read {
                try $0.count("SELECT count(*) FROM accounts WHERE is_paper = 1")
            } == 1)
    }

    @Test func `who has an account is not erased by a lead`() {
        let study = desk.begin()
        let codename = desk.enrol(.nora, in: study).attributes["codename"]?.string ?? ""
        #expect(portal.call(.delete, "/studies/\(study)/participants/\(codename)", as: .lena).status == 409)
        #expect(portal.call(.get, "/studies/\(study)/enrolment", as: .nora).status == 200)
    }

    @Test func `the page takes somebody in and keeps what was typed`() {
        let study = desk.begin()
        let path = "/studies/\(study)/participants/new"
        #expect(portal.get(path, as: .lena).text.contains("Version 1"))
        let form = [("codename", "klein"), ("consented_on", "2026-11-19"), ("consent_version", "1")]
        let refused = portal.post(path, form, as: .lena)
        #expect(refused.status == 422 && refused.text.contains("value=\"klein\""))
        let made = portal.post(path, [("codename", "XY9876")] + form.dropFirst(), as: .lena)
        #expect(made.status == 303 && made.headers["Location"]?.hasSuffix("/participants/XY9876") == true)
        #expect(portal.get("/studies/\(study)/participants", as: .lena).text.contains("von Papier"))
    }
}
