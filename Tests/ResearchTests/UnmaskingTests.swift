import HTTP
import JSON
import Testing
import Wire

@testable import Database
@testable import PortalTesting
@testable import Records
@testable import Studies
@testable import Web

/// ST-10: emergency unmasking with a reason and a log.
@Suite struct UnmaskingTests {
    static let reason = "Schwere unerwünschte Wirkung nach der dritten Woche"

    private func body(_ reason: String = reason) -> String { "{\"reason\": \"\(reason)\"}" }

    private func log(_ trial: MaskedTrial) -> [JSON] {
        trial.portal.call(.get, "/studies/\(trial.study)/unmaskings", as: .lena).list.compactMap {
            $0["attributes"]
        }
    }

    @Test func `ST-10 a masked lead learns one arm, with a reason that the unmasked leads read`() throws {
        let trial = try MaskedTrial()
        let (portal, study) = (trial.portal, trial.study)
        let path = "/studies/\(study)/participants/\(trial.codenames[0])/unmasking"
        #expect(portal.call(.get, "/studies/\(study)/unmaskings", as: .leo).status == 403)
        for short in ["", "zu kurz", "         x         "] {
            let refused = portal.call(.post, path, body(short), as: .leo)
            #expect(refused.status == 422 && !trial.tells(refused.text), "\(refused.text)")
        }
        #expect(portal.call(.post, path, body(String(repeating: "x", count: 501)), as: .leo).status == 422)
        #expect(log(trial).isEmpty)
        let told = portal.call(.post, path, body(), as: .leo)
        #expect(told.status == 201, "\(told.text)")
        #expect(told.attributes["codename"]?.string == trial.codenames[0])
        #expect(told.attributes["arm"]?.string == "verumxyz")
        #expect(told.attributes["title"]?["de"]?.string == "Verumtitel")
        #expect(told.attributes["unmasked_at"]?.string == portal.now.text)
        // Sent once more, because the answer was lost, it is the same one.
        let again = portal.call(.post, path, body(), as: .leo)
        #expect(again.status == 201 && again.id == told.id && again.text == told.text, "\(again.text)")
        let line = try #require(log(trial).first)
        #expect(line["reason"]?.string == Self.reason && line["by"]?.string == "leo@example.org")
        #expect(line["codename"]?.string == trial.codenames[0] && log(trial).count == 1)
        #expect(try portal.audit().contains("enrolment.unmasked"))
        // All leads who are not masked are told on the study's page.
        let overview = portal.get("/studies/\(study)", as: .lena).text
        #expect(overview.contains("1 Notfall-Entblindung") && overview.contains("/unmaskings"))
        let page = portal.get("/studies/\(study)/unmaskings", as: .lena).text
        #expect(page.contains(Self.reason) && page.contains("Leo Maier") && page.contains(trial.codenames[0]))
        #expect(portal.get("/studies/\(study)/groups", as: .lena).text.contains("/unmaskings"))
        #expect(portal.get("/studies/\(study)/allocations", as: .lena).text.contains("/unmaskings"))
        // The masked lead's pages stay as they were.
        #expect(!trial.tells(portal.get("/studies/\(study)/participants", as: .leo).text))
        #expect(portal.get("/studies/\(study)/unmaskings", as: .leo).status == 403)
        // The reason is sealed.
        let sealed = try portal.services.records.read { connection in
            try connection.all("SELECT reason FROM study_unmaskings") { row in try row[0] as [UInt8] }
        }
        #expect(sealed.count == 1 && !String(decoding: sealed[0], as: UTF8.self).contains("Wirkung"))
    }

    @Test func `ST-10 the page asks first, keeps what was typed, and shows the arm once`() throws {
        let trial = try MaskedTrial()
        let portal = trial.portal
        let path = "/studies/\(trial.study)/participants/\(trial.codenames[1])/unmasking"
        let asked = portal.get(path, as: .leo).text
        #expect(asked.contains("nicht rückgängig") && !trial.tells(asked))
        let short = portal.post(path, [("reason", "zu kurz")], as: .leo)
        #expect(short.status == 422 && short.text.contains("zu kurz") && short.text.contains("mindestens 10"))
        let told = portal.post(path, [("reason", Self.reason)], as: .leo)
        #expect(told.status == 303 && told.headers["Location"] == path)
        let page = portal.get(path, as: .leo).text
        #expect(page.contains("Shamtitel") && !page.contains("Verumtitel"))
        // Another one who asks sees the question.
        #expect(!trial.tells(portal.get(path, as: .lena).text))
        portal.wait(seconds: 700)
        #expect(!trial.tells(portal.get(path, as: .leo).text))
        #expect(log(trial).count == 1)
    }

    @Test func `ST-10 where there is nothing to unmask, it is said`() throws {
        let portal = try TestPortal()
        let desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        let codename = desk.enrol(.pia, in: study).attributes["codename"]?.string ?? ""
        let path = "/studies/\(study)/participants/\(codename)/unmasking"
        let none = portal.call(.post, path, body(), as: .lena)
        #expect(none.status == 409 && none.json["code"]?.string == "not_allocated", "\(none.text)")
        #expect(portal.get(path, as: .lena).status == 409)
        let unknown = "/studies/\(study)/participants/S000000/unmasking"
        #expect(portal.call(.post, unknown, body(), as: .lena).status == 404)
        #expect(portal.get("/studies/\(study)/unmaskings", as: .lena).text.contains("Noch niemand"))
        #expect(portal.call(.post, path, body(), as: .leo).status == 404)
        #expect(try !portal.audit().contains("enrolment.unmasked"))
    }

    @Test func `ST-10 what a participant takes along leaves the log without name and reason`() throws {
        let portal = try TestPortal()
        let desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        #expect(portal.change(.put, "/studies/\(study)/groups", StudyDesk.groups, as: .lena).status == 200)
        let codename = desk.enrol(.nora, in: study).attributes["codename"]?.string ?? ""
        let path = "/studies/\(study)/participants/\(codename)/unmasking"
        let told = portal.call(.post, path, body(), as: .lena)
        #expect(told.status == 201 && told.attributes["title"] == .null, "\(told.text)")
        let own = portal.call(.get, "/my/export", as: .nora).text
        #expect(own.contains(Self.reason) && own.contains("unmasked_at"))
        // The participant leaves while the reason is on its way.
        let late = portal.interleaving {
            #expect(portal.call(.delete, "/studies/\(study)/enrolment?data=remove", as: .nora).status == 204)
        } _: {
            portal.call(.post, path, body(), as: .lena)
        }
        #expect(late.hasComeToWrite && late.response.status == 404, "\(late.response.text)")
        let lines = portal.call(.get, "/studies/\(study)/unmaskings", as: .lena).list
        #expect(lines.count == 1 && lines[0]["attributes"]?["reason"] == .null)
        #expect(lines[0]["attributes"]?["codename"] == .null)
        #expect(lines[0]["attributes"]?["by"]?.string == "lena@example.org")
        let kept = try portal.services.records.read { connection in
            try connection.exists(
                "SELECT 1 FROM study_unmaskings WHERE reason IS NOT NULL OR enrolment_id IS NOT NULL")
        }
        #expect(!kept)
        #expect(portal.get("/studies/\(study)/unmaskings", as: .lena).status == 200)
    }
}
