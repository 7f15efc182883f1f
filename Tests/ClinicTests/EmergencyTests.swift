import Database
import HTTP
import JSON
import Records
import Testing
import Wire

@testable import Clinic
@testable import Portal
@testable import PortalTesting
@testable import Therapies
@testable import Web

/// PR-29: the person to call in danger, for the therapist, and with a reason for colleagues who stand in.
@Suite struct EmergencyTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }
    var place: String { "/patients/\(pia)/emergency-contact" }
    private static let contact =
        #"{"name": "Maria Tal", "relation": "Schwester", "phone": "+43 1 234 56 78", "knows": false}"#

    private func enter() {
        let answer = portal.call(.put, place, Self.contact, as: .ada)
        #expect(answer.status == 200, "\(answer.text)")
    }

    private func cover(_ access: String) -> Response {
        let cover = """
            {"colleague_email": "ben@example.org", "patients": "all", "from": "2026-11-20", "until": "2026-11-22",
             "access": "\(access)"}
            """
        return portal.call(.post, "/covers", cover, as: .ada)
    }

    @Test func `PR-29 the therapist enters, reads, changes and removes it; sealed`() throws {
        #expect(portal.call(.get, place, as: .ada).status == 404)
        enter()
        #expect(portal.call(.get, place, as: .ada).attributes["phone"] == .string("+43 1 234 56 78"))
        #expect(portal.get(place, as: .ada).text.contains("Maria Tal"))
        let stored: [UInt8]? = try portal.services.records.read {
            try $0.value("SELECT contact FROM emergency_contacts")
        }
        #expect(!String(decoding: try #require(stored), as: UTF8.self).contains("Maria"))
        let form = [("name", "Otto Tal"), ("phone", "0664 123 45 67"), ("knows", "true")]
        #expect(portal.post(place, form, as: .ada).status == 303)
        #expect(portal.call(.get, place, as: .ada).attributes["knows"] == .bool(true))
        #expect(portal.call(.delete, place, as: .ada).status == 204)
        #expect(portal.call(.delete, place, as: .ada).status == 404)
    }

    @Test(arguments: [
        (#"{"name": "x", "phone": "maria@example.org", "knows": true}"#, "phone"),
        (#"{"name": "x", "phone": "12", "knows": true}"#, "phone"),
        (#"{"name": "x", "knows": true}"#, "phone"), (#"{"phone": "+43 1 23456", "knows": true}"#, "name"),
        (#"{"name": "x", "phone": "+43 1 23456"}"#, "knows"),
        (#"{"name": "x", "phone": "+43 1 23456", "knows": "vielleicht"}"#, "knows"),
    ])
    func `PR-29 what cannot be dialled or is missing is refused with its place`(body: String, field: String) {
        let answer = portal.call(.put, place, body, as: .ada)
        #expect(answer.status == 422 && answer.wrongFields == [field], "\(answer.text)")
        #expect(portal.call(.get, place, as: .ada).status == 404)
    }

    @Test(arguments: ["read", "act"])
    func `PR-29 a cover opens it with a reason, which the patient and the therapist learn`(access: String)
        throws
    {
        enter()
        let opening = place + "/opening"
        #expect(portal.call(.post, opening, #"{"reason": "risk"}"#, as: .ben).status == 404)
        #expect(cover(access).status == 201)
        // The contact itself is the therapist's, and the therapist needs no reason.
        #expect(portal.call(.get, place, as: .ben).status == 404 && portal.get(place, as: .ben).status == 404)
        #expect(portal.call(.post, opening, #"{"reason": "risk"}"#, as: .ada).status == 404)
        #expect(portal.call(.post, opening, #"{"reason": "curious"}"#, as: .ben).wrongFields == ["reason"])
        #expect(portal.call(.post, opening, "{}", as: .ben).wrongFields == ["reason"])
        #expect(!portal.get(opening, as: .ben).text.contains("Maria Tal"))
        let body = #"{"reason": "risk", "words": "hebt nicht ab"}"#
        let opened = portal.call(.post, opening, body, as: .ben)
        #expect(opened.status == 200 && opened.attributes["name"] == .string("Maria Tal"), "\(opened.text)")
        let page = portal.get(opening, as: .ben).text
        #expect(page.contains("tel:+4312345678") && page.contains("Weiß nicht von der Therapie"))
        let log = portal.call(.get, "/my/access-log", as: .pia).list.compactMap { $0["attributes"] }
        let line = try #require(log.first { $0["action"] == .string("emergency_contact.opened") })
        #expect(line["by"] == .string("Ben Steiner") && line["areas"]?.array == [.string("risk")])
        #expect(
            portal.get("/my/settings/access-log", as: .pia).text.contains(
                "Notfallkontakt geöffnet: Grund: Gefahr"))
        let today = portal.get("/", as: .ada).text
        #expect(today.contains("Ben Steiner hat am") && today.contains("Gefahr, hebt nicht ab"))
        #expect(!portal.get("/", as: .ben).text.contains("hebt nicht ab"))
        let read = try #require(today.firstMatch(of: /action="([^"]*\/openings\/[^"]*\/read)"/)).1
        #expect(portal.post(String(read), as: .ben).status == 404)
        #expect(portal.post(String(read), as: .ada).status == 303)
        #expect(!portal.get("/", as: .ada).text.contains("hebt nicht ab"))
        #expect(portal.get(place, as: .ada).text.contains("hebt nicht ab"))
        portal.wait(seconds: 601)
        #expect(!portal.get(opening, as: .ben).text.contains("Maria Tal"))
    }

    @Test func `PR-29 supervision cannot, a second therapist can`() throws {
        enter()
        let opening = place + "/opening"
        for (role, status) in [("supervisor", 404), ("therapist", 200)] {
            let member = #"{"email": "ben@example.org", "role": "\#(role)", "shares_words": true}"#
            let added = portal.call(.post, "/patients/\(pia)/members", member, as: .ada)
            #expect(added.status == 201)
            #expect(
                portal.call(.post, opening, #"{"reason": "other"}"#, as: .ben).status == status, "\(role)")
            #expect(portal.call(.delete, "/patients/\(pia)/members/\(added.id)", as: .ada).status == 204)
        }
    }

    @Test func `PR-29 it is in the own copy, and gone thirty days after the end of the therapy`() throws {
        enter()
        #expect(portal.call(.get, "/my/export", as: .pia).text.contains("Maria Tal"))
        #expect(!portal.get("/patients/\(pia)/file", as: .ada).text.contains("Maria Tal"))
        try portal.services.records.writeUnaudited(.madeUp) { [now = portal.now, pia] connection in
            try connection.run(
                "UPDATE therapies SET ended_at = \(now), ended_on = '2026-11-20' WHERE id = \(pia)")
        }
        for (days, left) in [(29, 1), (2, 0)] {
            portal.wait(days: Int64(days))
            try portal.services.records.writeUnaudited(.expired) { [now = portal.now] connection in
                try EmergencyContactStore.removeExpired(now: now, connection)
            }
            #expect(try portal.count("emergency_contacts") == left)
        }
    }
}
