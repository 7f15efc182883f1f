import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Web

/// IO-2, PW-5: another address for a confirmed account.
@Suite struct AddressChangeTests {
    let portal: TestPortal

    init() throws { portal = try TestPortal() }

    private func ask(_ email: String, _ password: String = Cast.password, as person: Person = .pia)
        -> Response
    {
        portal.call(
            .post, "/my/email", #"{"email": "\#(email)", "current_password": "\#(password)"}"#, as: person)
    }

    /// The token in the newest mail that bears one.
    private func token() throws -> String {
        let mail = try portal.mails().last { $0.contains("/confirm-email?token=") }
        let found = try #require(mail?.firstMatch(of: /confirm-email\?token=([A-Za-z0-9_-]+)/))
        return String(found.1)
    }

    private func confirm(_ token: String) -> Response {
        let browser = Browser(portal)
        _ = browser.get("/confirm-email?token=\(token)")
        return browser.post("/confirm-email", [("token", token)])
    }

    private func signIn(_ email: String) -> Int {
        portal.call(.post, "/auth/login", #"{"email": "\#(email)", "password": "\#(Cast.password)"}"#).status
    }

    @Test func `nothing changes until the link is opened, and the old address is told`() throws {
        let before = try portal.mails().count
        #expect(ask("neu@example.org").status == 202)
        let mails = try portal.mails().dropFirst(before)
        #expect(mails.count == 2)
        #expect(
            mails.contains { $0.contains("To: <neu@example.org>") && $0.contains("/confirm-email?token=") })
        #expect(mails.contains { $0.contains("To: <pia@example.org>") && !$0.contains("token=") })
        #expect(signIn("pia@example.org") == 200 && signIn("neu@example.org") == 401)
        let link = try token()
        // Mail scanners open links; that changes nothing.
        for _ in 0..<3 { #expect(portal.send(.get, "/confirm-email?token=\(link)").status == 200) }
        #expect(signIn("neu@example.org") == 401)
        let done = confirm(link)
        #expect(done.status == 200 && done.text.contains("Adresse geändert"))
        #expect(signIn("neu@example.org") == 200 && signIn("pia@example.org") == 401)
        #expect(portal.call(.get, "/my/profile", as: .pia).attributes["email"] == .string("neu@example.org"))
        #expect(try portal.changes().contains("account.address_changed"))
        #expect(confirm(link).status == 410)
        #expect(confirm("x").status == 404)
    }

    @Test func `a wrong password, the own address and a taken one are refused at their fields`() throws {
        #expect(ask("neu@example.org", "falsch").wrongFields == ["current_password"])
        #expect(ask("PIA@example.org").wrongFields == ["email"])
        #expect(ask("quinn@example.org").wrongFields == ["email"])
        #expect(ask("keine").wrongFields == ["email"])
        #expect(ask("neu@example.org", as: .ada).status == 403)
        #expect(try portal.count("address_changes") == 0)
    }

    @Test
    func `a newer wish ends the older, a day ends both, and what somebody took meanwhile is not given twice`()
        throws
    {
        #expect(ask("eins@example.org").status == 202)
        let first = try token()
        portal.wait(seconds: 1)
        #expect(ask("zwei@example.org").status == 202)
        let second = try token()
        #expect(first != second && confirm(first).status == 410)
        #expect(ask("zwei@example.org", as: .quinn).status == 202)
        let other = try token()
        #expect(confirm(other).status == 200)
        let taken = confirm(second)
        #expect(taken.status == 409 && taken.text.contains("schon ein Konto"))
        #expect(signIn("pia@example.org") == 200)
        #expect(ask("drei@example.org").status == 202)
        let late = try token()
        portal.wait(days: 1)
        #expect(confirm(late).status == 410)
    }

    @Test func `links that went to the old address open nothing any more`() throws {
        #expect(portal.call(.post, "/auth/password/forgot", #"{"email": "pia@example.org"}"#).status == 202)
        let mail = try #require(try portal.mails().last)
        let reset = try #require(mail.firstMatch(of: /reset\?token=([A-Za-z0-9_-]+)/)).1
        #expect(ask("neu@example.org").status == 202)
        #expect(confirm(try token()).status == 200)
        let body =
            #"{"token": "\#(reset)", "password": "ganz neue Worte", "password_confirmation": "ganz neue Worte"}"#
        #expect(portal.call(.post, "/auth/password/reset", body).status == 410)
    }

    @Test func `the page says what follows, and keeps what was typed`() throws {
        let page = portal.get("/my/settings/email", as: .pia)
        #expect(page.status == 200 && page.text.contains("Die alte Adresse bekommt eine Nachricht"))
        #expect(portal.get("/my/settings", as: .pia).text.contains("/my/settings/email"))
        let wrong = portal.post(
            "/my/settings/email", [("email", "neu@example.org"), ("current_password", "falsch")], as: .pia)
        #expect(wrong.status == 422 && wrong.text.contains("neu@example.org"))
        #expect(!wrong.text.contains("falsch\""))
        let right = portal.post(
            "/my/settings/email", [("email", "neu@example.org"), ("current_password", Cast.password)],
            as: .pia)
        #expect(right.status == 303)
        #expect(confirm(try token()).status == 200)
    }
}
