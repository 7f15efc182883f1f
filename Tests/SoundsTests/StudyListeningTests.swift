import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Sounds
@testable import Web

/// ST-6: what was heard goes to a study that asks for it, of those who give it; a consent to research alone gives nothing.
@Suite struct StudyListeningTests {
    let portal: TestPortal
    let desk: StudyDesk
    let sound: ID<Sound>
    let study: String

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        sound = try portal.addSound()
        study = desk.begin(#"{"measurements": ["steps", "listening", "tinnitus"]}"#)
    }

    private func listen(_ number: Int = 1, as person: Person = .pia) {
        let body = """
            {"sound_id": "\(sound.text)", "started_at": "\(portal.now.adding(seconds: -120).text)",
             "listened_seconds": 100, "rating": 3, "rating_state": "rated"}
            """
        let path = "/my/listening-sessions/22222222-2222-4222-8222-22222222222\(number)"
        #expect(portal.call(.put, path, body, as: person).status == 201)
    }

    private func give(_ kinds: String, as person: Person = .pia) {
        let given = portal.call(
            .put, "/studies/\(study)/enrolment/measurements", #"{"measurements": \#(kinds)}"#, as: person)
        #expect(given.status == 200, "\(given.text)")
    }

    /// Without the head.
    private func rows() throws -> [Substring] {
        Array(try desk.text(study, "listening").split(separator: "\r\n").dropFirst())
    }

    private func items(_ path: String, as person: Person) -> [JSON?] {
        portal.call(.get, path, as: person).list.map { $0["attributes"]?["items"] }
    }

    @Test
    func
        `ST-6 listening goes to a study by its tick alone, until the tick is taken away, and not by research`()
        throws
    {
        #expect(portal.call(.put, "/my/privacy", #"{"research_consent": true}"#, as: .pia).status == 200)
        portal.wait(seconds: 60)
        // An app that knows neither kind enrols as before.
        let enrolled = desk.enrol(.pia, in: study, #"{"consent_accepted": true, "measurements": ["steps"]}"#)
        #expect(enrolled.status == 201 && enrolled.attributes["measurements"] == .array([.string("steps")]))
        let codename = enrolled.attributes["codename"]?.string ?? ""
        portal.wait(seconds: 600)
        listen()
        #expect(try rows().isEmpty)
        give(#"["steps", "listening"]"#)
        let told = try rows()
        #expect(told.count == 1 && told[0].hasPrefix(codename + ",Regen,"), "\(told)")
        #expect(try desk.text(study, "matches").split(separator: "\r\n").count == 1)
        give(#"["steps"]"#)
        #expect(try rows().isEmpty)
        // Without any consent to research, too.
        #expect(portal.call(.put, "/my/privacy", #"{"research_consent": false}"#, as: .nora).status == 200)
        portal.wait(seconds: 60)
        let other = desk.enrol(
            .nora, in: study, #"{"consent_accepted": true, "measurements": ["listening"]}"#)
        #expect(other.status == 201)
        portal.wait(seconds: 600)
        listen(as: .nora)
        #expect(try rows().count == 1)
        // A lead that asks for it no more gets it no more.
        let change = #"{"measurements": ["steps"]}"#
        #expect(portal.change(.patch, "/studies/\(study)", change, as: .lena).status == 200)
        #expect(try rows().isEmpty)
    }

    @Test func `ST-6 pages say what a study gets with it, and the lead's form asks for it`() throws {
        let page = portal.get("/studies/stress-26", as: .pia).text
        for words in [
            "An die Studie geben: Gehörte Geräusche", "An die Studie geben: Nachgebildeter Tinnitus",
            "wie es bewertet wurde", "Frequenz, Pegel",
        ] { #expect(page.contains(words), "\(words)") }
        let form = portal.get("/studies/\(study)/edit", as: .lena).text
        #expect(form.contains("Um Messwerte bitten: Gehörte Geräusche"))
        let joined = portal.post(
            "/my/studies/stress-26/enrolment",
            [("consent_accepted", "true"), ("consent_version", "1"), ("measure_listening", "true")], as: .pia)
        #expect(joined.status == 303)
        let own = portal.get("/my/studies/\(study)/measurements", as: .pia).text
        #expect(own.contains("Sie haben angekreuzt: Gehörte Geräusche (seit 20.11.2026"), "\(own)")
        #expect(portal.get("/studies/\(study)", as: .lena).text.contains("<dd>1 Person</dd>"))
    }

    @Test
    func `ST-6 consents tell what was agreed to one by one under each text, with its moment, to both sides`()
        throws
    {
        let body = #"{"consent_accepted": true, "consent_version": 1, "measurements": ["listening"]}"#
        #expect(desk.enrol(.pia, in: study, body).status == 201)
        let first = JSON.string(portal.now.text)
        try portal.wait(awake: 1)
        let change = #"{"consent_text": {"de": "Zwei."}}"#
        #expect(portal.change(.patch, "/studies/\(study)", change, as: .lena).status == 200)
        let agreed = #"{"consent_accepted": true, "consent_version": 2}"#
        #expect(
            portal.call(.post, "/studies/\(study)/enrolment/consent", agreed, as: .pia).status == 200)
        try portal.wait(awake: 1)
        give(#"["steps"]"#)
        let now = JSON.string(portal.now.text)
        let (own, all) = (
            items("/my/studies/\(study)/consents", as: .pia), items("/studies/\(study)/consents", as: .lena)
        )
        #expect(own == all && own.count == 2)
        #expect(own[0]?["steps"]?["agreed"] == .bool(true) && own[0]?["steps"]?["at"] == now)
        #expect(own[0]?["listening"]?["agreed"] == .bool(false) && own[0]?["listening"]?["at"] == now)
        // Asked for, and never answered.
        #expect(own[0]?["tinnitus"]?["agreed"] == .bool(false) && own[0]?["tinnitus"]?["at"] == .null)
        #expect(own[1]?["listening"]?["agreed"] == .bool(true) && own[1]?["listening"]?["at"] == first)
        #expect(own[1]?["steps"] == nil && own[0]?["location"] == nil)
        let log = portal.get("/studies/\(study)/consents", as: .lena).text
        #expect(log.contains("Schritte (22.11.2026)") && log.contains("Gehörte Geräusche (20.11.2026)"))
        let page = portal.get("/my/studies/\(study)/consents", as: .pia).text
        #expect(page.contains("Einzeln zugestimmt: Gehörte Geräusche (20.11.2026)"))
    }
}
