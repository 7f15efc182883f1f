import Database
import HTTP
import JSON
import Testing
import Wire

@testable import Accounts
@testable import PortalTesting
@testable import Records
@testable import Web

/// PW-5, IO-2: another address for a confirmed account.
@Suite struct EmailChangeTests {
    let portal: TestPortal
    static let new = "pia.neu@example.org"

    init() throws { portal = try TestPortal() }

    @discardableResult
    func ask(_ email: String = new, _ password: String = Cast.password, as person: Person = .pia) -> Response
    {
        portal.call(.post, "/my/email", #"{"email": "\#(email)", "password": "\#(password)"}"#, as: person)
    }

    func confirm(_ token: String) -> Response {
        portal.call(.post, "/auth/email/verify", #"{"token": "\#(token)"}"#)
    }

    func logIn(_ email: String, _ password: String = Cast.password) -> Response {
        portal.call(.post, "/auth/login", #"{"email": "\#(email)", "password": "\#(password)"}"#)
    }

    func mails(to address: String) throws -> [String] {
        try portal.mails().filter { $0.contains("To: <\(address)>") }
    }

    /// The newest link that went to an address.
    func link(to address: String = new) throws -> String {
        let mail = try #require(try mails(to: address).last)
        return try #require(
            mail.firstMatch(of: /verify-email\?token=([A-Za-z0-9_-]{43})/).map { String($0.1) })
    }

    func email(of person: Person = .pia) -> JSON? {
        portal.call(.get, "/my/profile", as: person).attributes["email"]
    }

    @Test func `IO-2 nothing changes until the link is confirmed, then the new address signs in`() throws {
        #expect(ask().status == 202)
        let link = try link()
        // Looking at the page behind the link uses nothing up: messengers open links too.
        for _ in 0..<2 { #expect(portal.get("/verify-email?token=\(link)", as: .nobody).status == 200) }
        #expect(email()?.string == "pia@example.org" && logIn(Self.new).status == 401)
        let notice = try #require(try mails(to: "pia@example.org").first)
        #expect(!notice.contains("token=") && !notice.contains(Self.new) && !notice.contains("http"))
        let confirmed = confirm(link)
        #expect(confirmed.status == 200 && confirmed.attributes["email"]?.string == Self.new)
        #expect(logIn("pia@example.org").status == 401)
        #expect(logIn(Self.new).status == 200)
        #expect(try mails(to: "pia@example.org").count == 2)
        #expect(confirm(link).status == 410)
        let audit = try portal.audit()
        #expect(audit.contains("account.email_change_asked") && audit.contains("account.email_changed"))
    }

    @Test func `PW-5 the password is asked again, and what is wrong is named`() throws {
        #expect(ask(Self.new, "falsch geraten, ganz sicher").wrongFields == ["password"])
        #expect(ask("keine Adresse").wrongFields == ["email"])
        #expect(ask("PIA@example.org").wrongFields == ["email"])
        #expect(portal.call(.post, "/my/email", "{}", as: .pia).wrongFields == ["email", "password"])
        #expect(try portal.mails().isEmpty && portal.count("email_changes") == 0)
    }

    @Test func `C3 an address that is taken looks like a free one, and its owner is told`() throws {
        let free = ask()
        let taken = ask("quinn@example.org")
        #expect(free.status == 202 && taken.status == 202 && free.bytes == taken.bytes)
        #expect(free.headers.fields.map(\.name) == taken.headers.fields.map(\.name))
        let told = try mails(to: "quinn@example.org")
        #expect(told.count == 1 && told.first?.contains("token=") == false)
        #expect(told.first?.contains("pia") == false)
        // The page shows both alike.
        #expect(portal.get("/my/settings/email", as: .pia).text.contains("quinn@example.org wartet noch"))
        #expect(try mails(to: "pia@example.org").count == 2)
        #expect(email()?.string == "pia@example.org" && email(of: .quinn)?.string == "quinn@example.org")
    }

    /// Registers the new address and proves it.
    func register() throws {
        let password = "vier Wörter ohne Sinn"
        let body =
            #"{"email": "\#(Self.new)", "password": "\#(password)", "password_confirmation": "\#(password)", "privacy_accepted": true}"#
        #expect(portal.call(.post, "/auth/register", body).status == 201)
        #expect(confirm(try link()).status == 200)
    }

    @Test func `IO-2 who proves the address first has it: the link answers 409 and changes nothing`() throws {
        ask()
        let link = try link()
        try register()
        let refused = confirm(link)
        #expect(refused.status == 409 && refused.json["code"]?.string == "email_taken")
        #expect(email()?.string == "pia@example.org" && logIn("pia@example.org").status == 200)
    }

    @Test func `RP-208 an address that a stranger registered can be changed to, which ends the registration`()
        throws
    {
        let body =
            #"{"email": "\#(Self.new)", "password": "vier Wörter ohne Sinn", "password_confirmation": "vier Wörter ohne Sinn", "privacy_accepted": true}"#
        let made = portal.call(.post, "/auth/register", body)
        let token = try #require(made.json["meta"]?["registration_token"]?.string)
        let strangers = try link()
        #expect(ask().status == 202)
        #expect(confirm(try link()).status == 200)
        #expect(email()?.string == nil && logIn(Self.new).status == 200)
        let bearer: Headers = ["Authorization": "Bearer \(token)"]
        #expect(portal.call(.get, "/auth/registration", nil, as: .nobody, bearer).status == 401)
        #expect(confirm(strangers).status == 404)
    }

    @Test func `a link lives a day, dies with the next one, and is stored as a hash`() throws {
        ask()
        let first = try link()
        ask("pia.anders@example.org")
        #expect(confirm(first).status == 410)
        let second = try link(to: "pia.anders@example.org")
        let stored = try portal.services.records.read { connection in
            try connection.all("SELECT hash, email FROM email_changes ORDER BY created_at") { row in
                (try row[0] as [UInt8], try row[1] as [UInt8]?)
            }
        }
        #expect(stored.count == 2 && stored.allSatisfy { $0.0.count == 32 })
        // Of the dead one the address is gone, the other is sealed.
        #expect(stored.count { $0.1 == nil } == 1)
        #expect(stored.allSatisfy { !String(decoding: $0.1 ?? [], as: UTF8.self).contains("pia") })
        portal.wait(seconds: 86_401)
        #expect(confirm(second).status == 410)
        #expect(logIn("pia@example.org").status == 200)
        #expect(confirm(String(repeating: "a", count: 43)).status == 404)
    }

    @Test func `a change or a new setting of the password ends the wish`() throws {
        ask()
        let fresh = "vier neue Wörter ohne Sinn"
        let change =
            #"{"current_password": "\#(Cast.password)", "password": "\#(fresh)", "password_confirmation": "\#(fresh)"}"#
        let link = try link()
        #expect(portal.call(.put, "/my/password", change, as: .pia).status == 204)
        #expect(confirm(link).status == 410)
        #expect(logIn("pia@example.org", fresh).status == 200)
    }

    @Test func `PW-5 once confirmed, links to the old address are dead and other devices signed out`() throws
    {
        _ = portal.call(.post, "/auth/password/forgot", #"{"email": "pia@example.org"}"#)
        let reset = try #require(
            try portal.mails().last?.firstMatch(of: /reset\?token=([A-Za-z0-9_-]{43})/).map { String($0.1) })
        let browser = Browser(portal)
        #expect(browser.signIn("pia@example.org").status == 303)
        ask()
        let link = try link()
        let done = browser.post("/verify-email", [("token", link)])
        #expect(done.status == 303 && done.headers["Location"] == "/verify-email?token=\(link)")
        let page = browser.get("/verify-email?token=\(link)")
        #expect(page.status == 200 && page.text.contains("Ab jetzt melden Sie sich mit dieser Adresse an"))
        // The browser that confirmed stays; the phone and the other browser do not.
        #expect(browser.get("/my").status == 200)
        #expect(portal.get("/my", as: .pia).status == 303)
        #expect(portal.call(.get, "/my/profile", as: .pia).status == 401)
        #expect(portal.call(.get, "/my/profile", as: .quinn).status == 200)
        let fresh = "vier neue Wörter ohne Sinn"
        let body =
            #"{"token": "\#(reset)", "password": "\#(fresh)", "password_confirmation": "\#(fresh)"}"#
        #expect(portal.call(.post, "/auth/password/reset", body).status == 410)
    }

    @Test func `RP-220 the link of another address says that it is confirmed, and a replaced one does not`()
        throws
    {
        _ = ask("pia.erste@example.org")
        let replaced = try link(to: "pia.erste@example.org")
        _ = ask("pia.zweite@example.org")
        let link = try link(to: "pia.zweite@example.org")
        for _ in 0..<2 {
            #expect(portal.post("/verify-email", [("token", link)], as: .nobody).status == 303)
            let page = portal.send(.get, "/verify-email?token=\(link)").text
            #expect(page.contains("Die Adresse ist bestätigt") && !page.contains("name=\"token\""))
        }
        #expect(confirm(link).status == 410)
        #expect(portal.post("/verify-email", [("token", replaced)], as: .nobody).status == 410)
        #expect(!portal.send(.get, "/verify-email?token=\(replaced)").text.contains("ist bestätigt"))
    }

    @Test func `who confirms while somebody else is signed in signs nobody of those out`() throws {
        ask()
        #expect(portal.post("/verify-email", [("token", try link())], as: .quinn).status == 303)
        #expect(portal.get("/my", as: .quinn).status == 200)
        #expect(portal.get("/my", as: .pia).status == 303)
    }

    @Test func `nobody's mailbox is flooded, and who asks is not told whose`() throws {
        for _ in 0..<6 { #expect(ask("quinn@example.org").status == 202) }
        #expect(try mails(to: "quinn@example.org").count == 5)
        for _ in 0..<4 { #expect(ask("quinn@example.org").status == 202) }
        #expect(ask().status == 429)
        #expect(try mails(to: Self.new).isEmpty)
    }

    @Test func `the address is proved elsewhere between look and write: the wrong letter is not sent`() throws
    {
        let (answer, hasComeToWrite) = portal.interleaving(
            { #expect(throws: Never.self) { try register() } }, { ask() })
        #expect(hasComeToWrite && answer.status == 409)
        #expect(try portal.count("email_changes") == 0)
    }

    @Test func `PW-1 the page says what follows, keeps what was typed and never the password`() throws {
        #expect(portal.get("/my/settings", as: .pia).text.contains("href=\"/my/settings/email\""))
        let page = portal.get("/my/settings/email", as: .pia).text
        #expect(page.contains("pia@example.org") && page.contains("Alle anderen Geräte sind dann abgemeldet"))
        let wrong = portal.post(
            "/my/settings/email", [("email", Self.new), ("password", "falsch geraten")], as: .pia)
        #expect(wrong.status == 422 && wrong.text.contains("value=\"\(Self.new)\""))
        #expect(wrong.text.contains("href=\"#password\"") && !wrong.text.contains("falsch geraten"))
        let sent = portal.post(
            "/my/settings/email", [("email", Self.new), ("password", Cast.password)], as: .pia)
        #expect(sent.headers["Location"] == "/my/settings/email")
        #expect(portal.get("/my/settings/email", as: .pia).text.contains("\(Self.new) wartet noch"))
        #expect(confirm(try link()).status == 200)
    }
}
