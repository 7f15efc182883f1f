import Database
import Foundation
import HTTP
import JSON
import NetworkTesting
import Testing
import Wire

@testable import Delivery
@testable import Instruments
@testable import PortalTesting
@testable import Records
@testable import Web

/// PR-23: a new installation says what is missing, and one button takes what is shipped.
@Suite struct WelcomeTests {
    let portal: TestPortal

    init() throws { portal = try TestPortal() }

    func keys() throws -> Set<String> {
        try portal.services.records.read { connection in
            Set(try connection.all("SELECT DISTINCT key FROM questionnaires") { row in try row[0] as String })
        }
    }

    @Test func `PR-23 one button takes the shipped questionnaires, a battery and the daily, once`() throws {
        // The cast has one of them already.
        #expect(try keys() == ["between-sessions"])
        let page = portal.get("/welcome", as: .ada).text
        #expect(
            page.contains("„Tagesabfrage“, dreimal am Tag") && page.contains("Batterie „Vor der Sitzung“"))
        #expect(!page.contains("Fragebogen „Zwischen den Sitzungen, kurz“"))
        #expect(
            page.contains("5 × Anerkennung, 5 × Aufgabe, 5 × Frage") && page.contains("„Zweimal versäumt“"))
        #expect(page.contains("href=\"/questionnaires/import\""))
        let done = portal.post("/questionnaires/starter-set", [("next", "/welcome")], as: .ada)
        #expect(done.status == 303 && done.headers["Location"] == "/welcome")
        #expect(try keys() == Set(StarterQuestionnaires.keys))
        let battery = try #require(portal.call(.get, "/batteries", as: .ada).list.first?["attributes"])
        #expect(battery["name"] == .string("Vor der Sitzung"))
        #expect(battery["questionnaire_keys"]?.array == StarterQuestionnaires.batteryKeys.map { .string($0) })
        #expect(try portal.changes().filter { $0 == "starter_set.taken" }.count == 1)
        let versions = try portal.count("questionnaires")
        let batteries = try portal.count("batteries")
        #expect(portal.post("/questionnaires/starter-set", as: .lena).status == 303)
        #expect(portal.call(.post, "/starter-set", as: .ada).status == 200)
        #expect(try portal.count("questionnaires") == versions && portal.count("batteries") == batteries)
        #expect(try portal.changes().filter { $0 == "starter_set.taken" }.count == 1)
        #expect(!portal.get("/welcome", as: .ada).text.contains("Startpaket übernehmen"))
        // Our own words, and it says so.
        let id = try #require(
            try portal.services.records.read { try QuestionnaireStore.versions("wellbeing-5", $0).first?.id })
        #expect(portal.get("/questionnaires/\(id)", as: .ada).text.contains("selbst geschrieben"))
    }

    @Test
    func `PR-23 the starter set brings five interventions of each kind and four reactions switched off`()
        throws
    {
        let before = portal.call(.get, "/interventions", as: .ada).list.count
        let standing = portal.call(.post, "/starter-set", as: .ada).attributes
        #expect(
            standing["interventions_missing"] == .number(0) && standing["reactions_missing"] == .number(0))
        let texts = portal.call(.get, "/interventions?limit=100", as: .ben).list.compactMap {
            $0["attributes"]
        }
        for kind in ["commendation", "task", "question"] {
            let own = texts.filter { $0["kind"] == .string(kind) && $0["shared"] == .bool(true) }
            #expect(own.count >= 5, "\(kind)")
        }
        let reactions = portal.call(.get, "/rules", as: .ada).list.compactMap { $0["attributes"] }
        #expect(reactions.count == 4 && reactions.allSatisfy { $0["enabled"] == .bool(false) })
        #expect(reactions.contains { $0["name"] == .string("Drei Tage keine Rückmeldung") })
        // They can be switched on, every one: what they look at is there.
        for item in portal.call(.get, "/rules", as: .ada).list {
            let id = item["id"]?.string ?? ""
            let page = portal.get("/rules/\(id)", as: .ada)
            #expect(page.status == 200 && !page.text.contains("nie erfüllt"))
            #expect(
                portal.call(.patch, "/rules/\(id)", #"{"enabled": true}"#, as: .ada, ["If-Match": "*"]).status
                    == 200)
        }
        // Reactions are each therapist's own; texts are the clinic's, once.
        let other = portal.call(.get, "/starter-set", as: .ben).attributes
        #expect(other["interventions_missing"] == .number(0) && other["reactions_missing"] == .number(4))
        #expect(portal.post("/questionnaires/starter-set", as: .ben).status == 303)
        #expect(portal.call(.get, "/rules", as: .ben).list.count == 4)
        #expect(portal.call(.get, "/interventions", as: .ada).list.count == before + 15)
        // Accounts without patients get no reactions, and miss none.
        let lead = portal.call(.get, "/starter-set", as: .lena).attributes
        #expect(lead["reactions_missing"] == .number(0))
        // What was removed had a reason, and does not come back.
        let gone = try #require(portal.call(.get, "/rules", as: .ben).list.first?["id"]?.string)
        #expect(portal.call(.delete, "/rules/\(gone)", as: .ben).status == 204)
        #expect(portal.call(.post, "/starter-set", as: .ben).attributes["reactions_missing"] == .number(0))
        #expect(portal.call(.get, "/rules", as: .ben).list.count == 3)
    }

    @Test func `FD-50 the protocol of the starter set is what new patients of whoever took it get`() throws {
        #expect(portal.call(.get, "/starter-set", as: .ada).attributes["protocols_missing"] == .number(1))
        let page = portal.get("/welcome", as: .ada).text
        #expect(page.contains("Protokoll „Ambulante Therapie“") && page.contains("neuen Patientinnen"))
        for _ in 0..<2 { #expect(portal.call(.post, "/starter-set", as: .ada).status == 200) }
        let made = portal.call(.get, "/protocols", as: .ada).list
        let first = try #require(made.first)
        #expect(made.count == 1 && first["attributes"]?["is_default"] == .bool(true))
        #expect(first["attributes"]?["plan"]?.array?.count == 3)
        #expect(portal.call(.get, "/protocols", as: .ben).list.isEmpty)
        // New patients get it without a word, and what it asks is there.
        let id = first["id"]?.string ?? ""
        let patient = portal.call(.post, "/patients", "{}", as: .ada)
        #expect(patient.status == 201)
        #expect(
            portal.call(.get, "/patients/\(patient.id)/delivery-rules", as: .ada).list.count == 3)
        // A part removed on purpose does not come back; accounts without patients miss none.
        #expect(
            portal.call(.delete, "/protocols/\(id)?follow=false", as: .ada, ["If-Match": "*"]).status == 204)
        #expect(portal.call(.post, "/starter-set", as: .ada).attributes["protocols_missing"] == .number(0))
        #expect(portal.call(.get, "/protocols", as: .ada).list.isEmpty)
        #expect(portal.call(.get, "/starter-set", as: .lena).attributes["protocols_missing"] == .number(0))
    }

    @Test func `FD-50 a protocol that was chosen before stays what new patients get`() throws {
        let clinics = portal.call(
            .post, "/protocols", #"{"name": "Haus", "scope": "clinic", "plan": []}"#, as: .uma)
        #expect(clinics.status == 201, "\(clinics.text)")
        let choice = #"{"is_default": true}"#
        #expect(
            portal.call(.patch, "/protocols/\(clinics.id)", choice, as: .ada, ["If-Match": "*"]).status == 200
        )
        #expect(!portal.get("/welcome", as: .ada).text.contains("neuen Patientinnen"))
        #expect(portal.call(.post, "/starter-set", as: .ada).status == 200)
        let chosen = portal.call(.get, "/protocols", as: .ada).list.filter {
            $0["attributes"]?["is_default"] == .bool(true)
        }
        #expect(chosen.map { $0["id"]?.string } == [clinics.id])
    }

    @Test func `PR-23 two who press the button at once get one set`() throws {
        let portal = portal
        _ = portal.interleaving {
            _ = portal.call(.post, "/starter-set", as: .ben)
        } _: {
            portal.call(.post, "/starter-set", as: .ada)
        }
        #expect(try portal.count("questionnaires") == StarterQuestionnaires.keys.count)
        #expect(try portal.count("rules") == 8)
        #expect(try portal.count("batteries") == 1)
    }

    @Test func `PR-23 what the daily needs is said where it is missing, with the button that takes it`()
        throws
    {
        let path = "/patients/\(portal.cast.therapies[.pia] ?? "")/deliveries"
        let missing = portal.get(path, as: .ada).text
        #expect(
            missing.contains("Kurznamen intersession-daily")
                && missing.contains("name=\"only\" value=\"intersession-daily\""))
        #expect(portal.get("/admin", as: .uma).text.contains("intersession-daily"))
        #expect(portal.call(.get, "/my/dailies", as: .pia).list.isEmpty)
        let form = [("only", "intersession-daily"), ("next", path)]
        #expect(portal.post("/questionnaires/starter-set", form, as: .uma).status == 403)
        #expect(portal.post("/questionnaires/starter-set", form, as: .ada).headers["Location"] == path)
        #expect(try keys() == ["between-sessions", "intersession-daily"])
        #expect(!portal.get(path, as: .ada).text.contains("name=\"only\""))
        #expect(!portal.get("/admin", as: .uma).text.contains("intersession-daily"))
        #expect(portal.call(.get, "/my/dailies", as: .pia).list.isEmpty == false)
        // Archived, its own button brings it back, and the large one leaves it.
        let id = try #require(
            try portal.services.records.read {
                try QuestionnaireStore.versions("intersession-daily", $0).first?.id
            })
        #expect(
            portal.post("/questionnaires/\(id)/retirement", [("confirmed", "true")], as: .ada).status == 303)
        #expect(
            portal.call(.post, "/starter-set", as: .ada).attributes["questionnaires"]?.array?.first?["state"]
                == .string("archived"))
        #expect(portal.post("/questionnaires/starter-set", form, as: .ada).status == 303)
        let standing = portal.call(.get, "/starter-set", as: .ada).attributes
        #expect(standing["questionnaires"]?.array?.first?["state"] == .string("taken"))
        #expect(
            try portal.services.records.read { try QuestionnaireStore.versions("intersession-daily", $0) }
                .count == 1)
        #expect(portal.post("/questionnaires/starter-set", [("only", "phq-9")], as: .ada).status == 404)
        #expect(portal.call(.post, "/starter-set", #"{"only": "phq-9"}"#, as: .ada).wrongFields == ["only"])
        // Back to where the button stood, and nowhere else.
        let away = portal.post("/questionnaires/starter-set", [("next", "https://example.org/")], as: .ada)
        #expect(away.headers["Location"] == "/")
    }

    @Test func `PR-23 the first steps are led through from the home page until they are done or put away`()
        throws
    {
        let server = try LocalMailServer()
        defer { server.stop() }
        let portal = try TestPortal { $0.smtpURL = "smtp://127.0.0.1:\(server.port)" }
        let open = { (person: Person) in
            let home = portal.get(person == .uma ? "/admin" : "/", as: person).text
            return home.contains("href=\"/welcome\"")
        }
        #expect(open(.uma) && open(.ada))
        let page = portal.get("/welcome", as: .uma).text
        for path in ["/admin/settings", "/admin/information/privacy", "/admin/information/imprint"] {
            #expect(page.contains("href=\"\(path)\""), "\(path)")
        }
        // The therapists' part is theirs.
        #expect(!page.contains("starter-set") && !page.contains("/patients/new"))
        #expect(page.contains("Mailserver hinaus"))
        #expect(portal.call(.put, "/settings", #"{"name": "Ambulanz"}"#, as: .uma).status == 200)
        let texts = #"{"title": {"de": "Neu", "en": "New"}, "text": {"de": "a", "en": "b"}}"#
        for key in ["privacy", "imprint"] {
            #expect(portal.call(.put, "/info/\(key)", texts, as: .uma, ["If-Match": "*"]).status == 200)
        }
        _ = portal.call(.post, "/starter-set", as: .ada)
        #expect(open(.uma) && portal.post("/welcome/mail", as: .uma).status == 303)
        #expect(!open(.uma) && portal.get("/welcome", as: .uma).text.contains("Alles ist eingerichtet"))
        #expect(open(.ada))
        #expect(portal.post("/welcome/dismissal", as: .ada).status == 303)
        #expect(!open(.ada) && open(.ben))
        #expect(portal.get("/welcome", as: .ada).text.contains("Ihr Profil"))
        #expect(portal.get("/welcome", as: .nobody).status == 303)
    }

    @Test func `FD-51 the five questionnaires on tinnitus come with a button of their own`() throws {
        let page = portal.get("/welcome", as: .ada).text
        #expect(page.contains("name=\"only\" value=\"tinnitus\"") && page.contains("„Mein Tinnitus“"))
        // Administrators alone, and patients, can add nothing.
        #expect(!portal.get("/welcome", as: .uma).text.contains("value=\"tinnitus\""))
        #expect(portal.post("/questionnaires/starter-set", [("only", "tinnitus")], as: .uma).status == 403)
        let form = [("only", "tinnitus"), ("next", "/welcome")]
        let done = portal.post("/questionnaires/starter-set", form, as: .ada)
        #expect(done.status == 303 && done.headers["Location"] == "/welcome")
        #expect(try keys() == Set(StarterQuestionnaires.tinnitusKeys + ["between-sessions"]))
        #expect(!portal.get("/welcome", as: .ben).text.contains("value=\"tinnitus\""))
        let versions = try portal.count("questionnaires")
        #expect(portal.call(.post, "/starter-set", #"{"only": "tinnitus"}"#, as: .lena).status == 200)
        #expect(try portal.count("questionnaires") == versions)
        let told = portal.call(.get, "/starter-set", as: .lena).attributes["tinnitus"]?.array ?? []
        #expect(told.count == 5 && told.allSatisfy { $0["state"] == .string("taken") })
        // What was archived had a reason: only its own name brings it back.
        let person = try portal.services.records.read {
            try QuestionnaireStore.versions("tinnitus-person", $0)
        }
        let retirement = "/questionnaires/\(try #require(person.first?.id))/retirement"
        #expect(portal.call(.post, retirement, as: .ada).status < 300)
        for (only, state) in [("tinnitus", "archived"), ("tinnitus-person", "taken")] {
            let answer = portal.call(.post, "/starter-set", #"{"only": "\#(only)"}"#, as: .ada)
            let piece = answer.attributes["tinnitus"]?.array?.first {
                $0["key"] == .string("tinnitus-person")
            }
            #expect(piece?["state"] == .string(state), "\(only)")
        }
    }

    @Test func `FD-51 what is shipped does not call itself a demonstration`() throws {
        let folder = "\(portal.services.settings.resources)/templates/instruments/"
        for key in Set(StarterQuestionnaires.keys + StarterQuestionnaires.tinnitusKeys) {
            let text = try String(contentsOfFile: "\(folder)\(key).json", encoding: .utf8)
            #expect(!text.contains("Vorführung") && !text.lowercased().contains("demonstration"), "\(key)")
        }
    }

    @Test func `FD-56 a page is done when it no longer says that it is a template`() {
        let step = { (title: String) in
            let page = portal.get("/welcome", as: .uma).text
            let from = page.range(of: "\(title) <span")?.lowerBound ?? page.startIndex
            return page[from...].prefix { $0 != "/" }
        }
        let write = { (english: String) in
            let texts = """
                {"title": {"de": "Datenschutz", "en": "Privacy"},
                "text": {"de": "Wer diese Ambulanz betreibt.", "en": "\(english)"}}
                """
            return portal.call(.put, "/info/privacy", texts, as: .uma, ["If-Match": "*"]).status
        }
        #expect(step("Datenschutz").contains("offen"))
        // A heading was changed, and the other language not at all; lines are broken anew.
        #expect(write("This page\\nis a  template. Please replace it.") == 200)
        #expect(step("Datenschutz").contains("offen"))
        #expect(portal.get("/welcome", as: .uma).text.contains("„This page is a template“"))
        #expect(write("Our own statement.") == 200 && step("Datenschutz").contains("erledigt"))
        #expect(!portal.get("/welcome", as: .uma).text.contains("is a template"))
        #expect(step("Impressum").contains("offen"))
    }

    @Test func `PR-23 without a mail server the page says how mail is set up`() {
        let page = portal.get("/welcome", as: .uma).text
        #expect(page.contains("INTERSESSION_SMTP_URL") && page.contains("--public-url"))
    }
}
