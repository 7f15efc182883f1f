import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Web

/// TYS-3: the questionnaires of one's studies, filled in at will in the browser.
@Suite struct StudyAnsweringTests {
    let portal: TestPortal
    let desk: StudyDesk
    let study: String
    static let wellbeing = [
        ("enjoyed", "3"), ("calm", "3"), ("energy", "2"), ("slept", "4"), ("company", "3"),
    ]

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        try portal.publish("intersession-daily")
        study = desk.begin()
    }

    private func enrol() {
        #expect(desk.enrol(.nora, in: study).status == 201)
        portal.wait(seconds: 60)
    }

    private func answer(_ item: String) -> AnsweringPerson {
        let nora = AnsweringPerson(portal, .nora, at: "/my/questionnaires/\(item)")
        for _ in 0..<10 where nora.page.text.contains(#"name="part""#) {
            nora.press(
                "next", Self.wellbeing.filter { nora.page.text.contains("name=\"answers.\($0.0)\"") })
        }
        #expect(nora.press("send").status == 303, "\(nora.page.text)")
        return nora
    }

    @Test func `TYS-3 baselines come first, what is asked once is not offered again`() throws {
        let baseline = desk.add("wellbeing-5", to: study, #", "is_onetime": true, "baseline": "required""#)
        let other = desk.add("intersession-daily", to: study)
        enrol()
        let list = AnsweringPerson(portal, .nora, at: "/my/questionnaires")
        #expect(list.page.status == 200 && list.page.text.contains("bitte zuerst"), "\(list.page.text)")
        #expect(list.page.text.contains("/my/questionnaires/\(baseline)"))
        #expect(!list.page.text.contains("/my/questionnaires/\(other)"))
        list.open("/my/questionnaires/\(other)")
        #expect(list.page.text.contains("Bitte füllen Sie zuerst das hier aus"))
        #expect(list.page.text.contains("/my/questionnaires/\(baseline)"))
        #expect(answer(baseline).page.text.contains("Vielen Dank"))
        list.open("/my/questionnaires")
        #expect(
            list.page.text.contains("ausgefüllt") && list.page.text.contains("/my/questionnaires/\(other)"))
        list.open("/my/questionnaires/\(baseline)")
        #expect(list.page.text.contains("schon gesendet"))
        let sheet = try #require(portal.call(.get, "/my/contributions", as: .nora).list.first)
        #expect(sheet["attributes"]?["study_id"]?.string == study)
    }

    @Test func `TYS-3 what may be repeated is, and nobody reaches a study they are not in`() {
        let item = desk.add("wellbeing-5", to: study)
        #expect(AnsweringPerson(portal, .nora, at: "/my/questionnaires/\(item)").page.status == 404)
        enrol()
        for _ in 0..<2 {
            #expect(answer(item).page.text.contains("Vielen Dank"))
            portal.wait(seconds: 60)
        }
        #expect(portal.call(.get, "/my/contributions", as: .nora).list.count == 2)
    }

    @Test func `TYS-7 doors to sensors open only where they are asked for and switched on`() {
        let item = desk.add("wellbeing-5", to: study, #", "can_use": [{"name": "gps"}]"#)
        enrol()
        let path = "/my/questionnaires/\(item)"
        let closed = "camera=(), microphone=(), geolocation=()"
        let nora = AnsweringPerson(portal, .nora, at: path)
        #expect(nora.page.headers["Permissions-Policy"] == closed)
        _ = portal.call(.put, "/my/sensor-settings", #"{"gps": true, "microphone": true}"#, as: .nora)
        nora.open(path)
        #expect(nora.page.headers["Permissions-Policy"] == "camera=(), microphone=(), geolocation=(self)")
        nora.open("/my/questionnaires")
        #expect(nora.page.headers["Permissions-Policy"] == closed)
    }

    @Test
    func `TYS-7 what a script has measured goes with the sheet, and the wrong is said and loses nothing`()
        throws
    {
        let item = desk.add("wellbeing-5", to: study, #", "can_use": [{"name": "gps"}]"#)
        enrol()
        _ = portal.call(.put, "/my/sensor-settings", #"{"gps": true, "microphone": true}"#, as: .nora)
        let nora = AnsweringPerson(portal, .nora, at: "/my/questionnaires/\(item)")
        for _ in 0..<10 where nora.page.text.contains(#"name="part""#) {
            nora.press(
                "next", Self.wellbeing.filter { nora.page.text.contains("name=\"answers.\($0.0)\"") })
        }
        #expect(nora.page.text.contains("Standort beifügen") && !nora.page.text.contains("Lautstärke messen"))
        let fields = nora.fields.filter { $0.0 != "sensors.gps" }
        let send = { (reading: String) in
            nora.browser.post(nora.action, fields + [("sensors.gps", reading), ("action", "send")])
        }
        for wrong in ["hier", "[", "{}", #"[{"latitude": 123, "longitude": 16, "measured_at": "x"}]"#] {
            let answer = send(wrong)
            #expect(answer.status == 422 && answer.text.contains("ließ sich nicht lesen"), "\(wrong)")
        }
        let reading = """
            [{"latitude": 48.2, "longitude": 16.4, "altitude": null, "measured_at": "\(portal.now.text)"}]
            """
        #expect(send(reading).status == 303)
        let copy = portal.call(.get, "/my/export", as: .nora).attributes["contributions"]?.array?.first
        #expect(
            copy?["details"]?["sensors"]?["gps"]?.array?.first?["latitude"] == .number(48.2),
            "\(copy ?? .null)")
    }

    @Test func `TYT-5 a new version takes over what was half filled in`() throws {
        let item = desk.add("wellbeing-5", to: study)
        enrol()
        let nora = AnsweringPerson(portal, .nora, at: "/my/questionnaires/\(item)")
        nora.press("later", [("calm", "3")])
        nora.open("/my/questionnaires/\(item)")
        try portal.publish("wellbeing-5")
        let sent = nora.press("next", [("energy", "2")])
        #expect(sent.status == 409 && sent.text.contains("in einer neuen Version"), "\(sent.text)")
        let version = desk.version("wellbeing-5", .nora)
        let draft = portal.call(.get, "/my/drafts/\(version)", as: .nora).attributes["answers"]
        #expect(draft?["calm"] == .number(3) && draft?["energy"] == .number(2))
        #expect(try portal.count("answer_drafts") == 1)
    }
}
