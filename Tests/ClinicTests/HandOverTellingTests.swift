import HTTP
import JSON
import Records
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Therapies
@testable import Web

/// PR-31: both therapists are told of a hand-over until each has read it, and the new one gets a list.
@Suite struct HandOverTellingTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }

    private func hand(to email: String = "ben@example.org") {
        #expect(
            portal.call(.post, "/patients/C000001/hand-over", #"{"email": "\#(email)"}"#, as: .uma).status
                == 204)
    }

    @Test func `PR-31 a line stands on both Todays until it was read by each`() throws {
        hand()
        let given = portal.get("/", as: .ada).text
        let taken = portal.get("/", as: .ben).text
        #expect(given.contains("Die Therapie C000001 ist seit 20.11.2026 bei Ben Steiner"))
        #expect(!given.contains("/handed-over"))
        #expect(taken.contains("Ada Lindner hat Ihnen am 20.11.2026 die Therapie C000001 übergeben"))
        #expect(taken.contains("/patients/\(pia)/handed-over"))
        let told = portal.call(.get, "/hand-overs", as: .ben).list
        let id = try #require(told.first?["id"]?.string)
        #expect(told.first?["attributes"]?["patient_id"] == .string(pia.text))
        let former = portal.call(.get, "/hand-overs", as: .ada).list.first?["attributes"]
        #expect(former?["patient_id"] == .null && former?["codename"] == .string("C000001"))
        #expect(portal.post("/hand-overs/\(id)/read", as: .ben).status == 303)
        #expect(!portal.get("/", as: .ben).text.contains("C000001 übergeben"))
        #expect(portal.get("/", as: .ada).text.contains("Die Therapie C000001 ist seit"))
        #expect(portal.call(.post, "/hand-overs/\(id)/read", "{}", as: .ada).status == 204)
        #expect(portal.call(.post, "/hand-overs/\(id)/read", "{}", as: .ada).status == 204)
        #expect(!portal.get("/", as: .ada).text.contains("Die Therapie C000001 ist seit"))
        #expect(portal.call(.post, "/hand-overs/\(id)/read", "{}", as: .lena).status == 403)
        let none = "11111111-2222-4333-8444-555555555555"
        #expect(portal.call(.post, "/hand-overs/\(none)/read", "{}", as: .ada).status == 404)
    }

    @Test func `PR-31 the new therapist's list says what came along and what stopped`() throws {
        let rule = """
            {"name": "x", "combine": "all", "rest_days": 1, "alert": "Kein Lebenszeichen", "enabled": true,
             "conditions": [{"kind": "silent", "days": 2}]}
            """
        #expect(portal.call(.post, "/rules", rule, as: .ada).status == 201)
        let file = "/patients/\(pia)"
        #expect(portal.call(.patch, file, #"{"alias": "Kanari"}"#, as: .ada).status == 200)
        // Before any hand-over there is no list.
        #expect(portal.get(file + "/handed-over", as: .ada).status == 303)
        #expect(portal.post(file + "/hand-over", [("alias", "true")], as: .ada).status == 303)
        hand()
        let list = portal.get(file + "/handed-over", as: .ben)
        #expect(list.status == 200 && list.text.contains("Übergeben von Ada Lindner am 20.11.2026"))
        #expect(
            list.text.contains("Ist eingetragen.") && list.text.contains("Eine Reaktion folgt nicht mehr"))
        // The name was let along.
        #expect(list.text.contains("Kanari"))
        #expect(portal.get(file + "/handed-over", as: .ada).status == 404)
        let told = portal.call(.get, "/hand-overs", as: .ben).list.first?["attributes"]
        #expect(told?["took_alias"] == .bool(true) && told?["stopped_reactions"] == .number(1))
    }
}
