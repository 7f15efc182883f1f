import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Research
@testable import Studies
@testable import Web

/// IO-20: what leads see of one participant, and who sees it.
@Suite struct ToldCourseTests {
    let portal: TestPortal
    let desk: StudyDesk
    let life: TherapyLife

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        life = TherapyLife(portal: portal)
        try portal.publish("wellbeing-5")
        try portal.publish("intersession-daily")
    }

    func codename(_ study: String) -> String {
        portal.call(.get, "/studies/\(study)/participants", as: .lena).list.first?["attributes"]?["codename"]?
            .string ?? ""
    }

    func path(_ study: String) -> String { "/studies/\(study)/participants/\(codename(study))" }

    /// Pia in a study that asks a questionnaire, which she answers, and two days of her therapy.
    func lived(agrees: Bool, _ more: String = TherapyLife.eachSession) throws -> String {
        let study = desk.begin(more)
        _ = desk.add("wellbeing-5", to: study)
        life.agree(.pia, agrees)
        #expect(desk.enrol(.pia, in: study).status == 201)
        #expect(desk.answer("wellbeing-5", in: study, as: .pia).status == 201)
        try life.live(.pia, by: .ada)
        return study
    }

    static let sections = ["dailies", "interventions", "sessions"]

    @Test
    func
        `IO-20 with consent to research the page and the call tell scores, dailies, interventions and sessions`()
        throws
    {
        let study = try lived(agrees: true)
        let told = portal.call(.get, path(study), as: .lena).attributes
        #expect(told["research_consent"] == .bool(true))
        let scores = told["scores"]?.array ?? []
        let sources = scores.map {
            "\($0["source"]?.string ?? "") \($0["questionnaire_key"]?.string ?? "") \($0["scale"]?.string ?? "")"
        }
        #expect(
            Set(sources) == [
                "study wellbeing-5 wellbeing", "therapy wellbeing-5 wellbeing",
                "therapy intersession-daily thought", "therapy intersession-daily feeling",
            ])
        let week = told["dailies"]?.array?.first
        #expect(week?["week"] == .number(1) && week?["begins_on"] == .string("2026-11-20"))
        #expect(week?["answered"] == .number(1) && (week?["planned"]?.number ?? 0) > 1)
        let given = told["interventions"]?.array ?? []
        #expect(given.compactMap { $0["state"]?.string } == ["opened", "new"])
        let file = try desk.text(study, "interventions")
        #expect(given.allSatisfy { file.contains($0["id"]?.string ?? "?") })
        #expect(told["sessions"]?.array?.compactMap { $0["state"]?.string } == ["held"])
        #expect(told["sessions"]?.array?.first?["day"]?.string?.hasPrefix("2026-11-2") == true)
        let page = portal.get(path(study), as: .lena).text
        for section in Self.sections + ["scores"] {
            #expect(page.contains("id=\"\(section)\""), "\(section)")
        }
        #expect(page.contains("2 gegeben, 1 geöffnet, 0 abgeschlossen"))
        #expect(page.contains("aus der Therapie") && page.contains("Sitzung 1"))
        #expect(!page.contains("wird aus der Therapie nichts gezeigt"))
    }

    @Test func `IO-20 without it scores of the study alone, and a sentence`() throws {
        let study = try lived(agrees: false)
        let told = portal.call(.get, path(study), as: .lena).attributes
        #expect(told["research_consent"] == .bool(false))
        #expect(told["scores"]?.array?.compactMap { $0["source"]?.string } == ["study"])
        #expect(Self.sections.allSatisfy { told[$0] == .null })
        let page = portal.get(path(study), as: .lena).text
        #expect(page.contains("Ohne Einwilligung in die Forschung wird aus der Therapie nichts gezeigt."))
        for section in Self.sections { #expect(!page.contains("id=\"\(section)\""), "\(section)") }
        life.agree(.pia, true)
        #expect(portal.get(path(study), as: .lena).text.contains("id=\"sessions\""))
        // Taken back, it is a no to the study as well.
        let name = path(study)
        life.agree(.pia, false)
        #expect(portal.get(name, as: .lena).status == 404)
        #expect(portal.call(.get, name, as: .lena).status == 404)
    }

    @Test func `IO-20 nobody but leads of the study sees it, and nothing of those that may not be told`()
        throws
    {
        let study = try lived(agrees: true)
        let own = path(study)
        for person in [Person.leo, .ada, .ben, .uma, .quinn, .nobody, .pia] {
            #expect([401, 403, 404].contains(portal.call(.get, own, as: person).status), "\(person)")
        }
        // Of another study of hers the codename is none.
        let other = desk.begin(named: "other-26")
        let name = codename(study)
        #expect(portal.call(.get, "/studies/\(other)/participants/\(name)", as: .lena).status == 404)
        #expect(portal.get("/studies/\(other)/participants/\(name)", as: .lena).status == 404)
        #expect(portal.call(.get, "/studies/\(study)/participants/S000000", as: .lena).status == 404)
        // A request that waits is no participant.
        let alltag = portal.cast.study
        let waiting = codename(alltag)
        #expect(portal.call(.get, "/studies/\(alltag)/participants/\(waiting)", as: .lena).status == 404)
        #expect(portal.call(.delete, "/studies/\(study)/enrolment?data=remove", as: .pia).status == 204)
        #expect(portal.call(.get, own, as: .lena).status == 404)
    }

    @Test func `IO-20 after leaving nothing is added, and a therapy that ended stays to its end`() throws {
        let study = try lived(agrees: true)
        let own = path(study)
        let end = "/patients/\(portal.cast.therapies[.pia] ?? "")/therapy/end"
        let before = portal.call(.get, own, as: .lena).attributes
        #expect(portal.call(.delete, "/studies/\(study)/enrolment?data=keep", as: .pia).status == 204)
        portal.wait(seconds: 60)
        _ = life.give("task", "Nachher", to: .pia, by: .ada)
        try life.live(.pia, by: .ada)
        #expect(portal.call(.post, end, "{}", as: .ada).status == 200)
        let after = portal.call(.get, own, as: .lena).attributes
        #expect(after["state"] == .string("left"))
        for section in Self.sections + ["scores"] { #expect(after[section] == before[section], "\(section)") }
    }

    @Test func `ST-1 days of sessions are told only where the consent text says so`() throws {
        let study = try lived(agrees: true, "")
        let sessions = portal.call(.get, path(study), as: .lena).attributes["sessions"]?.array
        #expect(sessions?.count == 1 && sessions?.first?["day"] == .null)
        #expect(portal.get(path(study), as: .lena).text.contains("Der Einwilligungstext nennt sie nicht."))
    }

    @Test func `IO-13 IO-20 no text, note, name or address is on the page or in the call`() throws {
        let study = try lived(agrees: true)
        let both = portal.get(path(study), as: .lena).text + portal.call(.get, path(study), as: .lena).text
        for word in TherapyLife.canaries + ["pia@example.org", "Ada Lindner", "C000001", "1990-05-17"] {
            #expect(!both.contains(word), "\(word)")
        }
    }

    @Test func `IO-20 without anything each section says so`() throws {
        let study = desk.begin()
        life.agree(.quinn, true)
        #expect(desk.enrol(.quinn, in: study).status == 201)
        let page = portal.get(path(study), as: .lena).text
        for sentence in [
            "Noch keine Werte.", "Keine Tagesabfragen während der Teilnahme.",
            "Keine Interventionen während der Teilnahme.", "Keine Sitzungen während der Teilnahme.",
        ] {
            #expect(page.contains(sentence), "\(sentence)")
        }
    }
}
