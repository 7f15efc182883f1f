import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Questionnaires
@testable import Records
@testable import Scheduling
@testable import Studies
@testable import Web
@testable import Wording

/// SN-5, TYS-10: a third language in the hands of people.
@Suite struct LanguagesInUseTests {
    let language: MadeUpLanguage
    let portal: TestPortal

    init() throws {
        let language = try MadeUpLanguage()
        self.language = language
        portal = try TestPortal { $0.resources = language.folder }
    }

    private func speaks(_ code: String) -> Headers { ["Accept-Language": code] }

    @Test func `TYS-10 a person chooses any installed language, and no other`() throws {
        #expect(portal.services.languages.map(\.rawValue) == ["de", "en", "xx"])
        #expect(
            portal.get("/", as: .ada).text.contains("name=\"language\" value=\"xx\" lang=\"xx\">⟦English⟧"))
        #expect(portal.post("/language", [("language", "xx"), ("back", "/")], as: .ada).status == 303)
        #expect(portal.get("/", as: .ada).text.contains("<html lang=\"xx\""))
        #expect(portal.post("/language", [("language", "it"), ("back", "/")], as: .ada).status == 422)
        let profile = portal.change(.patch, "/my/profile", #"{"language": "xx"}"#, as: .pia)
        #expect(profile.status == 200 && profile.attributes["language"]?.string == "xx")
        #expect(
            portal.change(.patch, "/my/profile", #"{"language": "it"}"#, as: .pia).wrongFields == ["language"]
        )
        let invited = portal.post(
            "/admin/accounts/new",
            [("name", "Ida"), ("email", "ida@example.org"), ("roles", "therapist"), ("language", "xx")],
            as: .uma)
        #expect(invited.status == 303)
    }

    @Test func `TYS-10 refusals and mails are in the third language`() throws {
        let refusal =
            portal.call(.get, "/my/profile", as: .nobody, speaks("xx")).json["message"]?.string ?? ""
        #expect(refusal.hasPrefix("⟦") && refusal.hasSuffix("⟧"))
        #expect(portal.change(.patch, "/my/profile", #"{"language": "xx"}"#, as: .pia).status == 200)
        #expect(
            portal.call(.post, "/auth/password/forgot", #"{"email": "pia@example.org"}"#).status < 300)
        let mail = try #require(try portal.mails().last)
        #expect(mail.contains("⟦") && mail.contains("⟧"))
    }

    @Test func `an account whose language is not installed any more is answered in what its device accepts`()
        throws
    {
        let id = portal.cast.accounts[.ada] ?? ""
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            try connection.run("UPDATE accounts SET language = 'it' WHERE id = \(id)")
        }
        #expect(portal.get("/", as: .ada, speaks("de")).text.contains("<html lang=\"de\""))
        #expect(portal.get("/", as: .ada, speaks("fr")).text.contains("<html lang=\"en\""))
    }

    @Test func `SN-5 forms have a field for every installed language, and what is typed there is kept`()
        throws
    {
        let form = portal.get("/interventions/new", as: .ada).text
        for name in ["text_de", "text_en", "text_xx"] {
            #expect(form.contains("name=\"\(name)\""), "\(name)")
        }
        #expect(form.contains("Text auf Englisch</label>") && form.contains("Text auf ⟦English⟧</label>"))
        #expect(
            portal.post("/interventions/new", [("kind", "task"), ("text_xx", "⟦Walk.⟧")], as: .ada).status
                == 303)
        let item = try #require(portal.call(.get, "/interventions", as: .ada).list.first)
        #expect(item["attributes"]?["text"]?["xx"]?.string == "⟦Walk.⟧")
        #expect(item["attributes"]?["text"]?["de"] == .null && item["attributes"]?["text"]?["en"] == .null)
        let id = item["id"]?.string ?? ""
        #expect(portal.get("/interventions/\(id)", as: .ada).text.contains("⟦Walk.⟧</textarea>"))
        // An empty field is a text that goes; one that is not on the form stays.
        let typed = [("kind", "task"), ("text_de", "Gehen.")]
        #expect(portal.post("/interventions/\(id)", typed, as: .ada).status == 303)
        let both = portal.call(.get, "/interventions/\(id)", as: .ada).attributes["text"]
        #expect(both?["de"]?.string == "Gehen." && both?["xx"]?.string == "⟦Walk.⟧")
        #expect(portal.post("/interventions/\(id)", typed + [("text_xx", "")], as: .ada).status == 303)
        #expect(portal.call(.get, "/interventions/\(id)", as: .ada).attributes["text"]?["xx"] == nil)
        #expect(portal.post("/interventions/\(id)", [("kind", "task")], as: .ada).status == 422)
    }

    @Test func `SN-5 the forms of studies and questionnaires have the third language too`() {
        let study = portal.get("/studies/new", as: .lena).text
        for name in ["title", "description", "text", "consent_text"] {
            for code in ["de", "en", "xx"] {
                #expect(study.contains("name=\"\(name)_\(code)\""), "\(name) \(code)")
            }
        }
        let made = portal.post(
            "/questionnaires/new", [("key", "schlaf"), ("title_de", "Schlaf"), ("title_xx", "⟦Sleep⟧")],
            as: .ada)
        let path = made.headers["Location"] ?? ""
        let section = portal.get(path + "/sections/1", as: .ada).text
        for code in ["de", "en", "xx"] {
            #expect(section.contains("name=\"sections.0.questions.0.text.\(code)\""), "\(code)")
        }
        #expect(portal.get(path, as: .ada).text.contains("⟦Sleep⟧"))
    }

    @Test func `SN-5 an intervention is read in the next of the patient's languages`() throws {
        let text = #"{"kind": "task", "text": {"it": "Cammini.", "de": "Gehen Sie."}}"#
        let made = portal.call(.post, "/interventions", text, as: .ada)
        #expect(made.status == 201 && made.attributes["text"]?["it"]?.string == "Cammini.")
        let pia = portal.cast.therapies[.pia] ?? ""
        let given = portal.call(
            .post, "/patients/\(pia)/interventions", #"{"intervention_id": "\#(made.id)"}"#, as: .ada)
        #expect(given.status == 201)
        let read = { (code: String) in
            let list = portal.call(.get, "/my/interventions", as: .pia, speaks(code)).list
            return list.first { $0["id"]?.string == given.id }?["attributes"]?["text"]?.string
        }
        #expect(read("it") == "Cammini." && read("de") == "Gehen Sie." && read("fr, it;q=0.5") == "Cammini.")
        // Not hers by the device, but by her account.
        #expect(read("fr") == "Gehen Sie.")
    }

    @Test func `SN-5 a study in one further language alone is kept, shown and agreed to`() throws {
        let body = """
            {"name": "sonno", "title": {"it": "Sonno", "sl": "Spanec"}, "consent_text": {"it": "Acconsento."},
             "running": true}
            """
        let made = portal.call(.post, "/studies", body, as: .lena)
        #expect(made.status == 201)
        let lead = made.attributes["lead"]
        #expect(lead?["title"]?["it"]?.string == "Sonno" && lead?["title"]?["en"] == .null)
        #expect(lead?["consent_version"]?.number == 1)
        let shown = { (code: String) in
            portal.call(.get, "/studies/\(made.id)", as: .nora, speaks(code)).attributes
        }
        #expect(
            shown("sl")["title"]?.string == "Spanec" && shown("sl")["consent_text"]?.string == "Acconsento.")
        // The same again is no new version; another translation is.
        let change = { (text: String) in portal.change(.patch, "/studies/\(made.id)", text, as: .lena) }
        #expect(
            change(#"{"consent_text": {"it": "Acconsento."}}"#).attributes["lead"]?["consent_version"]?.number
                == 1)
        let next = change(#"{"consent_text": {"it": "Acconsento.", "sl": "Soglašam."}}"#)
        #expect(next.attributes["lead"]?["consent_version"]?.number == 2)
    }

    @Test func `SN-5 a questionnaire comes whole in the first of the patient's languages that it has`() throws
    {
        let path = Cast.root + "/templates/instruments/wellbeing-5.json"
        let file = try JSON.parse(Array(try Data(contentsOf: URL(fileURLWithPath: path))))
        let bytes = try JSONWriter.bytes(of: Self.translated(file))
        let made = portal.call(
            .post, "/questionnaires/import", String(decoding: bytes, as: UTF8.self), as: .ada)
        #expect(made.status == 201)
        let language = { (code: String) in
            portal.call(.get, "/questionnaires/\(made.id)", as: .ada, speaks(code)).json["meta"]?["language"]?
                .string
        }
        #expect(language("it") == "it" && language("fr, it") == "it" && language("en") == "en")
        #expect(language("fr") == "de")
        let preview = portal.get("/questionnaires/\(made.id)/preview?text=it", as: .ada).text
        #expect(preview.contains("lang=\"it\""))
    }

    @Test func `a language of three letters goes through FHIR and comes back`() throws {
        let path = Cast.root + "/templates/instruments/wellbeing-5.json"
        let file = try JSON.parse(Array(try Data(contentsOf: URL(fileURLWithPath: path))))
        let definition = try QuestionnaireFile.read(Self.translated(file, to: "gsw"))
        let back = try FHIRReader.read(
            FHIRWriter.write(definition, version: 1, url: "urn:uuid:5a1c9a0e-98a5-8a9f-8d3e-0000000000d1")
                .json
        ).file
        #expect(definition.title["gsw"] != nil)
        #expect(back["title"]?["gsw"]?.string == definition.title["gsw"])
    }

    /// A file with an Italian text beside every German one, or one in another language.
    private static func translated(_ json: JSON, to code: String = "it") -> JSON {
        switch json {
        case .object(let members):
            var own = members.map { JSON.Member($0.key, translated($0.value, to: code)) }
            if let german = json["de"]?.string {
                own.append(JSON.Member(code, .string("\(code): \(german)")))
            }
            return .object(own)
        case .array(let values): return .array(values.map { translated($0, to: code) })
        default: return json
        }
    }

    @Test func `SN-5 pages of information come in English until somebody writes them`() throws {
        let title = portal.get("/info/privacy?lang=xx", as: .nobody, speaks("xx")).text
        let english = try String(
            contentsOfFile: Cast.root + "/templates/information/privacy.en.md", encoding: .utf8)
        let heading = english.prefix { $0 != "\n" }.drop { $0 == "#" || $0 == " " }
        #expect(title.contains("<h1>\(heading)</h1>"))
        let form = [
            ("title_de", "Neu"), ("text_de", "a"), ("title_en", "New"), ("text_en", "b"), ("version", "1"),
        ]
        let half = portal.post("/admin/information/privacy", form + [("title_xx", "⟦New⟧")], as: .uma)
        #expect(half.status == 422 && half.text.contains("id=\"text_xx-error\""))
        let whole = form + [("title_xx", "⟦New⟧"), ("text_xx", "⟦b⟧")]
        #expect(portal.post("/admin/information/privacy", whole, as: .uma).status == 303)
        #expect(portal.get("/info/privacy?lang=xx", as: .nobody).text.contains("<p>⟦b⟧</p>"))
        #expect(
            portal.call(.get, "/info/privacy", as: .nobody, speaks("it")).attributes["title"]?.string == "New"
        )
    }

    @Test
    func `SN-5 crisis numbers and the sheet's words have the third language, and German and English always`()
    {
        let settings = portal.call(.get, "/settings", as: .uma).attributes
        let label = settings["crisis_numbers"]?.array?.first?["label"]
        #expect(label?["xx"]?.string?.hasPrefix("⟦") == true && label?["de"]?.string?.isEmpty == false)
        let page = portal.get("/admin/settings", as: .uma).text
        #expect(page.contains("name=\"label_xx_1\"") && page.contains("name=\"path_xx\""))
        let number =
            #"{"crisis_numbers": [{"number": "142", "label": {"de": "Seelsorge", "en": "Line", "it": "Linea"}}]}"#
        let put = portal.change(.put, "/settings", number, as: .uma)
        #expect(put.status == 200, "\(put.text)")
        #expect(put.attributes["crisis_numbers"]?.array?.first?["label"]?["it"]?.string == "Linea")
        let without = #"{"crisis_numbers": [{"number": "142", "label": {"it": "Linea"}}]}"#
        #expect(portal.change(.put, "/settings", without, as: .uma).status == 422)
    }

    @Test func `TYS-10 dates are written as the file of texts says, as in English where it is silent`() throws
    {
        let all = try MadeUpLanguage.sentences("en").filter {
            !$0.key.hasPrefix("dates.") && !$0.key.hasPrefix("numbers.")
        }
        try language.write(
            all.map { ($0.key, $0.text) } + [
                ("dates.months", "gennaio, febbraio"), ("dates.day", "{dd}/{mm}/{year}"),
                ("dates.weekdays_short", "lun, mar, mer, gio, ven, sab, dom"), ("numbers.decimal_mark", ","),
            ])
        let texts = try InstalledTexts(folder: language.folder + "/templates/texts")
        let xx = texts.texts(try #require(texts.language("xx")))
        let dates = DateFormat(xx, Zone("Europe/Vienna"), now: Cast.now)
        let day = try #require(LocalDate("2026-11-07"))
        #expect(dates.day(day) == "07/11/2026" && dates.longDay(day) == "7 November 2026")
        #expect(dates.shortDay(day) == "sab 7 Nov" && dates.weekdays.first == "lun")
        #expect(xx.number(2.5) == "2,5")
    }
}
