import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Web

/// PW-1: a link that opens one assignment, for people without an account on that device.
@Suite struct AssignmentLinkTests {
    let portal: TestPortal
    var base: String {
        "/patients/\(portal.cast.therapies[.pia]?.text ?? "")/assignments/\(portal.cast.assignment)"
    }

    init() throws { portal = try TestPortal() }

    /// - Returns: its path.
    private func make() throws -> String {
        let made = portal.call(.post, base + "/link", as: .ada)
        #expect(made.status == 201, "\(made.text)")
        let url = try #require(made.attributes["url"]?.string)
        #expect(url.hasPrefix("http://127.0.0.1:8080/q/"))
        #expect(made.attributes["expires_at"]?.string == portal.now.adding(days: 2).text)
        return String(url.dropFirst("http://127.0.0.1:8080".count))
    }

    private func fill(_ person: AnsweringPerson) {
        for _ in 0..<20 where person.page.text.contains(#"name="part""#) {
            person.press(
                "next", AnsweringTests.all.filter { person.page.text.contains("name=\"answers.\($0.0)\"") })
        }
    }

    @Test func `PW-1 a link is opened, filled in without an account and sent, and the sheet says so`() throws
    {
        let path = try make()
        // A messenger looks what is behind it.
        for _ in 0..<3 { #expect(portal.send(.get, path).status == 200) }
        let start = portal.send(.get, path)
        #expect(start.text.contains("Beginnen") && start.headers["Referrer-Policy"] == "no-referrer")
        #expect(!start.text.contains(#"href="/my"#) && !start.text.contains("own__nav"))
        let somebody = AnsweringPerson(portal, .nobody, at: path + "/form")
        fill(somebody)
        #expect(somebody.press("send").status == 303)
        #expect(somebody.page.text.contains("Vielen Dank"), "\(somebody.page.text)")
        let sheet = try #require(portal.call(.get, "/my/contributions", as: .pia).list.first)
        #expect(sheet["attributes"]?["assignment_id"]?.string == portal.cast.assignment)
        #expect(sheet["attributes"]?["on_site"] == .bool(true))
        // Used up.
        let again = portal.send(.get, path)
        #expect(again.status == 410 && again.text.contains("schon gesendet"))
        #expect(portal.send(.get, path + "/form").status == 410)
        #expect(portal.call(.post, base + "/link", as: .ada).status == 409)
    }

    @Test func `PW-1 a draft is kept behind the link, and goes on in the app`() throws {
        let path = try make()
        let somebody = AnsweringPerson(portal, .nobody, at: path + "/form")
        somebody.press("later", [("dream", "2")])
        #expect(somebody.page.text.contains("Weiter ausfüllen"))
        let delivery = portal.call(.get, base.replacing(/assignments.*/, with: "deliveries"), as: .ada)
        let opened = delivery.list.first { $0["id"]?.string == portal.cast.assignment }
        #expect(opened?["attributes"]?["opened_at"] == .string(portal.now.text), "\(delivery.text)")
        let draft = portal.call(.get, "/my/drafts/\(portal.cast.assignment)", as: .pia)
        #expect(draft.attributes["answers"]?["dream"] == .number(2))
    }

    @Test func `PW-1 one link works at a time, for 48 hours, until it is ended`() throws {
        let first = try make()
        let second = try make()
        let replaced = portal.send(.get, first)
        #expect(replaced.status == 410 && replaced.text.contains("durch einen neuen ersetzt"))
        #expect(portal.send(.get, second).status == 200)
        #expect(portal.call(.delete, base + "/link", as: .ada).status == 204)
        #expect(portal.call(.delete, base + "/link", as: .ada).status == 204)
        #expect(portal.send(.get, second).status == 410)
        let third = try make()
        portal.wait(days: 2)
        let expired = portal.send(.get, third)
        #expect(expired.status == 410 && expired.text.contains("48 Stunden"))
        #expect(portal.send(.get, third + "/form").status == 410)
    }

    @Test func `PW-1 a link that ends while a step or the sheet is on its way takes nothing in`() throws {
        let path = try make()
        let somebody = AnsweringPerson(portal, .nobody, at: path + "/form")
        let end: @Sendable () -> Void = { [portal, base] in
            _ = portal.call(.delete, base + "/link", as: .ada)
        }
        let step = portal.interleaving(end) { somebody.press("later", [("dream", "2")]) }
        #expect(step.hasComeToWrite && step.response.status == 410, "\(step.response.text)")
        #expect(portal.call(.get, "/my/drafts/\(portal.cast.assignment)", as: .pia).status == 404)
        let next = AnsweringPerson(portal, .nobody, at: try make() + "/form")
        fill(next)
        let sent = portal.interleaving(end) { next.press("send") }
        #expect(sent.hasComeToWrite && sent.response.status == 410, "\(sent.response.text)")
        #expect(sent.response.text.contains("durch einen neuen ersetzt"))
        let sheets = portal.call(.get, "/my/contributions", as: .pia).list
        #expect(!sheets.contains { $0["attributes"]?["on_site"] == .bool(true) })
    }

    @Test func `PW-1 tokens are stored as hashes, logged as patterns, and not guessed`() throws {
        let path = try make()
        let token = String(path.dropFirst("/q/".count))
        #expect(token.count == 43)
        #expect(portal.send(.get, path).status == 200)
        #expect(
            !portal.logged.contains { $0.contains(token) }
                && portal.logged.contains { $0.contains("/q/:token") })
        let hashes: [[UInt8]] = try portal.services.records.read { connection in
            try connection.all("SELECT hash FROM assignment_links") { row in try row[0] }
        }
        #expect(hashes.count == 1 && hashes.first.map { String(decoding: $0, as: UTF8.self) } != token)
        let wrong = portal.send(.get, "/q/" + String(repeating: "x", count: 43))
        #expect(wrong.status == 404 && wrong.text.contains("Diesen Link gibt es nicht"))
        for _ in 0..<30 { _ = portal.send(.get, "/q/short") }
        #expect(portal.send(.get, "/q/short").status == 429)
        portal.wait(seconds: 3601)
        #expect(portal.send(.get, path).status == 200)
    }

    @Test func `PW-1 the waiting room's device is signed out before it is handed over`() throws {
        let ada = Browser(portal)
        _ = ada.signIn()
        let before = ada.cookie
        #expect(ada.get(base + "/tablet").text.contains("Abmelden und Fragebogen öffnen"))
        let over = ada.post(base + "/tablet")
        #expect(over.status == 303 && over.headers["Location"]?.hasPrefix("/q/") == true)
        #expect(over.headers["Clear-Site-Data"] == "\"cache\"")
        #expect(portal.send(.get, "/patients", ["Cookie": "sid=\(before)"]).status == 303)
        #expect(portal.send(.get, over.headers["Location"] ?? "").status == 200)
        #expect(try portal.changes().contains("assignment.link_made"))
        #expect(try portal.changes().last == "account.signed_out")
    }

    @Test func `PW-1 the therapist's page shows the link once, as picture and in letters`() throws {
        let page = portal.post(base + "/link", as: .ada)
        #expect(page.status == 200 && page.text.contains("<svg class=\"qr\"") && page.text.contains("/q/"))
        let later = portal.get(base + "/link", as: .ada)
        #expect(later.status == 200 && !later.text.contains("127.0.0.1:8080/q/"))
        #expect(later.text.contains("Link beenden"))
        #expect(portal.post(base + "/link/removal", as: .ada).status == 303)
        #expect(!portal.get(base + "/link", as: .ada).text.contains("Link beenden"))
        #expect(portal.get(base + "/link", as: .ben).status == 404)
    }
}
