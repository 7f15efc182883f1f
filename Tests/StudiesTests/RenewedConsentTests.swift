import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Web

/// TYS-1: a study whose consent text has changed asks again, over the API as on the page.
@Suite struct RenewedConsentTests {
    let portal: TestPortal
    let desk: StudyDesk
    let study: String

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        study = desk.begin()
        #expect(desk.enrol(.pia, in: study).status == 201)
    }

    func write(_ text: String) {
        let change = #"{"consent_text": {"de": "\#(text)"}}"#
        #expect(portal.change(.patch, "/studies/\(study)", change, as: .lena).status == 200)
    }

    func agree(_ version: String, accepted: Bool = true, as person: Person = .pia) -> Response {
        let body = #"{"consent_accepted": \#(accepted), "consent_version": \#(version)}"#
        return portal.call(.post, "/studies/\(study)/enrolment/consent", body, as: person)
    }

    func enrolment(_ person: Person = .pia) -> Response {
        portal.call(.get, "/studies/\(study)/enrolment", as: person)
    }

    /// What was agreed to, and what there is.
    func versions() -> [JSON?] {
        let enrolment = enrolment().attributes
        return [enrolment["consent_version"], enrolment["newest_consent_version"]]
    }

    @Test func `TYS-1 the enrolment tells that a newer text waits, and one call agrees to it`() throws {
        #expect(versions() == [.number(1), .number(1)])
        let first = enrolment()
        write("Ganz neuer Text.")
        #expect(versions() == [.number(1), .number(2)])
        // Asking with the former tag gives the change.
        let tag = try #require(first.headers["ETag"])
        let path = "/studies/\(study)/enrolment"
        #expect(portal.call(.get, path, as: .pia, ["If-None-Match": tag]).status == 200)
        // The text and its number stand together.
        let shown = portal.call(.get, "/studies/\(study)", as: .pia).attributes
        #expect(shown["consent_text"]?.string == "Ganz neuer Text." && shown["consent_version"] == .number(2))
        portal.wait(seconds: 60)
        let agreed = agree("2")
        #expect(agreed.status == 200 && agreed.attributes["consented_at"]?.string == portal.now.text)
        #expect(versions() == [.number(2), .number(2)])
        #expect(try portal.audit().contains("enrolment.consent_renewed"))
        #expect(!portal.get("/my/studies", as: .pia).text.contains("/consent\""))
    }

    @Test func `a text that is another one by now answers 409, and nothing is agreed to`() {
        write("Zweiter Text.")
        write("Dritter Text.")
        for version in ["1", "2", "4"] {
            let stale = agree(version)
            #expect(stale.status == 409 && stale.json["code"]?.string == "consent_changed", "\(version)")
        }
        #expect(versions() == [.number(1), .number(3)])
        #expect(agree("3").status == 200)
    }

    @Test func `the same again is 200, and when it was agreed to stays`() {
        write("Zweiter Text.")
        let first = agree("2")
        portal.wait(seconds: 600)
        let again = agree("2")
        #expect(first.status == 200 && again.status == 200 && first.bytes == again.bytes)
    }

    @Test func `D5 what is wrong or missing is named`() {
        write("Zweiter Text.")
        #expect(agree("2", accepted: false).wrongFields == ["consent_accepted"])
        #expect(agree("0").wrongFields == ["consent_version"])
        #expect(agree("\"2\"").wrongFields == ["consent_version"])
        let path = "/studies/\(study)/enrolment/consent"
        let nothing = portal.call(.post, path, "{}", as: .pia)
        #expect(Set(nothing.wrongFields) == ["consent_accepted", "consent_version"])
        #expect(versions() == [.number(1), .number(2)])
    }

    @Test func `D2 who does not take part, or not any more, finds nothing to agree to`() {
        write("Zweiter Text.")
        #expect(agree("2", as: .nora).status == 404)
        #expect(portal.call(.delete, "/studies/\(study)/enrolment", as: .pia).status == 204)
        #expect(agree("2").status == 404)
    }
}
