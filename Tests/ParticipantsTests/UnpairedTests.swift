import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Web

/// People without an account: on paper and behind a link, before pairing (PW-1, IO-6).
@Suite struct UnpairedTests {
    let portal: TestPortal
    var patient: String { "/patients/\(portal.cast.openTherapy)" }

    init() throws { portal = try TestPortal() }

    private func assign() throws -> String {
        let made = portal.call(
            .post, patient + "/assignments", #"{"questionnaire_key": "between-sessions"}"#, as: .ada)
        return try #require(made.status == 201 ? made.id : nil, "\(made.text)")
    }

    /// - Returns: the path of a link.
    private func link(_ assignment: String) throws -> String {
        let made = portal.call(.post, patient + "/assignments/\(assignment)/link", as: .ada)
        let url = try #require(made.attributes["url"]?.string, "\(made.text)")
        return String(url.dropFirst("http://127.0.0.1:8080".count))
    }

    private func fill(_ person: AnsweringPerson, but left: String = "") {
        for _ in 0..<20 where person.page.text.contains(#"name="part""#) {
            person.press(
                "next",
                AnsweringTests.all.filter {
                    $0.0 != left && person.page.text.contains("name=\"answers.\($0.0)\"")
                })
        }
    }

    private func enterPaper() -> Response {
        let answers = AnsweringTests.all.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ")
        let body = """
            {"questionnaire_key": "between-sessions", "completed_at": "\(portal.now.text)",
             "answers": {\(answers)}}
            """
        return portal.call(.post, patient + "/contributions", body, as: .ada)
    }

    /// A patient pairs with the code of the therapist's sheet.
    private func pair(_ person: Person) {
        let code = portal.call(.get, patient, as: .ada).attributes["pairing_code"]?["code"]?.string ?? ""
        let body = #"{"code": "\#(code)", "birth_date": "1985-01-02", "gender": "male"}"#
        #expect(portal.call(.post, "/my/pairing", body, as: person).status == 201)
    }

    private var sheets: [JSON] { portal.call(.get, patient + "/contributions", as: .ada).list }

    // MARK: Behind a link

    @Test func `PW-1 who has not paired fills in behind a link, and the sheet is the therapy's`() throws {
        let assignment = try assign()
        #expect(
            portal.get(patient + "/deliveries", as: .ada).text.contains("/assignments/\(assignment)/link"))
        let somebody = AnsweringPerson(portal, .nobody, at: try link(assignment) + "/form")
        fill(somebody)
        #expect(somebody.press("send").status == 303)
        #expect(somebody.page.text.contains("Vielen Dank"))
        let sheet = try #require(sheets.first)
        #expect(sheets.count == 1 && sheet["attributes"]?["on_site"] == .bool(true))
        #expect(sheet["attributes"]?["answers"]?["came_back"] != nil)
        let id = sheet["id"]?.string ?? ""
        let page = portal.get(patient + "/contributions/\(id)", as: .ada)
        #expect(page.status == 200 && page.text.contains("auf einem Gerät der Praxis"))
        let list = portal.get(patient + "/contributions", as: .ada)
        #expect(list.status == 200 && list.text.contains("/contributions/\(id)"))
        #expect(portal.call(.get, patient, as: .ada).attributes["state"] == .string("code_open"))
        #expect(portal.call(.get, patient + "/contributions/\(id)", as: .ben).status == 404)
    }

    @Test func `PW-1 a link that was made before pairing goes on with what was typed`() throws {
        let assignment = try assign()
        let path = try link(assignment)
        let somebody = AnsweringPerson(portal, .nobody, at: path + "/form")
        somebody.press("later", [("dream", "2")])
        pair(.nora)
        // In the browser that typed it: another one begins anew (FD-13).
        let other = AnsweringPerson(portal, .nobody, at: path + "/form")
        #expect(!other.fields.contains { $0.0 == "answers.dream" })
        somebody.open(path + "/form")
        fill(somebody, but: "dream")
        #expect(somebody.press("send").status == 303)
        #expect(sheets.count == 1 && sheets.first?["attributes"]?["answers"]?["dream"] == .number(2))
        // Nothing moves: it is not among what the account has sent, and nothing is asked twice.
        #expect(portal.call(.get, "/my/contributions", as: .nora).list.isEmpty)
        #expect(
            !portal.call(.get, "/my/assignments", as: .nora).list.contains { $0["id"]?.string == assignment })
        #expect(portal.get("/my/assignments/\(assignment)", as: .nora).text.contains("gesendet"))
    }

    @Test func `PW-1 a link of an account whose pairing was undone opens nothing`() throws {
        let assignment = try assign()
        pair(.nora)
        let path = try link(assignment)
        #expect(portal.send(.get, path).status == 200)
        #expect(portal.call(.post, patient + "/pairing/undo", as: .ada).status == 204)
        #expect(portal.send(.get, path).status == 410)
    }

    // MARK: On paper

    @Test func `IO-6 paper of who has not paired is the therapy's, beside what comes after pairing`() throws {
        let entered = enterPaper()
        #expect(entered.status == 201, "\(entered.text)")
        #expect(enterPaper().status == 409)
        #expect(sheets.count == 1)
        #expect(portal.get(patient + "/contributions/new", as: .ada).text.contains("between-sessions"))
        #expect(portal.get(patient + "/timeline", as: .ada).status == 200)
        pair(.nora)
        portal.wait(seconds: 600)
        #expect(enterPaper().status == 201)
        #expect(sheets.count == 2)
        let ids = sheets.compactMap { $0["id"]?.string }
        for id in ids { #expect(portal.get(patient + "/contributions/\(id)", as: .ada).status == 200) }
        #expect(portal.get(patient + "/contributions", as: .ada).status == 200)
        #expect(portal.call(.get, "/my/contributions", as: .nora).list.count == 1)
        // What is held about a person is in the copy.
        let copy = portal.call(.get, "/my/export", as: .nora)
        #expect(copy.attributes["contributions"]?.array?.count == 2, "\(copy.text.prefix(200))")
    }

    @Test func `a pairing that is undone takes what came from it, and not what was there before`() throws {
        let first = enterPaper().id
        pair(.nora)
        portal.wait(seconds: 600)
        #expect(enterPaper().status == 201)
        #expect(portal.call(.post, patient + "/pairing/undo", as: .ada).status == 204)
        #expect(sheets.compactMap { $0["id"]?.string } == [first])
    }

    // MARK: Going

    @Test func `somebody who is not paired is erased by the therapist with all that was filled in`() throws {
        #expect(enterPaper().status == 201)
        let before = try portal.count("accounts")
        let page = portal.get(patient + "/erasure", as: .ada)
        #expect(page.status == 200 && page.text.contains("1 ausgefüllter Fragebogen"))
        #expect(portal.get(patient, as: .ada).text.contains(patient + "/erasure"))
        let codename = portal.call(.get, patient, as: .ada).attributes["codename"]?.string ?? ""
        #expect(portal.post(patient + "/erasure", [("codename", "C9")], as: .ada).status == 422)
        #expect(portal.post(patient + "/erasure", [("codename", codename)], as: .ben).status == 404)
        #expect(portal.post(patient + "/erasure", [("codename", codename)], as: .ada).status == 303)
        #expect(portal.get(patient, as: .ada).status == 404)
        #expect(try portal.count("accounts") == before - 1)
        #expect(try portal.audit().contains("patient.erased"))
        let list = try String(contentsOfFile: portal.services.settings.erasedPath, encoding: .utf8)
        #expect(list.contains(portal.cast.openTherapy.text))
    }

    @Test func `who is paired is erased by nobody else, also when they pair at that very moment`() throws {
        let pia = portal.cast.therapies[.pia] ?? ""
        #expect(portal.call(.delete, "/patients/\(pia)", as: .ada).status == 409)
        #expect(portal.get("/patients/\(pia)/erasure", as: .ada).status == 409)
        #expect(!portal.get("/patients/\(pia)", as: .ada).text.contains("/erasure"))
        let code = portal.call(.get, patient, as: .ada).attributes["pairing_code"]?["code"]?.string ?? ""
        let erased = portal.interleaving { [portal] in
            let body = #"{"code": "\#(code)", "birth_date": "1985-01-02", "gender": "male"}"#
            #expect(portal.call(.post, "/my/pairing", body, as: .nora).status == 201)
        } _: {
            portal.call(.delete, patient, as: .ada)
        }
        #expect(erased.hasComeToWrite && erased.response.status == 409, "\(erased.response.text)")
        #expect(portal.call(.get, patient, as: .ada).attributes["state"] == .string("paired"))
        let list = (try? String(contentsOfFile: portal.services.settings.erasedPath, encoding: .utf8)) ?? ""
        #expect(!list.contains(portal.cast.openTherapy.text))
    }

    @Test func `IO-17 who erases the account erases what was filled in before pairing, too`() throws {
        #expect(enterPaper().status == 201)
        pair(.nora)
        let body = #"{"password": "\#(Cast.password)"}"#
        #expect(portal.call(.delete, "/my/account", body, as: .nora).status == 204)
        let left = try portal.services.records.read { connection in
            try connection.count("SELECT count(*) FROM accounts WHERE is_paper = 1")
        }
        #expect(left == 0 && portal.get(patient, as: .ada).status == 404)
    }

    @Test func `IO-6 rules look at nothing that came in before pairing`() throws {
        let rule = portal.call(
            .post, "/rules",
            """
            {"name": "x", "conditions": [{"kind": "score", "questionnaire_key": "between-sessions",
             "item": "intensity", "comparison": "at_least", "value": 0, "times": 2, "of": 2}],
             "briefing": "x", "rest_days": 1, "enabled": true}
            """, as: .ada)
        #expect(rule.status == 201, "\(rule.text)")
        let firings = { portal.call(.get, "/rules/\(rule.id)/firings", as: .ada).list.count }
        #expect(enterPaper().status == 201)
        pair(.nora)
        portal.wait(seconds: 600)
        #expect(enterPaper().status == 201)
        #expect(firings() == 0)
        portal.wait(seconds: 600)
        #expect(enterPaper().status == 201)
        #expect(firings() == 1)
        // Figures show all three.
        let scores = portal.call(.get, patient + "/scores?questionnaire_key=between-sessions", as: .ada)
        let shown = scores.list.filter { $0["attributes"]?["scale"] == .string("intensity") }
        #expect(shown.count == 3)
        #expect(sheets.count == 3)
        #expect(portal.get(patient + "/briefing", as: .ada).status == 200)
    }
}
