import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import Portal
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

    @Test func `FD-13 a link has a draft of its own, shown only to the browser that typed it`() throws {
        let pia = AnsweringPerson(portal, .pia, at: "/my/assignments/\(portal.cast.assignment)")
        pia.press("later", [("dream", "4")])
        let path = try make()
        // Her input on her own phone stays hers.
        let ada = AnsweringPerson(portal, .ada, at: path + "/form")
        #expect(!ada.page.text.contains(" checked") && portal.send(.get, path).text.contains("Beginnen"))
        let somebody = AnsweringPerson(portal, .nobody, at: path + "/form")
        somebody.press("later", [("dream", "2")])
        #expect(somebody.page.text.contains("Weiter ausfüllen"))
        somebody.browser.closeAndOpen()
        #expect(somebody.browser.get(path).text.contains("Weiter ausfüllen"))
        for person in [Person.nobody, .ada, .pia] {
            let other = AnsweringPerson(portal, person, at: path)
            #expect(other.page.text.contains("Beginnen") && !other.page.text.contains("Weiter ausfüllen"))
        }
        let draft = portal.call(.get, "/my/drafts/\(portal.cast.assignment)", as: .pia)
        #expect(draft.attributes["answers"]?["dream"] == .number(4), "\(draft.text)")
        let delivery = portal.call(.get, base.replacing(/assignments.*/, with: "deliveries"), as: .ada)
        let opened = delivery.list.first { $0["id"]?.string == portal.cast.assignment }
        #expect(opened?["attributes"]?["opened_at"] == .string(portal.now.text), "\(delivery.text)")
        // Gone with the link: nothing of it lies in the database, and a newer link begins anew.
        #expect(try drafts() == 1)
        let next = try make()
        #expect(try drafts() == 0)
        #expect(somebody.browser.get(next).text.contains("Beginnen"))
    }

    private func drafts() throws -> Int {
        try portal.services.records.read { connection in
            try connection.value("SELECT count(*) FROM link_drafts") ?? 0
        }
    }

    @Test func `FD-13 what a link was not used for is gone once it has run out`() throws {
        let somebody = AnsweringPerson(portal, .nobody, at: try make() + "/form")
        somebody.press("later", [("dream", "2")])
        #expect(somebody.browser.value(of: "sheet") != nil)
        portal.wait(days: 3)
        try portal.services.records.writeUnaudited(.madeUp) { [now = portal.now] connection in
            for feature in Feature.all { try feature.removeExpired(now, connection) }
        }
        #expect(try drafts() == 0)
        #expect(somebody.browser.value(of: "sheet") == nil)
    }

    @Test func `FD-13 handing the device back ends the link, before sending and after`() throws {
        let path = try make()
        let somebody = AnsweringPerson(portal, .nobody, at: path + "/form")
        somebody.press("next", [("dream", "2")])
        #expect(somebody.page.text.contains("Fertig, Gerät zurückgeben"))
        let asks = somebody.browser.get(path + "/form/done")
        #expect(asks.text.contains("geht verloren"))
        #expect(try drafts() == 1)
        #expect(somebody.browser.post(path + "/form/done").status == 303)
        #expect(somebody.browser.get(path + "/form/done").text.contains("jetzt zurückgeben"))
        #expect(somebody.browser.value(of: "sheet") == nil)
        #expect(try drafts() == 0)
        let ended = somebody.browser.get(path + "/form")
        #expect(ended.status == 410)
        // LF-10: not by the practice.
        #expect(
            ended.text.contains("seit das Gerät zurückgegeben wurde")
                && !ended.text.contains("hat diesen Link"))
        #expect(somebody.browser.post(path + "/form/done").status == 200)
        let next = AnsweringPerson(portal, .nobody, at: try make() + "/form")
        fill(next)
        let thanks = next.press("send").headers["Location"] ?? ""
        #expect(next.page.text.contains("Fertig, Gerät zurückgeben"), "\(next.page.text)")
        let done = thanks.replacing(/sent.*/, with: "done")
        #expect(next.browser.post(done).status == 303)
        #expect(next.browser.get(thanks).status == 410)
    }

    @Test func `LF-10 a link says whether the device was handed back or the practice ended it`() throws {
        let first = try make()
        #expect(portal.call(.delete, base + "/link", as: .ada).status == 204)
        let visitor = AnsweringPerson(portal, .nobody, at: first + "/form")
        #expect(
            visitor.page.status == 410 && visitor.page.text.contains("Ihre Praxis hat diesen Link beendet"))
        // Handing back what the practice had ended changes nothing.
        _ = visitor.browser.post(first + "/form/done")
        #expect(visitor.browser.get(first + "/form").text.contains("Ihre Praxis hat diesen Link beendet"))
        // A second tab that goes on after the device was handed back.
        let second = try make()
        let tab = AnsweringPerson(portal, .nobody, at: second + "/form")
        #expect(tab.browser.post(second + "/form/done").status == 303)
        tab.press("next", [("dream", "2")])
        #expect(tab.page.status == 410, "\(tab.page.text)")
        #expect(tab.page.text.contains("seit das Gerät zurückgegeben wurde"))
    }

    @Test func `FD-13 thanks are shown for ten minutes, and in the browser that sent it`() throws {
        let path = try make()
        let somebody = AnsweringPerson(portal, .nobody, at: path + "/form")
        fill(somebody)
        let thanks = somebody.press("send").headers["Location"] ?? ""
        portal.wait(seconds: 590)
        #expect(somebody.browser.get(thanks).status == 200)
        for person in [Person.nobody, .ada, .pia] {
            #expect(AnsweringPerson(portal, person, at: thanks).page.status == 410)
        }
        portal.wait(seconds: 11)
        #expect(somebody.browser.get(thanks).status == 410)
    }

    @Test func `FD-13 making a link and sending by it are lines in the patient's access log`() throws {
        let path = try make()
        let somebody = AnsweringPerson(portal, .nobody, at: path + "/form")
        fill(somebody)
        #expect(somebody.press("send").status == 303)
        let log = portal.call(.get, "/my/access-log", as: .pia).list.compactMap { $0["attributes"] }
        let sent = log.first { $0["action"]?.string == "assignment.sent_by_link" }
        let made = log.first { $0["action"]?.string == "assignment.link_made" }
        #expect(sent?["by"] == .null && sent?["areas"] == .array([]), "\(log)")
        #expect(made?["by"]?.string?.contains("Ada") == true, "\(log)")
        let page = portal.get("/my/settings/access-log", as: .pia).text
        #expect(page.contains("Fragebogen über einen Link gesendet"), "\(page)")
        #expect(page.contains("Link zu einem Fragebogen erzeugt"))
    }

    @Test func `FD-13 wrong links close no good one behind the same address`() throws {
        let path = try make()
        for _ in 0..<40 { _ = portal.send(.get, "/q/" + String(repeating: "x", count: 43)) }
        #expect(portal.send(.get, "/q/short").status == 429)
        let somebody = AnsweringPerson(portal, .nobody, at: path + "/form")
        fill(somebody)
        #expect(somebody.press("send").status == 303)
        #expect(somebody.page.text.contains("Vielen Dank"))
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
