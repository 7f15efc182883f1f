import HTTP
import JSON
import Testing
import Wire

@testable import Database
@testable import PortalTesting
@testable import Records
@testable import Studies
@testable import Web

/// ST-6: a no to a newer consent text ends the participation as chosen; until then the earlier text stands.
@Suite struct RefusalTests {
    let portal: TestPortal
    let desk: StudyDesk
    let study: String

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        #expect(desk.enrol(.nora, in: study).status == 201)
        #expect(desk.answer("wellbeing-5", in: study, as: .nora).status == 201)
        write("Zwei.")
    }

    func write(_ text: String) {
        let change = #"{"consent_text": {"de": "\#(text)"}}"#
        #expect(portal.change(.patch, "/studies/\(study)", change, as: .lena).status == 200)
    }

    func refuse(_ version: String = "2", _ data: String = "keep", as person: Person = .nora) -> Response {
        let body = #"{"consent_version": \#(version), "data": "\#(data)"}"#
        return portal.call(.post, "/studies/\(study)/enrolment/refusal", body, as: person)
    }

    func submit(_ fields: [(String, String)]) -> Response {
        portal.post("/my/studies/\(study)/consent/refusal", fields, as: .nora)
    }

    func agree(_ version: String = "2") -> Response {
        let body = #"{"consent_accepted": true, "consent_version": \#(version)}"#
        return portal.call(.post, "/studies/\(study)/enrolment/consent", body, as: .nora)
    }

    func state() -> String? {
        portal.call(.get, "/studies/\(study)/enrolment", as: .nora).attributes["state"]?.string
    }

    func versions() -> [JSON?] {
        portal.call(.get, "/my/studies/\(study)/consents", as: .nora).list.map {
            $0["attributes"]?["version"]
        }
    }

    /// The sheets in the study's file.
    func sheets() throws -> Int { try desk.export(study, "json")["occasions"]?.array?.count ?? 0 }

    @Test(arguments: [("keep", "kept", 1), ("remove", "erased", 0)])
    func `ST-6 a refusal ends taking part as chosen, with a receipt, and sent twice it is the same`(
        data: String, answers: String, sheets: Int
    ) throws {
        let refused = refuse("2", data)
        #expect(refused.status == 200 && refused.attributes["answers"]?.string == answers, "\(refused.text)")
        let number = try #require(refused.attributes["receipt"]?.string)
        #expect(portal.call(.get, "/receipts/\(number)").attributes["answers"]?.string == answers)
        #expect(state() == "left" && versions() == [.number(1)])
        #expect(try self.sheets() == sheets)
        #expect(try portal.audit().contains("enrolment.consent_refused"))
        // A newer text makes no difference to what has ended.
        write("Drei.")
        let again = refuse("2", data)
        #expect(again.status == 200 && again.bytes == refused.bytes, "\(again.text)")
        #expect(try portal.count("leaving_receipts") == 1)
        #expect(agree("3").status == 404 && versions() == [.number(1)])
    }

    @Test func `ST-6 the page offers both ends beside the text, and until then the earlier text stands`()
        throws
    {
        let page = portal.get("/my/studies/\(study)/consent", as: .nora).text
        #expect(
            page.contains("/my/studies/\(study)/consent/refusal") && page.contains("Noch nicht entscheiden"))
        for choice in ["value=\"keep\"", "value=\"remove\""] { #expect(page.contains(choice), "\(choice)") }
        #expect(state() == "enrolled" && versions() == [.number(1)])
        #expect(desk.answer("wellbeing-5", in: study, as: .nora).status == 201)
        let unsaid = submit([("version", "2"), ("data", "")])
        #expect(unsaid.status == 422 && unsaid.text.contains("class=\"errors\""), "\(unsaid.text)")
        #expect(unsaid.text.contains(" open>") && state() == "enrolled")
        let refused = submit([("version", "2"), ("data", "remove")])
        #expect(refused.headers["Location"] == "/my/studies/\(study)/receipt", "\(refused.status)")
        #expect(portal.get("/my/studies/\(study)/receipt", as: .nora).text.contains("sind gelöscht"))
        let twice = submit([("version", "2"), ("data", "remove")])
        #expect(twice.headers["Location"] == "/my/studies/\(study)/receipt")
        // A yes that was on its way from another device agrees to nothing, and is told.
        let late = portal.post(
            "/my/studies/\(study)/consent", [("version", "2"), ("consent_accepted", "true")], as: .nora)
        #expect(late.headers["Location"] == "/my/studies/\(study)/consents" && versions() == [.number(1)])
    }

    @Test
    func `ST-6 a text that was replaced is neither refused nor agreed to, and the present one is shown`()
        throws
    {
        write("Drei.")
        for answer in [refuse("2"), agree("2")] {
            #expect(
                answer.status == 409 && answer.json["code"]?.string == "consent_changed", "\(answer.text)")
            let present = answer.json["data"]?["attributes"]
            #expect(present?["consent_text"]?.string == "Drei." && present?["consent_version"] == .number(3))
        }
        let page = submit([("version", "2"), ("data", "remove")])
        #expect(page.status == 412 && page.text.contains("<ins>Drei.</ins>"), "\(page.status)")
        try #expect(state() == "enrolled" && versions() == [.number(1)] && sheets() == 1)
        #expect(refuse("3").status == 200)
    }

    @Test func `ST-6 a text that is replaced in this moment is not refused`() throws {
        let (answer, hasCome) = portal.interleaving({ write("Drei.") }) { refuse("2", "remove") }
        #expect(hasCome && answer.status == 409 && answer.json["code"]?.string == "consent_changed")
        try #expect(state() == "enrolled" && sheets() == 1)
    }

    @Test func `ST-6 of a yes and a no from two devices the first one counts, and the other is told`() throws
    {
        let (no, hasCome) = portal.interleaving({ #expect(agree().status == 200) }) { refuse("2", "remove") }
        #expect(hasCome && no.status == 409 && no.json["code"]?.string == "consent_given", "\(no.text)")
        try #expect(state() == "enrolled" && versions() == [.number(2), .number(1)] && sheets() == 1)
        #expect(try portal.count("leaving_receipts") == 0)
        let page = submit([("version", "2"), ("data", "remove")])
        #expect(page.headers["Location"] == "/my/studies" && state() == "enrolled")
        write("Drei.")
        let (yes, _) = portal.interleaving({ #expect(refuse("3").status == 200) }) { agree("3") }
        #expect(yes.status == 404 && state() == "left" && versions() == [.number(2), .number(1)])
    }

    @Test func `ST-6 a refusal that comes late does not end a participation begun anew`() throws {
        #expect(refuse().status == 200)
        try portal.wait(awake: 1)
        #expect(desk.enrol(.nora, in: study).status == 201)
        let late = refuse("2", "remove")
        #expect(late.status == 409 && late.json["code"]?.string == "consent_given" && state() == "enrolled")
        #expect(try sheets() == 1)
    }

    @Test func `ST-6 a refusal by a request, or after leaving, erases nothing of what is over`() throws {
        let left = portal.call(
            .delete, "/studies/\(study)/enrolment?data=keep", as: .nora, ["Prefer": "return=representation"])
        let number = try #require(left.attributes["receipt"]?.string, "\(left.text)")
        for version in ["1", "2"] {
            let late = refuse(version, "remove")
            #expect(late.status == 200 && late.attributes["receipt"]?.string == number, "\(late.text)")
            #expect(late.attributes["answers"]?.string == "kept")
        }
        try portal.wait(awake: 1)
        #expect(
            portal.change(.patch, "/studies/\(study)", #"{"access": "request"}"#, as: .lena).status == 200)
        #expect(desk.enrol(.nora, in: study).status == 202)
        write("Drei.")
        #expect(refuse("3", "remove").status == 204)
        // Sent once more, because the answer did not arrive.
        _ = refuse("3", "remove")
        #expect(portal.call(.get, "/receipts/\(number)").attributes["answers"]?.string == "kept")
        #expect(try sheets() == 1)
    }

    @Test func `ST-6 D5 what is wrong or missing is named, and ends nothing`() {
        #expect(refuse("2", "burn").wrongFields == ["data"])
        #expect(refuse("0").wrongFields == ["consent_version"])
        #expect(refuse("\"2\"").wrongFields == ["consent_version"])
        let nothing = portal.call(.post, "/studies/\(study)/enrolment/refusal", "{}", as: .nora)
        #expect(Set(nothing.wrongFields) == ["consent_version", "data"])
        #expect(state() == "enrolled")
    }

    @Test
    func
        `ST-6 D2 who does not take part has nothing to refuse, and a request is withdrawn without a receipt`()
        throws
    {
        #expect(refuse("2", as: .pia).status == 404)
        let change = #"{"access": "request"}"#
        #expect(portal.change(.patch, "/studies/\(study)", change, as: .lena).status == 200)
        #expect(desk.enrol(.quinn, in: study).status == 202)
        write("Drei.")
        #expect(refuse("3", as: .quinn).status == 204)
        #expect(portal.call(.get, "/studies/\(study)/enrolment", as: .quinn).status == 404)
        #expect(try portal.count("leaving_receipts") == 0)
    }
}
