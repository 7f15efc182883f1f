import Database
import HTTP
import JSON
import Testing
import Wire

@testable import Identity
@testable import PortalTesting
@testable import Records
@testable import Web

/// IO-1, IO-4 in the browser: from a printed code to a connected account.
@Suite struct OwnRegistrationTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    private let password = "vier Wörter ohne Sinn"

    private func register(_ browser: Browser, _ email: String = "new@example.org", next: String = "")
        -> Response
    {
        browser.post(
            "/register",
            [
                ("email", email), ("password", password), ("password_confirmation", password),
                ("privacy_accepted", ""), ("privacy_accepted", "true"), ("research_consent", ""),
                ("next", next),
            ])
    }

    private func newestLink() throws -> String {
        let mail = try #require(portal.mails().last)
        let found = try #require(mail.firstMatch(of: /verify-email\?token=([A-Za-z0-9_-]+)/))
        return String(found.1)
    }

    private func confirm(_ browser: Browser) throws {
        #expect(browser.post("/verify-email", [("token", try newestLink())]).status == 200)
    }

    @Test func `IO-4 a code typed before anything else survives registering and the mail`() throws {
        let browser = Browser(portal)
        let code = portal.cast.openCode
        #expect(browser.get("/pair").status == 200)
        #expect(browser.post("/pair", [("code", code)]).headers["Location"] == "/login?next=/my/pairing")
        #expect(browser.get("/register").text.contains("Ihr Code ist notiert"))
        #expect(register(browser).headers["Location"] == "/register/confirmation")
        #expect(browser.get("/register/confirmation").text.contains("new@example.org"))
        try confirm(browser)
        #expect(browser.get("/register/confirmation").text.contains("Die Adresse ist bestätigt"))
        #expect(browser.signIn("new@example.org", password).headers["Location"] == "/my/pairing")
        let page = browser.get("/my/pairing").text
        #expect(page.contains("Lindner") && page.contains(code.prefix(4) + " " + code.suffix(4)))
        let answer = browser.post(
            "/my/pairing", [("code", code), ("birth_date", "1990-04-12"), ("gender", "female")])
        #expect(answer.headers["Location"] == "/my")
        #expect(browser.get("/my").text.contains("Lindner"))
        // Used up: nothing of it waits any more.
        #expect(browser.get("/my/pairing").text.contains("verbunden"))
    }

    @Test func `whether a code exists is told to nobody who is not signed in`() {
        let browser = Browser(portal)
        let right = browser.post("/pair", [("code", portal.cast.openCode)])
        let wrong = Browser(portal).post("/pair", [("code", "0000 0001")])
        #expect(right.status == 303 && right.headers["Location"] == wrong.headers["Location"])
        let short = browser.post("/pair", [("code", "1234")])
        #expect(short.status == 422 && short.text.contains("acht Ziffern") && short.text.contains("1234"))
    }

    @Test func `IO-4 a wrong code is said at its field, once, and can be typed anew`() {
        let browser = Browser(portal)
        _ = browser.post("/pair", [("code", "0000 0001")])
        #expect(browser.signIn("nora@example.org").headers["Location"] == "/my/pairing")
        let page = browser.get("/my/pairing")
        #expect(page.status == 422 && page.text.contains("0000 0001"))
        #expect(browser.get("/my/pairing").status == 200)
    }

    @Test func `what a visitor left is sealed and gone after a day`() throws {
        let browser = Browser(portal)
        _ = browser.post("/pair", [("code", "3942 0603")])
        let sealed: [UInt8] = try portal.services.records.read { connection in
            try connection.value("SELECT errand FROM errands") ?? []
        }
        #expect(!sealed.isEmpty && !String(decoding: sealed, as: UTF8.self).contains("39420603"))
        portal.wait(seconds: 25 * 3600)
        #expect(!browser.get("/register").text.contains("Ihr Code ist notiert"))
    }

    @Test func `IO-1 what is wrong is said at its field, and nothing typed is lost but passwords`() {
        let browser = Browser(portal)
        let answer = browser.post(
            "/register",
            [
                ("email", "pia@example.org"), ("password", "kurz"), ("password_confirmation", "kurz"),
                ("privacy_accepted", ""),
            ])
        #expect(answer.status == 422 && answer.text.contains("pia@example.org"))
        #expect(answer.text.contains("Datenschutzerklärung zu") && !answer.text.contains("kurz"))
        let taken = register(browser, "pia@example.org")
        #expect(taken.status == 422 && taken.text.contains("id=\"email-error\""))
    }

    @Test func `IO-1 a mistyped address is mended before it is confirmed, and the old link is dead`() throws {
        let browser = Browser(portal)
        _ = register(browser, "nwe@example.org")
        let old = try newestLink()
        #expect(browser.post("/register/confirmation/mail").headers["Location"] == "/register/confirmation")
        #expect(browser.get("/register/confirmation").text.contains("Der Link ist unterwegs"))
        let answer = browser.post("/register/confirmation", [("email", "new@example.org")])
        #expect(answer.headers["Location"] == "/register/confirmation")
        #expect(browser.post("/verify-email", [("token", old)]).status != 200)
        try confirm(browser)
        #expect(browser.signIn("new@example.org", password).headers["Location"] == "/my")
    }

    @Test func `IO-2 the right password before the address is confirmed leads to the page that mends it`() {
        _ = register(Browser(portal))
        let browser = Browser(portal)
        let answer = browser.signIn("new@example.org", password)
        #expect(answer.headers["Location"] == "/register/confirmation")
        #expect(browser.get("/register/confirmation").status == 200)
        #expect(browser.get("/my").status == 403)
    }
}
