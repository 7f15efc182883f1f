import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Scheduling
@testable import Web
@testable import Wording

/// PR-23, PR-24: name, zone, language variant and crisis numbers of the clinic, for the whole installation.
@Suite struct ClinicSettingsTests {
    let portal: TestPortal

    init() throws { portal = try TestPortal { $0.timezone = nil } }

    static let settings = #"""
        {"name": "Ambulanz Lindengasse", "timezone": "Europe/Zurich", "language_variant": "de-DE",
         "crisis_numbers": [{"number": "0800 24 7", "label": {"de": "Nachtdienst", "en": "Night service"}}],
         "sheet_labels": {"code_step": {"de": "Kopplung", "en": "Linking"},
            "code_field": {"de": "Ziffern", "en": "Digits"}, "path": {"de": "Mehr", "en": "More"}}}
        """#

    @Test func `PR-23 until somebody sets them, crisis numbers are those of the country of the zone`() throws
    {
        for (zone, numbers) in [
            ("Europe/Vienna", ["112", "144", "142"]), ("Europe/Berlin", ["112", "0800 111 0 111"]),
            ("Europe/Zurich", ["144", "143"]), ("Europe/London", ["112"]),
        ] {
            let portal = try TestPortal { $0.timezone = zone }
            let shown = portal.call(.get, "/settings", as: .uma).attributes
            #expect(shown["crisis_numbers"]?.array?.map { $0["number"]?.string } == numbers, "\(zone)")
            let variant = ["Europe/Vienna": "de-AT", "Europe/Zurich": "de-CH"][zone] ?? "de-DE"
            #expect(shown["language_variant"] == .string(variant))
            let page = portal.send(.get, "/info/help").text
            #expect(numbers.allSatisfy { page.contains(">\($0)<") }, "\(zone)")
        }
    }

    @Test func `PR-23 what an administrator sets is in force at once, and audited`() throws {
        let put = portal.call(.put, "/settings", Self.settings, as: .uma)
        #expect(put.status == 200 && put.attributes["timezone_source"] == .string("settings"))
        #expect(portal.call(.get, "/settings", as: .uma).bytes == put.bytes)
        #expect(try portal.changes().last == "clinic.changed")
        #expect(portal.services.timezone == "Europe/Zurich")
        let foot = portal.send(.get, "/info/privacy?lang=en").text
        #expect(foot.contains("Ambulanz Lindengasse") && foot.contains("Night service"))
        #expect(foot.contains("href=\"tel:0800247\""))
        // It is the database that remembers.
        let again = try ClinicCache(portal.services.records, portal.services.settings)
        #expect(again.now.record == portal.services.clinic.now.record)
        for person in [Person.ada, .lena, .pia] {
            #expect(portal.call(.put, "/settings", "{}", as: person).status == 403)
            #expect(portal.call(.get, "/settings", as: person).status == 403)
        }
    }

    @Test func `PR-23 a zone given at the start wins over the stored one, and the page says so`() throws {
        #expect(portal.get("/admin/settings", as: .uma).text.contains("--timezone") == false)
        _ = portal.call(.put, "/settings", Self.settings, as: .uma)
        let told = try TestPortal { $0.timezone = "Europe/Vienna" }
        let put = told.call(.put, "/settings", Self.settings, as: .uma)
        #expect(put.attributes["timezone"] == .string("Europe/Vienna"))
        #expect(put.attributes["timezone_source"] == .string("flag"))
        let page = told.get("/admin/settings", as: .uma).text
        #expect(page.contains("--timezone") && page.contains("value=\"Europe/Zurich\" selected"))
    }

    @Test func `PR-23 what was shown and sent back unchanged goes on to follow the zone`() throws {
        let shown = portal.call(.get, "/settings", as: .uma).attributes
        #expect(
            portal.call(
                .put, "/settings", String(decoding: try JSONWriter.bytes(of: shown), as: UTF8.self), as: .uma
            ).status == 200)
        #expect(
            portal.services.clinic.now.record.crisis == nil && portal.services.clinic.now.record.labels == nil
        )
        let other = #"{"timezone": "Europe/Berlin"}"#
        let put = portal.call(.put, "/settings", other, as: .uma).attributes
        #expect(put["crisis_numbers"]?.array?.last?["number"] == .string("0800 111 0 111"))
    }

    @Test func `bad settings name the field, and a stale form loses nothing`() throws {
        for (body, field) in [
            (#"{"timezone": "Mond"}"#, "timezone"), (#"{"language_variant": "de-LI"}"#, "language_variant"),
            (
                #"{"crisis_numbers": [{"number": "x", "label": {"de": "a", "en": "b"}}]}"#,
                "crisis_numbers.0.number"
            ),
            (#"{"crisis_numbers": [{"number": "112", "label": {"de": "a"}}]}"#, "crisis_numbers.0.label.en"),
            (#"{"crisis_numbers": "112"}"#, "crisis_numbers"), (#"{"colour": "red"}"#, "colour"),
            (
                #"{"sheet_labels": {"first_steps": {"de": "Öffnen Sie {app}.", "en": "Open it."}}}"#,
                "sheet_labels.first_steps.de"
            ),
            (
                #"{"sheet_labels": {"addresses": {"en": "a\nb\nc\nd"}}}"#, "sheet_labels.addresses.en"
            ), (#"{"sheet_labels": {"path": {"en": "More"}}}"#, "sheet_labels.path.de"),
        ] {
            let put = portal.call(.put, "/settings", body, as: .uma)
            #expect(put.status == 422 && put.wrongFields == [field], "\(body)")
        }
        let form = [
            ("revision", "0"), ("name", "Praxis am Bach"), ("number_1", "112"), ("label_de_1", "Notruf"),
        ]
        let wrong = portal.post("/admin/settings", form, as: .uma)
        #expect(
            wrong.status == 422 && wrong.text.contains("Praxis am Bach")
                && wrong.text.contains("label_en_1-error"))
        let good = form + [("label_en_1", "Emergency")]
        #expect(portal.post("/admin/settings", good, as: .uma).status == 303)
        let stale = portal.post(
            "/admin/settings", good.map { $0.0 == "name" ? ("name", "Andere") : $0 }, as: .uma)
        #expect(
            stale.status == 422 && stale.text.contains("Andere")
                && stale.text.contains("name=\"revision\" value=\"1\""))
        #expect(portal.services.clinic.now.record.name == "Praxis am Bach")
    }

    @Test
    func
        `PR-24 the pairing sheet has its crisis line, the therapist's emergency phone and the app's own words`()
        throws
    {
        let profile = #"{"name": "Ada Lindner", "emergency_phone": "+43 1 5550 199"}"#
        #expect(portal.call(.put, "/my/therapist-profile", profile, as: .ada).status == 200)
        let path = "/patients/\(portal.cast.openTherapy)/pairing-sheet"
        #expect(!portal.get(path + "?lang=en", as: .ada).text.contains("Enter pairing code"))
        _ = portal.call(.put, "/settings", Self.settings, as: .uma)
        let german = portal.get(path, as: .ada).text
        let crisis = try #require(german.firstMatch(of: /(?s)<section class="paper__crisis".*?<\/section>/))
            .output
        #expect(crisis.contains("0800 24 7") && crisis.contains("+43 1 5550 199"))
        #expect(german.contains("Ambulanz Lindengasse") && german.contains("„Kopplung“"))
        let english = portal.get(path + "?lang=en", as: .ada).text
        #expect(
            english.contains("Night service") && english.contains("“Linking”") && english.contains("“More”"))
    }

    @Test func `PR-24 steps and addresses of the sheet are settings, in each language, shipped until set`()
        throws
    {
        let path = "/patients/\(portal.cast.openTherapy)/pairing-sheet"
        let shown = portal.call(.get, "/settings", as: .uma).attributes["sheet_labels"]
        #expect(shown?["first_steps"]?["en"]?.string?.split(separator: "\n").count == 4)
        #expect(shown?["addresses"]?["de"] == .null)
        let shipped = portal.get(path + "?lang=en", as: .ada).text
        #expect(shipped.contains("in a browser and enter the code") && !shipped.contains("Install"))
        let page = portal.get("/admin/settings", as: .uma).text
        #expect(page.contains("id=\"first_steps_de\"") && page.contains("id=\"addresses_en\""))
        let form = [
            ("revision", "0"), ("code_step_de", "Kopplung"),
            ("first_steps_de", " Holen Sie die App.\r\n\r\nBei „{code_step}“ hilft {therapist}. "),
            ("addresses_de", "App: https://app.example.org\r\nHilfe: +43 1 234"),
            ("addresses_en", "App: https://app.example.org/en"),
        ]
        let wrong = portal.post("/admin/settings", form + [("later_steps_en", "See {page}.")], as: .uma)
        #expect(wrong.status == 422 && wrong.text.contains("{page} kann nicht ersetzt werden"))
        #expect(
            wrong.text.contains("href=\"#later_steps_en\">Schritte zum späteren Verbinden (Englisch): ")
                && wrong.text.contains("Holen Sie die App."))
        #expect(portal.post("/admin/settings", form, as: .uma).status == 303)
        let german = portal.get(path, as: .ada).text
        #expect(
            german.contains("<li>Holen Sie die App.</li>")
                && german.contains("<li>Bei „Kopplung“ hilft Ihre Therapeutin oder Ihr Therapeut.</li>"))
        #expect(german.contains("Hilfe: +43 1 234") && !german.contains("Installieren Sie „Intersession“"))
        // What is not set in a language stays as shipped there.
        let english = portal.get(path + "?lang=en", as: .ada).text
        #expect(
            english.contains("Install “Intersession”") && english.contains("https://app.example.org/en")
                && !english.contains("+43 1 234"))
        // What was shown can be sent back, and leaves what is shipped as it is shipped.
        let all = portal.call(.get, "/settings", as: .uma)
        let body = String(decoding: try JSONWriter.bytes(of: all.attributes), as: UTF8.self)
        #expect(portal.call(.put, "/settings", body, as: .uma).status == 200)
        #expect(
            portal.services.clinic.now.record.labels?.words[.english]
                == [.addresses: "App: https://app.example.org/en"])
        let again = portal.call(.get, "/settings", as: .uma).attributes
        #expect(again["sheet_labels"] == all.attributes["sheet_labels"])
    }

    @Test func `FD-49 the sheet leads through the browser until the clinic names an app`() throws {
        let sheet = { (portal: TestPortal, host: String) in
            let token = portal.cast.sessions[.ada] ?? ""
            return portal.send(
                .get, "/patients/\(portal.cast.openTherapy)/pairing-sheet?lang=en",
                ["Host": host, "Cookie": "sid=\(token); __Host-sid=\(token)"]
            ).text
        }
        // Without a public address: the one the therapist sees, and no camera, which would read digits alone.
        let local = sheet(portal, "192.168.1.5:8080")
        #expect(local.contains("Open http://192.168.1.5:8080/pair in a browser"))
        #expect(!local.contains("camera") && !local.contains("the app"))
        let open = try TestPortal { $0.publicURL = "https://portal.example.org" }
        let known = sheet(open, "10.0.0.1")
        #expect(known.contains("camera") && known.contains("open https://portal.example.org/pair in"))
        // What was shown can be sent back and stays as shipped; an app is one that is named.
        let shown = portal.call(.get, "/settings", as: .uma).attributes
        let body = String(decoding: try JSONWriter.bytes(of: shown), as: UTF8.self)
        #expect(portal.call(.put, "/settings", body, as: .uma).status == 200)
        #expect(portal.services.clinic.now.record.labels == nil)
        #expect(portal.call(.put, "/settings", Self.settings, as: .uma).status == 200)
        #expect(sheet(portal, "portal").contains("At the step “Linking” enter the code"))
        let named = portal.call(.get, "/settings", as: .uma).attributes
        let again = String(decoding: try JSONWriter.bytes(of: named), as: UTF8.self)
        #expect(portal.call(.put, "/settings", again, as: .uma).status == 200)
        #expect(portal.services.clinic.now.record.labels?.words[.english]?[.firstSteps] == nil)
    }

    @Test func `PR-24 settings are changed over the version that was seen`() throws {
        let tag = try #require(portal.call(.get, "/settings", as: .uma).headers["ETag"])
        let put = { portal.call(.put, "/settings", $0, as: .uma, ["If-Match": tag]) }
        #expect(put(#"{"name": "Eins"}"#).status == 200)
        let stale = put(#"{"name": "Zwei"}"#)
        #expect(stale.status == 412)
        #expect(portal.services.clinic.now.record.name == "Eins")
    }

    @Test func `PR-23 without ß where the clinic is Swiss, and nowhere else`() throws {
        let page = { portal.get("/admin/settings", as: .uma).text }
        #expect(page().contains("Sie stehen groß auf dem"))
        #expect(portal.call(.put, "/settings", #"{"language_variant": "de-CH"}"#, as: .uma).status == 200)
        let swiss = page()
        #expect(swiss.contains("Sie stehen gross auf dem") && !swiss.contains("ß"))
        #expect(swiss.contains("value=\"de-CH\" selected"))
        #expect(portal.get("/appointments?month=2027-01", as: .ada).text.contains("Januar 2027"))
    }

    @Test func `Austrian words only where the clinic is Austrian`() throws {
        let folder = Cast.root + "/templates/texts"
        let german = try Texts(.german, folder: folder)
        let austrian = try Texts(.german, as: .austria, folder: folder)
        #expect(german.keys == austrian.keys)
        let differ = german.keys.filter { german[$0] != austrian[$0] }
        #expect(!differ.isEmpty)
        // The settings name the difference.
        for key in german.keys where key != "clinic.variant_hint" {
            #expect(german[key].firstMatch(of: /(?i)beistrich|strichpunkt|einlang|jänner/) == nil, "\(key)")
        }
        // Every word of the Austrian file is in force, so no key in it is misspelt.
        let file = try JSON.parse(Array(try Data(contentsOf: URL(fileURLWithPath: folder + "/de-AT.json"))))
        guard case .object(let features) = file else { return }
        let own = features.flatMap { feature -> [String] in
            guard case .object(let members) = feature.value else { return [] }
            return members.map { "\(feature.key).\($0.key)" }
        }
        #expect(Set(own) == Set(differ))
        let january = try #require(LocalDate("2027-01-07"))
        let dates = { (texts: Texts) in DateFormat(texts, Zone("Europe/Vienna"), now: Cast.now) }
        #expect(dates(austrian).longDay(january) == "7. Jänner 2027")
        #expect(dates(german).longDay(january) == "7. Januar 2027")
        #expect(dates(try Texts(.english, folder: folder)).month(january) == "January 2027")
    }

    @Test func `the months of a page follow the clinic's variant`() throws {
        let page = { portal.get("/appointments?month=2027-01", as: .ada).text }
        _ = portal.call(.put, "/settings", #"{"language_variant": "de-AT"}"#, as: .uma)
        #expect(page().contains("Jänner 2027"))
        _ = portal.call(.put, "/settings", #"{"language_variant": "de-DE"}"#, as: .uma)
        #expect(page().contains("Januar 2027"))
    }
}
