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

    /// - Parameter carried: the field by which the form carries an errand.
    private func register(
        _ browser: Browser, _ email: String = "new@example.org", next: String = "",
        carrying carried: [(String, String)] = []
    ) -> Response {
        browser.post(
            "/register",
            [
                ("email", email), ("password", password), ("password_confirmation", password),
                ("privacy_accepted", ""), ("privacy_accepted", "true"), ("research_consent", ""),
                ("next", next),
            ] + carried)
    }

    /// Types a code, and answers the field by which the form that it leads to carries it.
    private func enter(_ code: String, in browser: Browser) throws -> [(String, String)] {
        let login = try #require(browser.post("/pair", [("code", code)]).headers["Location"])
        #expect(login == "/login?next=/my/pairing")
        let carried = browser.errand(on: login)
        #expect(carried.count == 1)
        return carried
    }

    /// Goes on to the form for making an account.
    private func toRegister(
        _ carried: [(String, String)], in browser: Browser
    ) throws -> (page: Response, carried: [(String, String)]) {
        let answer = browser.post("/login/errand", carried + [("page", "register")])
        #expect(answer.headers["Location"] == "/register")
        let page = browser.get("/register")
        let found = page.text.firstMatch(of: /name="errand" value="([^"]+)"/)
        return (page, found.map { [("errand", String($0.1))] } ?? [])
    }

    /// The code of Ada's open therapy as pages show it.
    private var shown: String { portal.cast.openCode.prefix(4) + " " + portal.cast.openCode.suffix(4) }

    private func newestLink() throws -> String {
        let mail = try #require(portal.mails().last)
        let found = try #require(mail.firstMatch(of: /verify-email\?token=([A-Za-z0-9_-]+)/))
        return String(found.1)
    }

    private func confirm(_ browser: Browser) throws {
        #expect(browser.post("/verify-email", [("token", try newestLink())]).status == 303)
    }

    @Test func `IO-4 a code typed before anything else survives registering and the mail`() throws {
        let browser = Browser(portal)
        let code = portal.cast.openCode
        #expect(browser.get("/pair").status == 200)
        let form = try toRegister(try enter(code, in: browser), in: browser)
        #expect(form.page.text.contains("Ihr Code ist notiert"))
        let made = register(browser, carrying: form.carried)
        #expect(made.headers["Location"] == "/register/confirmation")
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

    // MARK: A shared browser

    @Test(arguments: [60, 3 * 3600])
    func `RP-228 the next person on a shared tablet learns nothing of a code that was typed`(later: Int64)
        throws
    {
        let browser = Browser(portal)
        _ = try enter(portal.cast.openCode, in: browser)
        portal.wait(seconds: later)
        for page in ["/pair", "/login", "/register"].map({ browser.get($0).text }) {
            #expect(!page.contains(shown) && !page.contains("Lindner") && !page.contains("Code ist notiert"))
        }
        #expect(browser.get("/register").text.contains("href=\"/pair\""))
        #expect(browser.signIn("nora@example.org").headers["Location"] == "/my")
        let page = browser.get("/my/pairing")
        #expect(page.status == 200 && !page.text.contains(shown) && !page.text.contains("Lindner"))
        let field = try #require(page.text.firstMatch(of: /<input[^>]*name="code"[^>]*>/))
        #expect(field.0.contains("autocomplete=\"off\""))
    }

    @Test func `RP-228 a page that lies open for more than half an hour carries its code no further`() throws
    {
        let browser = Browser(portal)
        let carried = try enter(portal.cast.openCode, in: browser)
        portal.wait(seconds: 31 * 60)
        #expect(try toRegister(carried, in: browser).carried.isEmpty)
        let credentials = [("email", "nora@example.org"), ("password", Cast.password), ("next", "/")]
        #expect(browser.post("/login", credentials + carried).headers["Location"] == "/my")
        #expect(!browser.get("/my/pairing").text.contains(shown))
    }

    @Test func `RP-228 a code is the account's that it led to, on any device, and of no other on this one`()
        throws
    {
        let tablet = Browser(portal)
        let form = try toRegister(try enter(portal.cast.openCode, in: tablet), in: tablet)
        #expect(register(tablet, carrying: form.carried).status == 303)
        // The pages are called up again, from the tablet's history.
        #expect(tablet.errand(on: "/register").isEmpty)
        let login = "/login?next=/my/pairing"
        #expect(tablet.signIn("nora@example.org", from: login).headers["Location"] == "/my")
        #expect(!tablet.get("/my/pairing").text.contains(shown))
        let phone = Browser(portal)
        try confirm(phone)
        #expect(phone.signIn("new@example.org", password).headers["Location"] == "/my/pairing")
        #expect(phone.get("/my/pairing").text.contains(shown))
    }

    @Test func `RP-228 a form carries a code in its own browser alone, and once`() throws {
        let browser = Browser(portal)
        let carried = try enter(portal.cast.openCode, in: browser)
        let other = Browser(portal)
        other.cookie = String(repeating: "b", count: 43)
        let credentials = { (email: String) in
            [("email", email), ("password", Cast.password), ("next", "/")] + carried
        }
        #expect(other.post("/login", credentials("nora@example.org")).headers["Location"] == "/my")
        #expect(browser.post("/login", credentials("nora@example.org")).headers["Location"] == "/my/pairing")
    }

    @Test func `RP-228 no address leads back to a code, neither at once nor within its half hour`() throws {
        let tablet = Browser(portal)
        let carried = try enter(portal.cast.openCode, in: tablet)
        // The first person leaves the form as it is; the next one goes back, opens it anew, or knows its address.
        let ticket = try #require(carried.first).1
        for page in ["/login?next=/my/pairing", "/login", "/register"] {
            for path in [page, page + (page.contains("?") ? "&" : "?") + "errand=\(ticket)"] {
                let text = tablet.get(path).text
                #expect(!text.contains("name=\"errand\"") && !text.contains("Code ist notiert"), "\(path)")
            }
        }
        #expect(tablet.signIn("nora@example.org").headers["Location"] == "/my")
        #expect(!tablet.get("/my/pairing").text.contains(shown))
    }

    @Test func `RP-228 a page that was never drawn is given nothing a minute later`() throws {
        let tablet = Browser(portal)
        _ = tablet.post("/pair", [("code", portal.cast.openCode)])
        portal.wait(seconds: 61)
        #expect(tablet.errand(on: "/login?next=/my/pairing").isEmpty)
    }

    @Test func `RP-228 a change of the language and a wrong password lose no code`() throws {
        let browser = Browser(portal)
        let carried = try enter(portal.cast.openCode, in: browser)
        let switched = browser.post(
            "/language", [("language", "en"), ("back", "/login?next=/my/pairing")] + carried)
        let place = try #require(switched.headers["Location"])
        #expect(!place.contains("errand"))
        let again = browser.errand(on: place)
        #expect(again.map(\.1) == carried.map(\.1))
        let fields = [("email", "nora@example.org"), ("next", "/my/pairing")] + again
        let wrong = browser.post("/login", fields + [("password", "falsch")])
        #expect(wrong.status == 422 && wrong.text.contains("name=\"errand\""))
        let right = browser.post("/login", fields + [("password", Cast.password)])
        #expect(right.headers["Location"] == "/my/pairing")
        #expect(browser.get("/my/pairing").text.contains(shown))
    }

    @Test func `RP-228 the page that somebody registered for is not where the next person goes on`() throws {
        let tablet = Browser(portal)
        #expect(register(tablet, next: "/my/sounds").status == 303)
        #expect(tablet.signIn("nora@example.org").headers["Location"] == "/my")
        let phone = Browser(portal)
        try confirm(phone)
        #expect(phone.signIn("new@example.org", password).headers["Location"] == "/my/sounds")
    }

    @Test func `RP-228 digits of invitations are not offered to the next person by the browser`() {
        let page = portal.get("/my/studies", as: .nora).text
        let field = page.firstMatch(of: /<input[^>]*name="code"[^>]*>/).map { String($0.0) }
        #expect(field?.contains("autocomplete=\"off\"") == true)
    }

    @Test func `whether a code exists is told to nobody who is not signed in`() {
        let browser = Browser(portal)
        let right = browser.post("/pair", [("code", portal.cast.openCode)])
        let wrong = Browser(portal).post("/pair", [("code", "0000 0001")])
        let place = { (answer: Response) in answer.headers["Location"]?.prefix { $0 != "&" } }
        #expect(right.status == 303 && place(right) == place(wrong))
        let short = browser.post("/pair", [("code", "1234")])
        #expect(short.status == 422 && short.text.contains("acht Ziffern") && short.text.contains("1234"))
    }

    @Test func `IO-4 a wrong code is said at its field, once, and can be typed anew`() {
        let browser = Browser(portal)
        let form = browser.post("/pair", [("code", "0000 0001")]).headers["Location"]
        #expect(browser.signIn("nora@example.org", from: form).headers["Location"] == "/my/pairing")
        let page = browser.get("/my/pairing")
        #expect(page.status == 422 && page.text.contains("0000 0001"))
        #expect(browser.get("/my/pairing").status == 200)
    }

    @Test func `what a visitor left is sealed, and stays an account's for a day`() throws {
        let browser = Browser(portal)
        let form = browser.post("/pair", [("code", "3942 0603")]).headers["Location"]
        let sealed: [UInt8] = try portal.services.records.read { connection in
            try connection.value("SELECT errand FROM errands") ?? []
        }
        #expect(!sealed.isEmpty && !String(decoding: sealed, as: UTF8.self).contains("39420603"))
        _ = browser.signIn("nora@example.org", from: form)
        #expect(browser.get("/my/pairing").text.contains("3942 0603"))
        try portal.wait(awake: 1)
        portal.wait(seconds: 60)
        #expect(!browser.get("/my/pairing").text.contains("3942 0603"))
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
        #expect(browser.post("/verify-email", [("token", old)]).status == 410)
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
