import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import Accounts
@testable import Identity
@testable import PortalTesting
@testable import Records
@testable import Web

/// A person at a questionnaire in the browser, without any script: fills in the form that is shown and presses its buttons.
final class AnsweringPerson {
    let browser: Browser
    private(set) var page: Response

    init(_ portal: TestPortal, _ person: Person = .pia, at path: String) {
        browser = Browser(portal)
        if person != .nobody { _ = browser.signIn("\(person.rawValue)@example.org") }
        page = browser.get(path)
    }

    /// Hidden fields and what is chosen or typed, as a browser would send them.
    var fields: [(String, String)] {
        let hidden = page.text.matches(of: /<input type="hidden" name="([^"]+)" value="([^"]*)">/).map {
            (String($0.1), String($0.2).replacing("&quot;", with: "\""))
        }
        let chosen = page.text.matches(
            of: /name="(answers\.[^"]+)" value="([^"]+)"(?:[^>]* checked|[^>]* data-number)/
        )
        .map { (String($0.1), String($0.2)) }
        return hidden.filter { $0.0 != "form_token" } + chosen
    }

    var action: String {
        page.text.firstMatch(of: /<form class="answer[^"]*" action="([^"]+)"/).map { String($0.1) } ?? ""
    }

    /// - Parameter answers: by question.
    @discardableResult func press(_ button: String, _ answers: [(String, String)] = []) -> Response {
        let named = Set(answers.map { "answers.\($0.0)" })
        let kept = fields.filter { !named.contains($0.0) }
        let sent = browser.post(
            action,
            kept + answers.filter { !$0.1.isEmpty }.map { ("answers.\($0.0)", $0.1) } + [("action", button)])
        page = sent
        if sent.status == 303, let next = sent.headers["Location"] {
            page = browser.get(String(next.prefix { $0 != "#" }))
        }
        return sent
    }

    func open(_ path: String) { page = browser.get(path) }
    func leaf(to path: String) -> Bool { page.text.contains(path) }
}

/// PW-1, PW-3, IO-8: filling in questionnaires in the browser.
@Suite struct AnsweringTests {
    let portal: TestPortal
    var path: String { "/my/assignments/\(portal.cast.assignment)" }
    static let all = [
        ("came_back", "3"), ("hard_moment", "2"), ("dream", "0"), ("inner_talk", "4"), ("tried_out", "1"),
        ("looked_ahead", "2"), ("lighter", "3"), ("heavier", "1"),
    ]

    init() throws { portal = try TestPortal() }

    private func draft(as person: Person = .pia) -> JSON {
        portal.call(.get, "/my/drafts/\(portal.cast.assignment)", as: person).attributes["answers"] ?? .null
    }

    /// Answers everything, screen by screen, until the review.
    private func fill(_ person: AnsweringPerson) {
        for _ in 0..<20 where person.page.text.contains(#"name="part""#) {
            let shown = Self.all.filter { person.page.text.contains("name=\"answers.\($0.0)\"") }
            person.press("next", shown)
        }
    }

    @Test func `IO-8 PW-3 a questionnaire is filled in section by section, reviewed and sent`() throws {
        let pia = AnsweringPerson(portal, at: path)
        #expect(pia.page.status == 200, "\(pia.page.text)")
        #expect(!pia.page.text.contains(" checked") && pia.page.text.contains("0 von 8"))
        fill(pia)
        #expect(pia.page.text.contains("Alles beantwortet"), "\(pia.page.text)")
        let sent = pia.press("send")
        #expect(
            sent.status == 303 && sent.headers["Location"]?.contains("/sent?sheet=") == true, "\(sent.text)")
        #expect(pia.page.text.contains("Vielen Dank"))
        let sheet = try #require(portal.call(.get, "/my/contributions", as: .pia).list.first)
        #expect(sheet["attributes"]?["answers"]?["dream"] == .number(0))
        #expect(sheet["attributes"]?["assignment_id"]?.string == portal.cast.assignment)
        #expect(draft() == .null)
        #expect(try portal.changes().contains("contribution.received"))
        pia.open(path)
        #expect(pia.page.status == 200 && pia.page.text.contains("schon gesendet"))
    }

    @Test func `IO-10 a form sent twice is one sheet, and both see that it is sent`() throws {
        let pia = AnsweringPerson(portal, at: path)
        fill(pia)
        let (action, form) = (pia.action, pia.fields + [("action", "send")])
        let before = try portal.count("contributions")
        let first = pia.browser.post(action, form)
        portal.wait(seconds: 2)
        let second = pia.browser.post(action, form)
        #expect(first.status == 303 && second.status == 303)
        #expect(first.headers["Location"] == second.headers["Location"])
        #expect(try portal.count("contributions") == before + 1)
        #expect(try portal.count("quarantined_sheets") == 1)
    }

    @Test func `IO-8 a choice is taken back, and nothing is preset`() {
        let pia = AnsweringPerson(portal, at: path)
        pia.press("later", [("came_back", "3"), ("dream", "2")])
        #expect(draft()["dream"] == .number(2))
        pia.open(path)
        #expect(pia.page.text.contains("Hier geht es weiter") && pia.page.text.contains("2 von 8"))
        let cleared = pia.press("clear:dream")
        #expect(cleared.headers["Location"]?.hasSuffix("#answers.dream") == true)
        #expect(draft()["dream"] == .null && draft()["came_back"] == .number(3))
    }

    @Test func `IO-8 what is missing is named with links to it, and not sent without`() {
        let pia = AnsweringPerson(portal, at: path)
        pia.press("review", [("came_back", "3")])
        #expect(pia.page.text.contains("Diese Antworten fehlen noch"), "\(pia.page.text)")
        #expect(pia.page.text.contains("#answers.dream"))
        #expect(!pia.page.text.contains(#"value="send""#))
        let refused = pia.press("send")
        // LF-10: the title says so, too.
        #expect(refused.status == 422 && refused.text.contains("<title>Fehler: "))
    }

    @Test func `what cannot be an answer is said at its question, and everything else is kept`() {
        let pia = AnsweringPerson(portal, at: path)
        let sent = pia.press("next", [("came_back", "99"), ("dream", "1")])
        #expect(sent.status == 422 && sent.text.contains("Diese Antwort steht nicht zur Wahl"))
        #expect(draft()["dream"] == .number(1) && draft()["came_back"] == nil)
    }

    @Test func `FD-15 two devices, one sheet: the second shows what counts, and beside it what it typed`()
        throws
    {
        let (first, second) = (AnsweringPerson(portal, at: path), AnsweringPerson(portal, at: path))
        fill(first)
        first.press("send")
        let sheet = try #require(portal.call(.get, "/my/contributions", as: .pia).list.first)
        #expect(sheet["attributes"]?["answers"]?["came_back"] == .number(3))
        // Its page was drawn before the other one sent.
        let answered = second.press("next", [("came_back", "1")])
        #expect(answered.status == 409 && answered.text.contains("schon gesendet"), "\(answered.text)")
        let words = answered.text.replacing(/<[^>]*>/, with: "|").replacing(/\|+\s*\|*/, with: "|")
        let counts = try #require(words.firstMatch(of: /Das haben Sie geantwortet(.*)/.dotMatchesNewlines()))
        #expect(counts.1.contains("(3)") || counts.1.contains("3"), "\(words)")
        #expect(counts.1.firstMatch(of: /Hier eingegeben, zählt nicht: *\|?[^|]+/) != nil, "\(words)")
        #expect(answered.text.ranges(of: "Hier eingegeben, zählt nicht").count == 1)
        // Opened again it shows what counts, and nothing else.
        second.open(path)
        #expect(second.page.text.contains("Das haben Sie geantwortet"))
        #expect(!second.page.text.contains("Hier eingegeben"))
        #expect(try portal.count("quarantined_sheets") == 1)
    }

    @Test func `FD-15 a second device that went on from the same draft is told so too`() throws {
        let first = AnsweringPerson(portal, at: path)
        first.press("later", [("came_back", "3")])
        first.open(path)
        let second = AnsweringPerson(portal, at: path)
        let form = second.fields.filter { !$0.0.hasPrefix("answers.") }
        fill(first)
        first.press("send")
        let name = try #require(second.page.text.firstMatch(of: /name="(answers\.[a-z_]+)"/)).1
        let sent = Self.all.first { "answers.\($0.0)" == name }?.1
        let typed = second.browser.post(
            second.action, form + [(String(name), sent == "1" ? "2" : "1"), ("action", "next")])
        #expect(
            typed.status == 409 && typed.text.contains("Hier eingegeben, zählt nicht"),
            "\(name) \(typed.text)")
        #expect(typed.text.contains("Das haben Sie geantwortet"))
    }

    @Test func `IO-10 what was typed stays to be read when another device was faster with other questions`() {
        let pia = AnsweringPerson(portal, at: path)
        pia.press("later", [("came_back", "3")])
        pia.open(path)
        _ = portal.call(
            .put, SheetSample.path, SheetSample.sheetBody(assignment: portal.cast.assignment), as: .pia)
        let answered = pia.press("next", [("dream", "2")])
        #expect(answered.status == 409 && answered.text.contains("schon gesendet"), "\(answered.text)")
        #expect(answered.text.contains("Das haben Sie geantwortet"))
    }

    @Test func `IO-10 too late is said, and the draft stays`() throws {
        let pia = AnsweringPerson(portal, at: path)
        pia.press("later", [("came_back", "3")])
        try portal.services.records.writeUnaudited(.madeUp) { [now = portal.now] connection in
            try connection.run(
                "UPDATE assignments SET available_from = 0, due_at = \(now.adding(seconds: -60))")
        }
        pia.open(path)
        #expect(pia.page.status == 200 && pia.page.text.contains("kann nicht mehr gesendet werden"))
        #expect(pia.page.text.contains("Hier eingegeben, nicht gesendet"))
        #expect(try portal.count("answer_drafts") == 1)
    }

    @Test func `IO-9 what is taken back says so, and what is somebody else's is not there`() {
        let patient = portal.cast.therapies[.pia]?.text ?? ""
        #expect(AnsweringPerson(portal, .quinn, at: path).page.status == 404)
        let pia = AnsweringPerson(portal, at: path)
        _ = portal.call(.delete, "/patients/\(patient)/assignments/\(portal.cast.assignment)", as: .ada)
        let sent = pia.press("next", [("dream", "2")])
        #expect(sent.status == 409 && sent.text.contains("zurückgezogen"))
    }

    @Test func `PW-1 a person goes on where another device was, and no answer of it is lost`() {
        let pia = AnsweringPerson(portal, at: path)
        // Meanwhile the app answers something that this form still shows as open.
        let kept = portal.call(
            .put, "/my/drafts/\(portal.cast.assignment)", #"{"answers": {"dream": 4}}"#, as: .pia)
        #expect(kept.status == 201)
        pia.press("later", [("came_back", "1")])
        #expect(draft()["dream"] == .number(4) && draft()["came_back"] == .number(1))
    }
}
