import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import Database
@testable import PortalTesting
@testable import Records
@testable import Studies
@testable import Web

/// FD-22: what was agreed to stays, with when and how, and sheets carry the text they were given under.
@Suite struct AgreedConsentTests {
    let portal: TestPortal
    let desk: StudyDesk
    let study: String

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
    }

    private func write(_ text: String) {
        let change = #"{"consent_text": {"de": "\#(text)"}}"#
        #expect(portal.change(.patch, "/studies/\(study)", change, as: .lena).status == 200)
    }

    private func answer(_ person: Person = .nora) {
        #expect(desk.answer("wellbeing-5", in: study, as: person).status == 201)
    }

    private func agree(to version: Int, as person: Person = .nora) -> Response {
        portal.post(
            "/my/studies/\(study)/consent", [("version", "\(version)"), ("consent_accepted", "true")],
            as: person)
    }

    private func notices(_ person: Person = .nora) -> [JSON] {
        portal.call(.get, "/my/notices", as: person).list.compactMap { $0["attributes"] }
            .filter { $0["kind"]?.string == "consent_changed" }
    }

    private func rows(_ path: String, as person: Person) -> [[String]] {
        portal.call(.get, path, as: person).list.map { row in
            ["version", "way", "agreed_at", "text", "codename"].compactMap { name in
                switch row["attributes"]?[name] {
                case .string(let text): text
                case .number(let number): String(Int(number))
                default: nil
                }
            }
        }
    }

    @Test
    func `FD-22 a text changed on the third day and agreed to on the fifth is told, and sheets carry theirs`()
        throws
    {
        // After the cast's study, so that one comes before the other.
        portal.wait(seconds: 60)
        let enrolled = portal.now
        #expect(
            portal.post("/my/studies/stress-26/enrolment", [("consent_accepted", "true")], as: .nora).status
                == 303)
        #expect(desk.enrol(.quinn, in: study).status == 201)
        try portal.wait(awake: 1)
        answer()
        try portal.wait(awake: 1)
        write("Ich nehme teil, auch ohne App.")
        // Told: a notice, and the first page until it is answered.
        let told = notices()
        #expect(told.count == 1 && told[0]["text"]?.string?.contains("Stress im Alltag") == true)
        #expect(notices(.quinn).count == 1 && notices(.pia).isEmpty)
        let link = "href=\"/my/studies/\(study)/consent\""
        #expect(portal.get("/my", as: .nora).text.contains(link))
        #expect(portal.get("/my/studies", as: .nora).text.contains(link))
        try portal.wait(awake: 1)
        answer()
        // Filled in without a network on the fourth day, sent on the sixth.
        let late = portal.now
        try portal.wait(awake: 1)
        // Both texts beside each other, with what is other.
        let page = portal.get("/my/studies/\(study)/consent", as: .nora).text
        #expect(page.contains("Ich nehme <del>freiwillig teil.</del>"))
        #expect(page.contains("Ich nehme <ins>teil, auch ohne App.</ins>"))
        #expect(agree(to: 2).status == 303)
        let agreed = portal.now
        #expect(!portal.get("/my", as: .nora).text.contains(link))
        #expect(notices().allSatisfy { $0["seen_at"]?.string == agreed.text })
        #expect(portal.get("/my", as: .quinn).text.contains(link))
        try portal.wait(awake: 1)
        answer()
        let sent = portal.call(
            .put, "/my/contributions/\(UUID().uuidString.lowercased())",
            """
            {"study_id": "\(study)", "questionnaire_id": "\(desk.version("wellbeing-5", .nora))",
             "started_at": "\(late.adding(seconds: 600).text)", "completed_at": "\(late.adding(seconds: 660).text)",
             "timezone": "Europe/Vienna", "answers": \(StudyDesk.wellbeing)}
            """, as: .nora)
        #expect(sent.status == 201)

        try checkExport(["1", "1", "1", "2"])
        let own = rows("/my/studies/\(study)/consents", as: .nora)
        #expect(
            own == [
                ["2", "browser", agreed.text, "Ich nehme teil, auch ohne App."],
                ["1", "browser", enrolled.text, "Ich nehme freiwillig teil."],
            ])
        let all = rows("/studies/\(study)/consents", as: .lena)
        #expect(all.count == 3 && all[0].prefix(3) == ["2", "browser", agreed.text])
        #expect(Set(all[1...].map { $0[1] }) == ["app", "browser"] && all.allSatisfy { $0.count == 4 })

        // For ever: the next text, leaving with everything that was answered, and coming back.
        write("Der dritte Text.")
        #expect(portal.call(.delete, "/studies/\(study)/enrolment?data=remove", as: .nora).status == 204)
        #expect(rows("/my/studies/\(study)/consents", as: .nora) == own)
        #expect(rows("/studies/\(study)/consents", as: .lena) == all)
        #expect(portal.get("/my/studies", as: .nora).text.contains("/my/studies/\(study)/consents"))
        let kept = portal.get("/my/studies/\(study)/consents", as: .nora).text
        #expect(kept.contains("Ich nehme freiwillig teil.") && kept.contains("im Browser"))
        #expect(portal.get("/studies/\(study)/consents", as: .lena).text.contains(all[0][3]))
        try portal.wait(awake: 1)
        #expect(desk.enrol(.nora, in: study).status == 201)
        #expect(rows("/my/studies/\(study)/consents", as: .nora).map { $0[0] } == ["3", "2", "1"])
        let copy = portal.call(.get, "/my/export", as: .nora).attributes["studies"]?.array ?? []
        // The first one is the cast's.
        #expect(copy.compactMap { $0["consents"]?.array?.count } == [1, 2, 1])
    }

    @Test func `LF-4 the study's page counts the agreements that the consent log lists`() throws {
        #expect(desk.enrol(.nora, in: study).status == 201)
        #expect(desk.enrol(.quinn, in: study).status == 201)
        write("Ich nehme teil, auch ohne App.")
        try portal.wait(awake: 1)
        #expect(agree(to: 2).status == 303)
        // A no to all research, and one that left with everything: what they agreed to stays in the log.
        #expect(
            portal.change(.put, "/my/privacy", #"{"research_consent": false}"#, as: .quinn).status == 200)
        #expect(portal.call(.delete, "/studies/\(study)/enrolment?data=remove", as: .nora).status == 204)
        let log = rows("/studies/\(study)/consents", as: .lena)
        #expect(log.map { $0[0] }.sorted() == ["1", "1", "2"])
        let page = portal.get("/studies/\(study)", as: .lena).text
        let counts = page.matches(of: /· (\d+ Zustimmung(?:en)?)<\/span>/).map { String($0.1) }
        #expect(counts == ["1 Zustimmung", "2 Zustimmungen"], "\(page)")
    }

    /// Every format that has sheets says the same.
    private func checkExport(_ versions: [String]) throws {
        for format in ["csv", "wide"] {
            let lines = try desk.text(study, format).split(separator: "\r\n").map {
                $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            }
            let column = try #require(lines[0].firstIndex(of: "consent_version"))
            let occasion = try #require(lines[0].firstIndex(of: "occasion"))
            let found = Set(lines.dropFirst().map { "\($0[occasion]) \($0[column])" })
            #expect(found == Set(versions.enumerated().map { "\($0.offset + 1) \($0.element)" }), "\(format)")
        }
        let occasions = try desk.export(study, "json")["occasions"]?.array ?? []
        #expect(occasions.map { $0["consent_version"] } == versions.map { .number(Double($0) ?? 0) })
        #expect(try desk.text(study, "codebook").contains("consent_version,"))
    }

    @Test
    func
        `FD-22 who has only asked is told too, who left or was declined is not, and no new text tells nobody`()
        throws
    {
        let change = #"{"access": "request"}"#
        #expect(portal.change(.patch, "/studies/\(study)", change, as: .lena).status == 200)
        for person in [Person.nora, .quinn, .pia] {
            #expect(desk.enrol(person, in: study).status == 202)
        }
        let codename = { (person: Person) in
            portal.call(.get, "/studies/\(study)/enrolment", as: person).attributes["codename"]?.string ?? ""
        }
        for (person, word) in [(Person.quinn, "decline"), (.pia, "accept")] {
            let path = "/studies/\(study)/participants/\(codename(person))/\(word)"
            #expect(portal.call(.post, path, as: .lena).status == 200)
        }
        #expect(portal.call(.delete, "/studies/\(study)/enrolment", as: .pia).status == 204)
        let before = notices(.pia).count
        #expect(
            portal.change(.patch, "/studies/\(study)", #"{"is_private": true}"#, as: .lena).status == 200)
        #expect(notices(.nora).isEmpty)
        write("Neu.")
        #expect(notices(.nora).count == 1 && notices(.quinn).isEmpty && notices(.pia).count == before)
        #expect(portal.get("/my", as: .nora).text.contains("/my/studies/\(study)/consent"))
        #expect(agree(to: 2).status == 303)
        #expect(rows("/my/studies/\(study)/consents", as: .nora).map { $0[0] } == ["2", "1"])
        // What was only asked for and taken back is forgotten, as before.
        #expect(portal.call(.delete, "/studies/\(study)/enrolment", as: .nora).status == 204)
        #expect(portal.call(.get, "/my/studies/\(study)/consents", as: .nora).status == 404)
    }

    @Test func `FD-22 a consent on paper is a row of its own way, and its sheets carry it`() throws {
        write("Neu.")
        let body = #"{"codename": "AB1234", "consented_on": "2026-11-20", "consent_version": 1}"#
        #expect(portal.call(.post, "/studies/\(study)/participants", body, as: .lena).status == 201)
        let rows = rows("/studies/\(study)/consents", as: .lena)
        #expect(rows.count == 1 && rows[0].prefix(2) == ["1", "paper"] && rows[0].last == "AB1234")
        let sheet = """
            {"questionnaire_key": "wellbeing-5", "completed_at": "\(portal.now.text)", "answers": \(StudyDesk.wellbeing)}
            """
        let path = "/studies/\(study)/participants/AB1234/contributions"
        #expect(portal.call(.post, path, sheet, as: .lena).status == 204)
        try checkExport(["1"])
        // Participants without an account of their own are not told.
        write("Wieder neu.")
        #expect(try portal.count("notices") == 0)
    }

    @Test func `FD-22 rows never change, and go with their person alone`() throws {
        #expect(desk.enrol(.nora, in: study).status == 201)
        #expect(throws: (any Error).self) {
            try portal.services.records.writeUnaudited(.madeUp) {
                try $0.run("UPDATE enrolment_consents SET version = 2")
            }
        }
        #expect(rows("/my/studies/\(study)/consents", as: .nora).count == 1)
        #expect(portal.call(.get, "/my/studies/\(study)/consents", as: .pia).status == 404)
        #expect(portal.get("/my/studies/\(study)/consents", as: .pia).status == 404)
        #expect(portal.call(.get, "/studies/\(study)/consents", as: .leo).status == 404)
        let deleted = portal.call(.delete, "/my/account", #"{"password": "\#(Cast.password)"}"#, as: .nora)
        #expect([200, 202, 204].contains(deleted.status), "\(deleted.text)")
        #expect(rows("/studies/\(study)/consents", as: .lena).isEmpty)
    }

    @Test func `FD-22 leaving needs no answer to a newer text any more`() throws {
        for person in [Person.nora, .quinn] { #expect(desk.enrol(person, in: study).status == 201) }
        write("Zwei.")
        let left = portal.call(.delete, "/studies/\(study)/enrolment", as: .nora)
        #expect([200, 204].contains(left.status), "\(left.text)")
        #expect(notices()[0]["seen_at"]?.string == portal.now.text && notices(.quinn)[0]["seen_at"] == .null)
    }

    @Test func `FD-22 a text that changes between reading and agreeing is agreed to by nobody`() throws {
        #expect(desk.enrol(.nora, in: study).status == 201)
        write("Zwei.")
        let (response, _) = portal.interleaving({ write("Drei.") }) { agree(to: 2) }
        #expect(response.status == 412 && response.text.contains("<ins>Drei.</ins>"))
        #expect(rows("/my/studies/\(study)/consents", as: .nora).map { $0[0] } == ["1"])
        #expect(notices().count == 2)
    }
}
