import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Protocols
@testable import Records
@testable import Therapies
@testable import Web

/// PR-17: protocols in the portal, without scripts.
@Suite struct ProtocolPageTests {
    let portal: TestPortal
    var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }

    init() throws {
        portal = try TestPortal()
        try portal.publish("wellbeing-5")
    }

    static let fields = [
        ("name", "Standard"), ("scope", "own"), ("batteries.before_session", ""),
        ("plan.0.what", ""), ("plan.0.occasion", "before_session"),
        ("plan.1.what", "wellbeing-5"), ("plan.1.occasion", "repeated"), ("plan.1.open_hours", ""),
        ("plan.1.every", "2"), ("plan.1.unit", "week"), ("plan.1.start_day", "7"), ("plan.1.at", "09:30"),
        ("plan.1.end_day", ""), ("plan.1.watched", ""), ("plan.1.threshold", ""), ("dailies", "false"),
        ("interventions.0.intervention_id", ""), ("interventions.0.day", ""),
    ]

    func ids() -> [String] {
        portal.call(.get, "/protocols", as: .ada).list.compactMap { $0["id"]?.string }
    }

    @Test func `PR-17 made, changed and removed by form`() throws {
        #expect(portal.get("/protocols", as: .ada).text.contains("Noch kein Protokoll"))
        let made = portal.post("/protocols/new", Self.fields, as: .ada)
        #expect(made.status == 303, "\(made.text)")
        let id = try #require(ids().first)
        let stored = portal.call(.get, "/protocols/\(id)", as: .ada).attributes
        let entry = stored["plan"]?.array?.first
        #expect(entry?["every"] == .number(2) && entry?["start_day"] == .number(7))
        #expect(entry?["at"] == .string("09:30") && stored["dailies"] == .bool(false))
        let page = portal.get("/protocols/\(id)", as: .ada)
        #expect(page.text.contains(#"value="09:30""#) && page.text.contains("Eintrag 2"))
        // The row that was empty is gone, so the first is the one with something in it.
        #expect(page.text.contains(#"name="plan.0.start_day""#))
        let changed = Self.fields.map { $0.0 == "name" ? ("name", "Neu") : $0 }.filter { $0.0 != "scope" }
        let stale = portal.post("/protocols/\(id)", changed + [("revision", "99")], as: .ada)
        #expect(stale.status == 412 && stale.text.contains("Neu"))
        let revision = portal.revision(on: "/protocols/\(id)", as: .ada)
        #expect(portal.post("/protocols/\(id)", changed + [revision], as: .ada).status == 303)
        #expect(portal.get("/protocols", as: .ada).text.contains("Neu"))
        #expect(portal.get("/protocols/\(id)/removal", as: .ada).text.contains("„Neu“ löschen?"))
        let gone = portal.post(
            "/protocols/\(id)/removal",
            [("confirmed", "true"), portal.revision(on: "/protocols/\(id)/removal", as: .ada)], as: .ada)
        #expect(gone.status == 303 && ids().isEmpty)
    }

    @Test func `PR-17 another row is added without saving, with everything that was typed`() throws {
        let more = portal.post("/protocols/new", Self.fields + [("more", "plan")], as: .ada)
        #expect(
            more.status == 200 && more.text.contains("Eintrag 3") && more.text.contains(#"value="Standard""#))
        #expect(ids().isEmpty)
        let texts = portal.post("/protocols/new", Self.fields + [("more", "interventions")], as: .ada)
        #expect(texts.text.contains("Intervention 2") && ids().isEmpty)
    }

    @Test func `PR-17 what is wrong is said at its field, in the reader's language`() throws {
        let twice = [
            ("plan.2.what", "wellbeing-5"), ("plan.2.occasion", "repeated"), ("plan.2.every", "1"),
            ("plan.2.unit", "week"), ("plan.2.start_day", "7"), ("plan.2.at", "09:30"),
        ]
        let refused = portal.post("/protocols/new", Self.fields + twice, as: .ada)
        #expect(refused.status == 422 && refused.text.contains(##"href="#plan.1.what""##))
        #expect(refused.text.contains("Eintrag 1 im Plan") && refused.text.contains("Eintrag 2 im Plan"))
        let english = portal.post("/protocols/new?lang=en", Self.fields + twice, as: .ada)
        #expect(english.text.contains("entry 1 of the plan"))
        let odd = Self.fields.map { $0.0 == "plan.1.start_day" ? ($0.0, "bald") : $0 }
        let wrong = portal.post("/protocols/new", odd, as: .ada)
        #expect(wrong.status == 422 && wrong.text.contains("Tag von 0 bis 730"), "\(wrong.text)")
        #expect(wrong.text.contains(#"value="bald""#))
    }

    @Test func `PR-17 the list sets and gives up the default; new patients are offered it`() throws {
        #expect(!portal.get("/patients/new", as: .ada).text.contains("protocol_id"))
        #expect(portal.post("/protocols/new", Self.fields, as: .ada).status == 303)
        let id = try #require(ids().first)
        #expect(portal.post("/protocols/\(id)/default", [("is_default", "true")], as: .ada).status == 303)
        #expect(portal.get("/patients/new", as: .ada).text.contains(#"<option value="\#(id)" selected>"#))
        #expect(portal.post("/protocols/\(id)/default", [("is_default", "true")], as: .ben).status == 404)
        let made = portal.post("/patients/new", [("codename", "C111111"), ("protocol_id", id)], as: .ada)
        #expect(made.status == 303)
        let patient = made.headers["Location"]?.split(separator: "/").dropFirst().first.map(String.init) ?? ""
        let plan = portal.get("/patients/\(patient)/deliveries", as: .ada).text
        #expect(plan.contains("Standard") && plan.contains("Eigener Plan"))
        let none = portal.post("/patients/new", [("codename", "C111112"), ("protocol_id", "")], as: .ada)
        let other = none.headers["Location"]?.split(separator: "/").dropFirst().first.map(String.init) ?? ""
        #expect(portal.call(.get, "/patients/\(other)/protocol", as: .ada).attributes["protocol_id"] == .null)
        #expect(portal.post("/protocols/\(id)/default", [("is_default", "false")], as: .ada).status == 303)
    }

    @Test func `PR-17 the plan says what comes from the protocol and what is the patient's own`() throws {
        #expect(portal.post("/protocols/new", Self.fields, as: .ada).status == 303)
        let id = try #require(ids().first)
        let path = "/patients/\(pia)/deliveries"
        let asked = portal.post("/patients/\(pia)/protocol", [("protocol_id", id)], as: .ada)
        #expect(asked.status == 422)
        let put = portal.post(
            "/patients/\(pia)/protocol", [("protocol_id", id), ("follow", "true")], as: .ada)
        #expect(put.status == 303)
        let page = portal.get(path, as: .ada).text
        let (source, own) = (page.range(of: "alle 2 Wochen"), page.range(of: "Eigener Plan"))
        #expect(try #require(source).lowerBound < #require(own).lowerBound)
        // A change that this therapy does not follow is said here, with a button to follow.
        let changed = Self.fields.map { $0.0 == "plan.1.every" ? ($0.0, "1") : $0 }.filter { $0.0 != "scope" }
        let revision = portal.revision(on: "/protocols/\(id)", as: .ada)
        let silent = portal.post("/protocols/\(id)", changed + [revision], as: .ada)
        #expect(silent.status == 422 && silent.text.contains(##"href="#follow""##))
        let kept = portal.post("/protocols/\(id)", changed + [revision, ("follow", "false")], as: .ada)
        #expect(kept.status == 303 && portal.get(path, as: .ada).text.contains("Dem Protokoll folgen"))
        let follow = [("protocol_id", id), ("follow", "true")]
        #expect(portal.post("/patients/\(pia)/protocol", follow, as: .ada).status == 303)
        let now = portal.get(path, as: .ada).text
        #expect(now.contains("wöchentlich um 09:30") && !now.contains("Dem Protokoll folgen"))
    }
}
