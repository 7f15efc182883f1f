import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import Identity
@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Web

/// studies.md, defects 2 and 10: archiving discloses nothing and is undone, allocation is closed by a step of its
/// own, and no lead is for ever.
@Suite struct StudyStateTests {
    let portal: TestPortal
    let desk: StudyDesk

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
    }

    func controlled(_ body: String = StudyDesk.groups) -> String {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        #expect(portal.change(.put, "/studies/\(study)/groups", body, as: .lena).status == 200)
        return study
    }

    func groups(_ study: String) -> JSON {
        portal.call(.get, "/studies/\(study)/groups", as: .lena).attributes
    }

    // MARK: Archiving

    @Test func `archiving tells no seed, and undone it goes on as if it had never been`() {
        let study = controlled(
            StudyDesk.groups.replacing("alternating", with: "randomised").replacing(
                "\"size\": 1", with: "\"size\": 2"))
        #expect(desk.enrol(.nora, in: study).status == 201)
        // A sample that is made small does not tell it either.
        let small = StudyDesk.groups.replacing("alternating", with: "randomised").replacing(
            "\"size\": 1", with: "\"size\": 2"
        ).replacing("\"sample_size\": 4", with: "\"sample_size\": 3")
        #expect(portal.change(.put, "/studies/\(study)/groups", small, as: .lena).status == 200)
        let archived = portal.change(.patch, "/studies/\(study)", #"{"archived": true}"#, as: .lena)
        #expect(archived.attributes["running"] == .bool(false))
        #expect(groups(study)["seed"] == .null && groups(study)["closed_at"] == .null)
        #expect(
            !portal.get("/studies/\(study)/groups", as: .lena).text.contains("Startzahl der Zufallsblöcke"))
        #expect(desk.enrol(.quinn, in: study).status == 404)
        let back = #"{"archived": false, "running": true}"#
        #expect(portal.change(.patch, "/studies/\(study)", back, as: .lena).status == 200)
        #expect(desk.enrol(.quinn, in: study).attributes["arm"]?.string != nil)
        #expect(groups(study)["allocated"] == .number(2))
    }

    @Test func `stopping, archiving and removing ask on a page that names the consequences`() {
        let study = controlled()
        let page = { portal.get("/studies/\(study)", as: .lena).text }
        for action in ["stop", "archive"] {
            #expect(page().contains("href=\"/studies/\(study)/state?action=\(action)\""))
            #expect(!page().contains("name=\"action\" value=\"\(action)\""))
            let asked = portal.get("/studies/\(study)/state?action=\(action)", as: .lena)
            #expect(asked.status == 200 && asked.text.contains("name=\"action\" value=\"\(action)\""))
            #expect(asked.text.matches(of: /<li class="rows__entry">/).count == 4)
        }
        #expect(portal.call(.get, "/studies/\(study)", as: .lena).attributes["running"] == .bool(true))
        let seen = portal.revision(on: "/studies/\(study)/state?action=archive", as: .lena)
        // Another lead has changed it meanwhile: the page asks again.
        let other = #"{"title": {"de": "Anders"}}"#
        #expect(portal.change(.patch, "/studies/\(study)", other, as: .lena).status == 200)
        let stale = portal.post("/studies/\(study)/state", [("action", "archive"), seen], as: .lena)
        #expect(stale.status == 412 && stale.text.contains("inzwischen geändert"))
        #expect(portal.call(.get, "/studies/\(study)", as: .lena).attributes["running"] == .bool(true))
        let now = portal.revision(on: "/studies/\(study)/state?action=archive", as: .lena)
        #expect(
            portal.post("/studies/\(study)/state", [("action", "archive"), now], as: .lena).status == 303)
        let stored = portal.call(.get, "/studies/\(study)", as: .lena).attributes
        #expect(stored["lead"]?["archived_at"] != .null && stored["title"]?.string == "Anders")
        let restore = portal.revision(on: "/studies/\(study)", as: .lena)
        #expect(
            portal.post("/studies/\(study)/state", [("action", "restore"), restore], as: .lena).status == 303)
        let removal = portal.get("/studies/\(study)/removal", as: .lena)
        #expect(removal.status == 200 && removal.text.contains("nicht rückgängig"))
        let last = portal.revision(on: "/studies/\(study)/removal", as: .lena)
        #expect(portal.post("/studies/\(study)/removal", [last], as: .lena).status == 303)
        #expect(portal.call(.get, "/studies/\(study)", as: .lena).status == 404)
    }

    // MARK: Closing allocation

    @Test func `the seed is told only after allocation was closed for good, and then nobody is allocated`()
        throws
    {
        let study = controlled()
        #expect(desk.enrol(.nora, in: study).status == 201)
        let path = "/studies/\(study)/groups/closure"
        let asked = portal.get(path, as: .lena)
        #expect(asked.status == 200 && asked.text.contains("1 von 4 Plätzen"))
        let wrong = portal.post(path, [("name", "andere")], as: .lena)
        #expect(wrong.status == 422 && wrong.text.contains("value=\"andere\""))
        #expect(portal.call(.post, path, #"{"name": "andere"}"#, as: .lena).status == 422)
        #expect(groups(study)["seed"] == .null)
        let closed = portal.call(.post, path, #"{"name": "stress-26"}"#, as: .lena)
        #expect(closed.status == 200 && closed.attributes["seed"]?.string != nil)
        #expect(closed.attributes["closed_at"]?.string == portal.now.text)
        #expect(portal.call(.post, path, as: .lena).status == 409)
        let late = desk.enrol(.quinn, in: study)
        // Not "the sample is complete": it is not.
        #expect(
            late.status == 409 && late.text.contains("niemanden mehr auf")
                && !late.text.contains("Stichprobe"))
        #expect(portal.change(.put, "/studies/\(study)/groups", StudyDesk.groups, as: .lena).status == 422)
        // A former participant returns into their arm.
        #expect(portal.call(.delete, "/studies/\(study)/enrolment", as: .nora).status == 204)
        #expect(desk.enrol(.nora, in: study).attributes["arm"]?.string == "full")
        #expect(try portal.audit().contains("study.allocation_closed"))
        #expect(portal.get("/studies/\(study)/groups", as: .lena).text.contains("endgültig geschlossen"))
        #expect(portal.call(.post, path, as: .ada).status == 403)
    }

    @Test func `the page closes it too, with the name of the study`() {
        let study = controlled()
        let path = "/studies/\(study)/groups/closure"
        #expect(portal.post(path, [("name", "")], as: .lena).status == 422)
        #expect(portal.post(path, [("name", "stress-26")], as: .lena).status == 303)
        #expect(groups(study)["seed"]?.string != nil)
    }

    @Test func `a study that was archived under the old rule stays closed and says so`() throws {
        let study = controlled()
        #expect(desk.enrol(.nora, in: study).status == 201)
        try portal.services.records.writeUnaudited(.madeUp) { [now = portal.now] connection in
            try connection.run(
                "UPDATE study_designs SET closed_at = \(now), closed_by_archiving = 1 WHERE study_id = \(study)"
            )
        }
        #expect(desk.enrol(.quinn, in: study).status == 409)
        let page = portal.get("/studies/\(study)/groups", as: .lena).text
        #expect(page.contains("damals archiviert") && page.contains("Sie bleibt geschlossen"))
        #expect(groups(study)["seed"]?.string != nil)
    }

    // MARK: Leads

    @Test func `a lead is taken out on a page that asks, never the last one who can sign in`() throws {
        let study = desk.begin()
        try desk.takeIn(.ada)
        let list = { portal.call(.get, "/studies/\(study)/leads", as: .lena).list }
        let lena = list().first?["id"]?.string ?? ""
        #expect(portal.call(.delete, "/studies/\(study)/leads/\(lena)", as: .lena).status == 409)
        #expect(
            portal.post("/studies/\(study)/leads", [("email", "ada@example.org")], as: .lena).status == 303)
        let ada =
            list().first { $0["attributes"]?["email"]?.string == "ada@example.org" }?["id"]?.string ?? ""
        let page = portal.get("/studies/\(study)", as: .lena).text
        #expect(page.contains("/leads/\(ada)/removal") && page.contains("/leads/\(lena)/removal"))
        let path = "/studies/\(study)/leads/\(ada)/removal"
        #expect(portal.get(path, as: .lena).text.contains("Ada"))
        #expect(portal.post(path, as: .lena).status == 303)
        #expect(portal.call(.get, "/studies/\(study)/leads", as: .ada).status == 404)
        #expect(portal.get(path, as: .lena).status == 404)
        // One whose account is closed leads nothing.
        let added = portal.call(.post, "/studies/\(study)/leads", #"{"email": "ada@example.org"}"#, as: .lena)
        #expect(added.status == 201)
        try portal.services.records.writeUnaudited(.madeUp) { [now = portal.now] in
            try StaffAccountStore.setDisabled(now, of: ID(ada), $0)
        }
        #expect(portal.call(.delete, "/studies/\(study)/leads/\(lena)", as: .lena).status == 409)
        #expect(portal.call(.delete, "/studies/\(study)/leads/\(ada)", as: .lena).status == 204)
        #expect(try portal.audit().contains("study.lead_removed"))
    }

    @Test func `the only lead of a study is not closed before the study has another`() throws {
        let study = desk.begin()
        let lena = try portal.services.records.read { [keys = portal.services.keys] in
            try AccountStore.find(lookup: keys.lookup(email: "lena@example.org"), $0)?.id ?? ""
        }
        let close = { portal.call(.patch, "/accounts/\(lena)", #"{"closed": true}"#, as: .uma) }
        let refused = close()
        #expect(refused.status == 409 && refused.text.contains("leitet"), "\(refused.text)")
        let role = portal.call(.patch, "/accounts/\(lena)", #"{"roles": ["therapist"]}"#, as: .uma)
        #expect(role.status == 409)
        let path = "/admin/accounts/\(lena)/studies"
        #expect(portal.get(path, as: .uma).text.contains("Stress im Alltag"))
        #expect(portal.post(path, [("email", "ada@example.org")], as: .uma).status == 422)
        try desk.takeIn(.ada)
        #expect(portal.post(path, [("email", "ada@example.org")], as: .uma).status == 303)
        #expect(portal.call(.get, "/studies/\(study)/leads", as: .ada).list.count == 1)
        #expect(portal.call(.get, "/studies/\(study)/leads", as: .lena).status == 404)
        #expect(close().status == 200)
        #expect(portal.get(path, as: .lena).status == 303)
        #expect(try portal.audit().contains("staff.studies_handed_over"))
    }
}
