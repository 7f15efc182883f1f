import Database
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Web

/// Taking a questionnaire out of use that others rest on.
@Suite struct RetirementTests {
    let portal: TestPortal
    let questionnaire: String
    private var path: String { "/questionnaires/\(questionnaire)/retirement" }
    private var patient: String { portal.cast.therapies[.pia]?.text ?? "" }

    init() throws {
        portal = try TestPortal()
        questionnaire = try portal.publish("wellbeing-5")
    }

    private func rule(_ name: String, as person: Person) -> String {
        let made = portal.call(
            .post, "/rules",
            """
            {"name": "\(name)", "briefing": "Bitte ansehen", "enabled": true, "conditions": [{"kind": "score",
             "questionnaire_key": "wellbeing-5", "item": "wellbeing", "comparison": "at_most", "value": 28}]}
            """, as: person)
        #expect(made.status == 201, "\(made.text)")
        let on = portal.call(.post, "/rules/\(made.id)/enabling", "{}", as: person)
        #expect((200..<300).contains(on.status), "\(on.text)")
        return made.id
    }

    private func plan() -> Response {
        portal.call(
            .post, "/patients/\(patient)/delivery-rules",
            #"{"occasion": "before_session", "questionnaire_key": "wellbeing-5"}"#, as: .ada)
    }

    private func battery() {
        let body = #"{"name": "Beginn", "questionnaire_keys": ["wellbeing-5"]}"#
        #expect(portal.call(.post, "/batteries", body, as: .ada).status == 201)
    }

    private func usedBy(_ response: Response) -> [String] {
        let uses = response.json["data"]?["used_by"]?.array ?? []
        return uses.map { use in
            let words = [use["whose"]?.string, use["kind"]?.string, use["name"]?.string]
            return words.compactMap(\.self).joined(separator: " ") + " \(use["count"]?.number ?? -1)"
        }
    }

    @Test func `FD-38 what others rest on asks first over the API, and says what: own things by name`() throws
    {
        _ = rule("Schlecht", as: .ada)
        _ = rule("Bens Sache", as: .ben)
        #expect(plan().status == 201)
        battery()
        let asked = portal.call(.post, path, as: .ada)
        #expect(asked.status == 409 && asked.json["code"]?.string == "in_use", "\(asked.text)")
        #expect(
            usedBy(asked) == [
                "clinic battery Beginn 1.0", "own plan 1.0", "own reaction Schlecht 1.0",
                "others reaction 1.0",
            ])
        let bens = portal.call(.post, path, #"{"even_if_used": false}"#, as: .ben)
        #expect(
            usedBy(bens) == [
                "clinic battery Beginn 1.0", "others plan 1.0", "own reaction Bens Sache 1.0",
                "others reaction 1.0",
            ])
        #expect(!bens.text.contains("Schlecht"))
        // The page says the same.
        let page = portal.get(path, as: .ben).text
        for words in ["Ihre eingeschaltete Reaktion „Bens Sache“", "1 eingeschaltete Reaktion von anderen"] {
            #expect(page.contains(words), "\(words)")
        }
        #expect(!page.contains("Schlecht"))
        let retired = try portal.services.records.read {
            try $0.count("SELECT count(*) FROM questionnaires WHERE retired_at IS NOT NULL")
        }
        #expect(retired == 0)
        #expect(
            portal.call(.post, path, #"{"even_if_used": "ja"}"#, as: .ada).wrongFields == ["even_if_used"])
        #expect(portal.call(.post, path, #"{"sure": true}"#, as: .ada).status == 422)
        #expect(portal.call(.post, path, #"{"even_if_used": true}"#, as: .pia).status == 403)
        #expect(portal.call(.post, path, #"{"even_if_used": true}"#, as: .ada).status == 204)
        #expect(try portal.changes().last == "questionnaire.retired")
    }

    @Test func `FD-38 what nothing rests on goes at once, also where a page had asked before`() throws {
        #expect(portal.call(.post, path, as: .ada).status == 204)
        #expect(portal.post("/questionnaires/\(questionnaire)/reinstatement", as: .ada).status == 303)
        // A page that was opened while nothing rested on it asks, for by now something does.
        #expect(portal.get(path, as: .ada).text.contains("derzeit nirgends verwendet"))
        battery()
        #expect(portal.post(path, as: .ada).headers["Location"] == path)
        #expect(portal.post(path, [("confirmed", "true")], as: .ada).status == 303)
    }

    @Test
    func `FD-38 who made it reads on Today that it rests on an archived questionnaire, until it is changed`()
        throws
    {
        let adas = rule("Schlecht", as: .ada)
        let bens = rule("Bens Sache", as: .ben)
        let planned = plan().id
        let today = { (person: Person) in portal.get("/", as: person).text }
        #expect(!today(.ada).contains("archivierten Fragebogen"))
        #expect(portal.call(.post, path, #"{"even_if_used": true}"#, as: .lena).status == 204)
        #expect(today(.ada).contains("/rules/\(adas)\">Schlecht</a> achtet auf den archivierten Fragebogen"))
        #expect(today(.ada).contains("hat im Plan den archivierten Fragebogen"))
        #expect(!today(.ada).contains("Bens Sache") && today(.ben).contains("/rules/\(bens)"))
        #expect(!today(.ben).contains("hat im Plan"))
        #expect(portal.call(.delete, "/rules/\(adas)", as: .ada).status == 204)
        #expect(!today(.ada).contains("/rules/\(adas)") && today(.ada).contains("hat im Plan"))
        #expect(
            portal.call(.delete, "/patients/\(patient)/delivery-rules/\(planned)", as: .ada).status == 204)
        #expect(!today(.ada).contains("archivierten Fragebogen"))
        #expect(portal.post("/questionnaires/\(questionnaire)/reinstatement", as: .ada).status == 303)
        #expect(!today(.ben).contains("archivierten Fragebogen"))
    }

    @Test func `FD-38 a lead without patients reads it where the studies are`() throws {
        let desk = StudyDesk(portal: portal)
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        let asked = portal.call(.post, path, as: .lena)
        #expect(usedBy(asked) == ["own study stress-26 1.0"])
        #expect(usedBy(portal.call(.post, path, as: .ada)) == ["others study 1.0"])
        #expect(portal.call(.post, path, #"{"even_if_used": true}"#, as: .ada).status == 204)
        let page = portal.get("/studies", as: .lena).text
        #expect(page.contains("stress-26</a> fragt den archivierten Fragebogen"), "\(page)")
    }

    @Test func `FD-38 a protocol and dailies are what rests on a questionnaire, too`() throws {
        let made = portal.call(
            .post, "/protocols",
            """
            {"name": "Schlaf", "plan": [{"occasion": "before_session", "questionnaire_key": "wellbeing-5"}]}
            """, as: .ada)
        #expect(made.status == 201, "\(made.text)")
        #expect(usedBy(portal.call(.post, path, as: .ada)) == ["own protocol Schlaf 1.0"])
        #expect(usedBy(portal.call(.post, path, as: .ben)) == ["others protocol 1.0"])
        let daily = try portal.publish("intersession-daily")
        let dailies = portal.call(.post, "/questionnaires/\(daily)/retirement", as: .ada)
        #expect(usedBy(dailies).contains("clinic dailies 1.0"), "\(dailies.text)")
    }
}
