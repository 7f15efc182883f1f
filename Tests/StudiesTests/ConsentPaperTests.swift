import HTTP
import JSON
import Testing
import Wire

@testable import Database
@testable import PortalTesting
@testable import Records
@testable import Studies
@testable import Web

/// ST-6: what was agreed to, as a page that both sides print.
@Suite struct ConsentPaperTests {
    let portal: TestPortal
    let desk: StudyDesk
    let study: String

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        study = desk.begin(#"{"measurements": ["steps", "sleep"]}"#)
        _ = desk.add("wellbeing-5", to: study, #", "can_use": [{"name": "gps"}]"#)
    }

    private func own(as person: Person = .nora) -> Response {
        portal.get("/my/studies/\(study)/consents/print", as: person)
    }

    private func lead(_ codename: String, as person: Person = .lena) -> Response {
        portal.get("/studies/\(study)/participants/\(codename)/consent", as: person)
    }

    /// - Returns: the codename.
    private func enrol(_ more: String = "", as person: Person = .nora) -> String {
        let enrolled = desk.enrol(
            person, in: study, #"{"consent_accepted": true, "consent_version": 1\#(more)}"#)
        #expect(enrolled.status == 201, "\(enrolled.text)")
        return enrolled.attributes["codename"]?.string ?? ""
    }

    private func renew() {
        let change = #"{"consent_text": {"de": "Ich nehme freiwillig teil, auch im Winter."}}"#
        #expect(portal.change(.patch, "/studies/\(study)", change, as: .lena).status == 200)
        let form = [("version", "2"), ("consent_accepted", "true")]
        #expect(portal.post("/my/studies/\(study)/consent", form, as: .nora).status == 303)
    }

    @Test
    func
        `ST-6 a participant prints each text with when and how, what was asked one by one, the end and the receipt`()
        throws
    {
        let codename = enrol(#", "measurements": ["steps"], "location": "refused""#)
        try portal.wait(awake: 2)
        renew()
        let before = own().text
        #expect(!before.contains("Teilnahme beendet") && !before.contains("Nummer der Quittung"))
        let left = portal.call(
            .delete, "/studies/\(study)/enrolment", as: .nora, ["Prefer": "return=representation"])
        let receipt = try #require(left.attributes["receipt"]?.string.flatMap { ReceiptNumber(typed: $0) })
        let page = own()
        #expect(page.status == 200)
        for words in [
            "Stress im Alltag", codename, "Version 2", "auch im Winter.", "im Browser", "Version 1",
            "Ich nehme freiwillig teil.<", "in der App", "Teilnahme beendet", receipt.shown, "Ort, Datum",
            "Unterschrift", "data-foot=",
        ] { #expect(page.text.contains(words), "\(words)") }
        let rows = page.text.matches(of: /<th scope="row">([^<]+)<\/th><td>([^<]+)<\/td><td>([^<]+)<\/td>/)
            .map { [String($0.1), String($0.2), String($0.3.prefix(10))] }
        #expect(
            rows == [
                ["Standort", "nicht zugestimmt", "20.11.2026"], ["Schritte", "zugestimmt", "20.11.2026"],
            ])
        // What was never answered stands there as long as it is asked: afterwards it may have been asked of others alone.
        #expect(before.contains("Schlaf"))
        #expect(portal.get("/my/studies/\(study)/consents", as: .nora).text.contains("consents/print\""))
    }

    @Test func `ST-6 each tick has its own moment, and the copy of own data has all of them`() throws {
        _ = enrol(#", "measurements": ["steps"]"#)
        try portal.wait(awake: 1)
        let path = "/studies/\(study)/enrolment/measurements"
        #expect(portal.call(.put, path, #"{"measurements": ["steps", "sleep"]}"#, as: .nora).status == 200)
        try portal.wait(awake: 1)
        #expect(portal.call(.put, path, #"{"measurements": ["sleep"]}"#, as: .nora).status == 200)
        let rows = own().text.matches(of: /<th scope="row">(S[^<]+)<\/th><td>([^<]+)<\/td><td>([^<]+)<\/td>/)
            .map { [String($0.1), String($0.2), String($0.3.prefix(10))] }
        #expect(
            rows == [
                ["Standort", "nicht zugestimmt", "–"], ["Schritte", "nicht zugestimmt", "22.11.2026"],
                ["Schlaf", "zugestimmt", "21.11.2026"],
            ])
        let copy = portal.call(.get, "/my/export", as: .nora).attributes["studies"]?.array ?? []
        let choices = copy.flatMap { $0["choices"]?.array ?? [] }
        #expect(choices.map { $0["kind"]?.string } == ["steps", "sleep", "steps"])
        #expect(choices.map { $0["agreed"] } == [.bool(true), .bool(true), .bool(false)])
    }

    @Test func `ST-6 leads print it by codename, without name, address, receipt or answers`() throws {
        #expect(portal.post("/my/settings/profile", [("name", "Nora Namenskanar")], as: .nora).status == 303)
        let codename = enrol(#", "measurements": ["steps"]"#)
        renew()
        let words = #"{"enjoyed": 3, "calm": 3, "energy": 2, "slept": 4, "company": 3}"#
        #expect(desk.answer("wellbeing-5", in: study, as: .nora, words).status == 201)
        let left = portal.call(
            .delete, "/studies/\(study)/enrolment?data=remove", as: .nora, ["Prefer": "return=representation"]
        )
        let receipt = try #require(left.attributes["receipt"]?.string.flatMap { ReceiptNumber(typed: $0) })
        let page = lead(codename)
        #expect(page.status == 200)
        for words in [codename, "Version 2", "Version 1", "Teilnahme beendet", "Unterschrift", "Schritte"] {
            #expect(page.text.contains(words), "\(words)")
        }
        let log = portal.get("/studies/\(study)/consents", as: .lena).text
        #expect(log.contains("/studies/\(study)/participants/\(codename)/consent"))
        let calls = portal.call(.get, "/studies/\(study)/consents", as: .lena).text
        let archive = try desk.text(study, "json")
        for text in [page.text, log, calls, archive] {
            for canary in [
                "Namenskanar", "nora@example.org", receipt.shown, receipt.text,
                portal.cast.accounts[.nora]?.text ?? "?",
            ] { #expect(!text.contains(canary), "\(canary)") }
        }
    }

    @Test func `ST-6 of a signature on paper the printed page says the day`() throws {
        let body = #"{"codename": "AB1234", "consented_on": "2026-11-19", "consent_version": 1}"#
        #expect(portal.call(.post, "/studies/\(study)/participants", body, as: .lena).status == 201)
        let page = lead("AB1234").text
        #expect(page.contains("Zugestimmt: 19.11.2026, auf Papier"), "\(page)")
        let english = portal.get("/studies/\(study)/participants/AB1234/consent?lang=en", as: .lena)
        #expect(english.status == 200)
    }

    @Test func `ST-6 D2 another lead and another person find nothing to print`() throws {
        let codename = enrol()
        for path in ["participants/\(codename)/consent", "consents", "export"] {
            #expect(portal.get("/studies/\(study)/\(path)", as: .leo).status == 404, "\(path)")
            #expect(portal.get("/studies/\(study)/\(path)", as: .ada).status == 403, "\(path)")
        }
        for path in ["consents", "export?format=zip"] {
            #expect(portal.call(.get, "/studies/\(study)/\(path)", as: .leo).status == 404, "\(path)")
        }
        #expect(own(as: .pia).status == 404)
        #expect(lead("S000000").status == 404)
        // A study of the lead's own does not open another one's participant.
        let other = desk.begin(named: "andere")
        #expect(portal.get("/studies/\(other)/participants/\(codename)/consent", as: .lena).status == 404)
    }
}
