import Foundation
import HTTP
import JSON
import Records
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Therapies
@testable import Web

/// PR-6 and PR-7: a name for the therapist's eyes, and the bar with the patient of the open file.
@Suite struct AliasTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }
    var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }

    func name(_ alias: String) {
        let answer = portal.call(.patch, "/patients/\(pia)", "{\"alias\": \"\(alias)\"}", as: .ada)
        #expect(answer.status == 200 && answer.attributes["alias"] == .string(alias))
    }

    /// Pages on which a therapist meets their patients.
    var pages: [String] {
        [
            "/", "/patients", "/patients/\(pia)", "/patients/\(pia)/timeline", "/patients/\(pia)/briefing",
            "/patients/\(pia)/contributions", "/patients/\(pia)/deliveries", "/patients/\(pia)/appointments",
            "/patients/\(pia)/interventions", "/patients/\(pia)/assignments/new",
            "/patients/\(pia)/comparison",
            "/patients/\(pia)/audit-log", "/appointments", "/search?q=C000001",
        ]
    }

    @Test func `PR-6 the alias stands wherever the patient is named, and goes when it is emptied`() throws {
        name("Frau Winter")
        for page in pages where page != "/" && page != "/appointments" {
            let answer = portal.get(page, as: .ada)
            #expect(answer.status == 200 && answer.text.contains("Frau Winter"), "\(page)")
        }
        #expect(portal.get("/patients/\(pia)", as: .ada).text.contains("<title>Frau Winter C000001 · "))
        #expect(portal.call(.patch, "/patients/\(pia)", #"{"alias": null}"#, as: .ada).status == 200)
        #expect(portal.get("/patients", as: .ada).text.contains("C000001"))
        #expect(!portal.get("/patients", as: .ada).text.contains("Frau Winter"))
        let title = portal.get("/patients/\(pia)", as: .ada).text
        #expect(title.contains("<title>C000001 · "))
    }

    @Test func `PR-6 one switch takes alias, note and questions off every page, and brings them back`() throws
    {
        name("Canarina")
        #expect(
            portal.call(.patch, "/patients/\(pia)", #"{"note": "Kanarengirlitz"}"#, as: .ada).status == 200)
        #expect(
            portal.post("/patients/\(pia)/briefing", [("questions", "Zitronenzeisig?")], as: .ada).status
                == 303)
        let words = ["Canarina", "Kanarengirlitz", "Zitronenzeisig"]
        let open = pages.map { portal.get($0, as: .ada).text }.joined()
        #expect(words.allSatisfy(open.contains))
        let answer = portal.post("/screen", [("names", "hidden"), ("back", "/patients")], as: .ada)
        #expect(answer.status == 303 && answer.headers["Location"] == "/patients")
        // The line about it names no patient; the pages after it neither.
        for page in pages {
            let text = portal.get(page, as: .ada).text
            #expect(!words.contains(where: text.contains), "\(page)")
        }
        // Hidden words are not found either: a bystander could guess them.
        #expect(!portal.get("/search?q=canar", as: .ada).text.contains("C000001"))
        #expect(!portal.get("/patients?q=canar", as: .ada).text.contains("C000001"))
        // Sending an old form while they are hidden loses nothing.
        #expect(
            portal.post("/screen", [("names", "shown"), ("back", "//evil.example")], as: .ada).headers[
                "Location"] == "/")
        #expect(portal.get("/patients/\(pia)", as: .ada).text.contains("Canarina"))
    }

    @Test func `PR-6 the alias is sealed, and nobody but the therapist gets it`() throws {
        name("Canarina")
        #expect(portal.get("/patients/\(pia)", as: .ben).status == 404)
        #expect(!portal.call(.get, "/my/account/export", as: .pia).text.contains("Canarina"))
        for path in ["/my", "/my/appointments", "/my/access-log"] {
            #expect(!portal.get(path, as: .pia).text.contains("Canarina"), "\(path)")
        }
        #expect(!portal.get("/admin/audit-log", as: .uma).text.contains("Canarina"))
        // The sheet is for the patient's hands.
        #expect(portal.call(.post, "/patients/\(pia)/pairing/undo", as: .ada).status == 204)
        let sheet = portal.get("/patients/\(pia)/pairing-sheet", as: .ada)
        #expect(sheet.status == 200 && !sheet.text.contains("Canarina"))
        #expect(!portal.logged.joined().contains("Canarina"))
        #expect(try !portal.mails().joined().contains("Canarina"))
        portal.services.close()
        let folder = portal.services.settings.data
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            let data = FileManager.default.contents(atPath: folder + "/" + name) ?? Data()
            #expect(data.range(of: Data("Canarina".utf8)) == nil, "\(name)")
        }
    }

    @Test func `PR-6 found by codename, alias and note, without regard to case and accents`() {
        name("Frau Müller")
        for query in ["c000001", "muller", "MÜLL", "notiz zu c000001"] {
            let encoded = query.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let list = portal.call(.get, "/patients?query=\(encoded)", as: .ada).list
            #expect(list.map { $0["attributes"]?["codename"] } == [.string("C000001")], "\(query)")
            #expect(portal.get("/patients?q=\(encoded)", as: .ada).text.contains("C000001"), "\(query)")
        }
        #expect(portal.call(.get, "/patients?query=Winter", as: .ada).list.isEmpty)
    }

    @Test(arguments: ["Anna Winter, 17.05.1990", "Anna Winter *1990", "Winter 17-5-90"])
    func `PR-6 a name with a birth date is taken, and said to be unneeded`(alias: String) {
        #expect(
            portal.post("/patients/\(pia)/note", [("alias", alias), ("note", "")], as: .ada).status == 303)
        let page = portal.get("/patients/\(pia)", as: .ada).text
        #expect(
            page.contains("Geburtsdaten braucht der Merkname nicht") && page.contains("value=\"\(alias)\""))
        #expect(!Alias.isMore("Frau Winter 2"))
    }

    @Test func `PR-6 an alias of more than sixty characters is refused and stays in the form`() {
        let long = String(repeating: "ä", count: 61)
        let page = portal.post("/patients/\(pia)/note", [("alias", long), ("note", "bleibt")], as: .ada)
        #expect(page.status == 422 && page.text.contains(long) && page.text.contains("href=\"#alias\""))
    }

    @Test
    func `PR-6 and PR-21 the alias goes along only where it is released, and is not in the next one's trail`()
        throws
    {
        name("Canarina")
        let hand = { (person: Person) in
            portal.call(
                .post, "/patients/C000001/hand-over", "{\"email\": \"\(person.rawValue)@example.org\"}",
                as: .uma
            ).status
        }
        #expect(hand(.ben) == 204)
        #expect(portal.call(.get, "/patients/\(pia)", as: .ben).attributes["alias"] == .null)
        #expect(!portal.get("/patients/\(pia)/audit-log", as: .ben).text.contains("Canarina"))
        #expect(hand(.ada) == 204)
        #expect(portal.call(.get, "/patients/\(pia)", as: .ada).attributes["alias"] == .string("Canarina"))
        let box = [("alias", "true"), ("note", ""), ("questions", "")]
        #expect(portal.post("/patients/\(pia)/hand-over", box, as: .ada).status == 303)
        #expect(hand(.ben) == 204)
        #expect(portal.call(.get, "/patients/\(pia)", as: .ben).attributes["alias"] == .string("Canarina"))
    }

    @Test func `PR-7 the bar names the next session, the pause and the alerts, and leads through the day`()
        throws
    {
        let note = { (patient: ID<Therapy>, hour: Int) in
            portal.call(
                .post, "/patients/\(patient)/sessions",
                "{\"starts_at\": \"2026-11-24T\(hour):00:00Z\", \"ends_at\": \"2026-11-24T\(hour):50:00Z\"}",
                as: .ada
            ).status
        }
        #expect(note(pia, 10) == 201)
        let bar = { (path: String) -> String in
            let main = portal.get(path, as: .ada).text.components(separatedBy: "<main")[1]
            guard main.contains("aria-label=\"Geöffnete Akte\"") else { return "" }
            // The head of a patient's pages ends with their tabs, the bar of all others with the neighbours.
            let head = main.components(separatedBy: "class=\"tabs")
            return head.count > 1 ? head[0] : main.components(separatedBy: "</nav>")[0]
        }
        #expect(bar("/patients/\(pia)").contains("Sitzung <strong>Di 24.11. 11:00</strong>"))
        #expect(!bar("/patients/\(pia)").contains("rel=\"next\""))
        let pause = #"{"starts_on": "2026-11-20", "ends_on": "2026-11-23"}"#
        #expect(portal.call(.post, "/patients/\(pia)/pauses", pause, as: .ada).status == 201)
        #expect(bar("/patients/\(pia)/timeline").contains("Pause bis 23.11."))
        let unpaired = portal.call(
            .post, "/patients", #"{"codename": "AB1234", "alias": "Herr Tal"}"#, as: .ada)
        let other = ID<Therapy>(unpaired.id)
        #expect(note(other, 14) == 201)
        #expect(bar("/patients/\(pia)").contains("/patients/\(other)/briefing\" rel=\"next\""))
        #expect(bar("/patients/\(pia)/briefing").contains("Herr Tal"))
        #expect(bar("/patients/\(other)").contains("/patients/\(pia)/briefing\" rel=\"prev\""))
        #expect(bar("/patients").isEmpty)
    }
}
