import Database
import HTTP
import JSON
import Outbound
import Secrets
import Testing
import Wire

@testable import Accounts
@testable import Identity
@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Web

/// RP-205, C4: wrong passwords of others slow others. Behind a proxy here, so that requests come from many addresses.
@Suite struct KnownOriginTests {
    let portal: TestPortal
    static let new = "vier neue Wörter ohne Sinn"

    init() throws {
        portal = try TestPortal { $0.trustedProxies = [AddressRange("192.0.2.1")].compactMap(\.self) }
    }

    func login(
        _ email: String, _ password: String = Cast.password, from address: String,
        bearing token: String? = nil
    ) -> Response {
        var headers: Headers = ["X-Forwarded-For": address]
        if let token { headers.append("Authorization", "Bearer \(token)") }
        let body = #"{"email": "\#(email)", "password": "\#(password)"}"#
        return portal.call(.post, "/auth/login", body, as: .nobody, headers)
    }

    /// Two hundred wrong passwords by fifty addresses, and what comes between them. Every tenth time they wait until one of
    /// theirs is counted again.
    func storm(on email: String, meanwhile act: (_ tries: Int) -> Void = { _ in }) {
        for index in 0..<200 {
            let answer = login(email, "wrong horse battery", from: "198.51.100.\(index % 50)")
            if index < 50 { #expect(answer.status == 401) }
            if index % 10 == 9 {
                if let wait = answer.headers["Retry-After"].flatMap({ Int64($0) }) {
                    portal.wait(seconds: wait)
                }
                act(index)
            }
        }
        #expect(login(email, "wrong horse battery", from: "198.51.100.200").status == 401)
        #expect(login(email, from: "198.51.100.201").status == 429)
    }

    /// A browser in which a person signed in and out again.
    func known(_ email: String, at address: String) -> Browser {
        let browser = Browser(portal, at: address)
        #expect(browser.signIn(email).status == 303)
        _ = browser.post("/logout")
        return browser
    }

    // MARK: Who slows whom

    @Test(arguments: ["pia@example.org", "ada@example.org"])
    func `RP-205 C4 under two hundred wrong passwords by fifty addresses the owner signs in, each time`(
        email: String
    ) throws {
        let browser = known(email, at: "203.0.113.1")
        storm(on: email) { tries in
            // On the way, with the cookie alone; at home, with the address alone.
            browser.address = "203.0.113.\(100 + tries / 10)"
            #expect(browser.signIn(email).status == 303, "\(tries)")
            _ = browser.post("/logout")
            #expect(Browser(portal, at: "203.0.113.1").signIn(email).status == 303, "\(tries)")
        }
        // A browser that the owner never used waits, whatever it sends.
        let stranger = Browser(portal, at: "198.51.100.202")
        stranger.keep("known", Token().text)
        #expect(stranger.signIn(email).status == 429)
    }

    @Test func `RP-205 an app signs in under them by its own token that ran out, and by no other`() throws {
        let token = try #require(login("pia@example.org", from: "203.0.113.1").attributes["token"]?.string)
        let others = try #require(login("quinn@example.org", from: "203.0.113.2").attributes["token"]?.string)
        let ended = try #require(login("pia@example.org", from: "203.0.113.3").attributes["token"]?.string)
        let bearer = { (token: String) -> Headers in ["Authorization": "Bearer \(token)"] }
        #expect(portal.call(.post, "/auth/logout", nil, as: .nobody, bearer(ended)).status == 204)
        portal.wait(days: 150)
        Housekeeping.run(portal.services)
        #expect(portal.call(.get, "/my/profile", nil, as: .nobody, bearer(token)).status == 401)
        storm(on: "pia@example.org")
        for wrong in [others, ended, Token().text] {
            #expect(login("pia@example.org", from: "198.51.100.203", bearing: wrong).status == 429)
        }
        #expect(login("pia@example.org", from: "198.51.100.203", bearing: token).status == 200)
        // It stands for its own ten tries, and no password.
        for _ in 0..<10 {
            #expect(login("pia@example.org", "falsch", from: "203.0.113.9", bearing: token).status == 401)
        }
        #expect(login("pia@example.org", from: "203.0.113.9", bearing: token).status == 429)
    }

    @Test func `RP-205 tokens that ran out are gone ninety days later`() throws {
        let before = try portal.count("credentials")
        _ = login("pia@example.org", from: "203.0.113.1")
        portal.wait(days: 181)
        Housekeeping.run(portal.services)
        #expect(try portal.count("credentials") < before)
        #expect(try portal.count("known_addresses") == 0)
    }

    @Test func `RP-205 a signed-in person changes the password under them, and counts by themselves`() throws
    {
        let change = { (current: String) in
            portal.call(
                .put, "/my/password",
                #"{"current_password": "\#(current)", "password": "\#(Self.new)", "password_confirmation": "\#(Self.new)"}"#,
                as: .pia, ["X-Forwarded-For": "198.51.100.1"])
        }
        storm(on: "pia@example.org")
        for _ in 0..<10 { #expect(change("falsch geraten, ganz sicher").wrongFields == ["current_password"]) }
        #expect(change(Cast.password).status == 429)
        portal.wait(seconds: 2)
        #expect(change(Cast.password).status == 204)
        // Tries in a session cost nothing elsewhere.
        portal.wait(seconds: 1800)
        for _ in 0..<10 {
            _ = portal.call(
                .post, "/my/email", #"{"email": "neu@example.org", "password": "falsch"}"#, as: .quinn,
                ["X-Forwarded-For": "203.0.113.4"])
        }
        #expect(login("quinn@example.org", from: "203.0.113.4").status == 200)
    }

    @Test func `RP-205 a known browser has its own ten tries and doubling waits, whatever its address`()
        throws
    {
        let browser = known("pia@example.org", at: "203.0.113.1")
        for index in 0..<10 {
            browser.address = "203.0.113.\(index + 10)"
            #expect(browser.signIn("pia@example.org", "falsch").status == 422)
        }
        browser.address = "203.0.113.30"
        #expect(browser.signIn("pia@example.org").status == 429)
        // The shared address is not slowed by it.
        #expect(Browser(portal, at: "203.0.113.30").signIn("pia@example.org").status == 303)
        portal.wait(seconds: 2)
        #expect(browser.signIn("pia@example.org", "falsch").status == 422)
        #expect(browser.signIn("pia@example.org").status == 429)
        portal.wait(seconds: 4)
        #expect(browser.signIn("pia@example.org").status == 303)
    }

    @Test func `RP-205 on a shared browser each account is known, and no other`() throws {
        let tablet = known("pia@example.org", at: "203.0.113.1")
        let first = tablet.value(of: "known")
        #expect(tablet.signIn("quinn@example.org").status == 303)
        _ = tablet.post("/logout")
        #expect(tablet.value(of: "known") == first && first != nil)
        tablet.address = "203.0.113.50"
        for email in ["pia@example.org", "nora@example.org"] { storm(on: email) }
        #expect(tablet.signIn("nora@example.org").status == 429)
        #expect(tablet.signIn("pia@example.org").status == 303)
        let hashes: [[UInt8]] = try portal.services.records.read { connection in
            try connection.all("SELECT hash FROM known_browsers") { try $0[0] }
        }
        #expect(Set(hashes).count == 2)
    }

    // MARK: What the cookie is

    @Test func `RP-205 B3 the second cookie has all flags, opens nothing and stays after signing out`() throws
    {
        let browser = Browser(portal, at: "203.0.113.1")
        let answer = browser.signIn("ada@example.org", next: "/patients")
        let set = answer.headers.fields.filter { $0.name == "Set-Cookie" }.map(\.value)
        #expect(set.count == 2 && set[0].hasPrefix("sid="))
        let flags = "; Path=/; HttpOnly; SameSite=Lax; Max-Age=7776000"
        #expect(set[1] == "known=\(browser.value(of: "known") ?? "")" + flags)
        let id = try #require(browser.value(of: "known"))
        _ = browser.post("/logout")
        #expect(browser.value(of: "known") == id)
        #expect(portal.send(.get, "/patients", ["Cookie": "known=\(id)"]).status == 303)
        #expect(portal.send(.get, "/patients", ["Cookie": "sid=\(id)"]).status == 303)
        let stored: [[UInt8]] = try portal.services.records.read { connection in
            try connection.all("SELECT hash FROM known_browsers") { try $0[0] }
        }
        #expect(stored.count == 1 && stored[0] != Token(id)?.hash)
        let secure = try TestPortal { $0.publicURL = "https://portal.example.org" }
        let over = Browser(secure)
        over.keep("__Host-sid", TestPortal.anonymous)
        _ = over.signIn("pia@example.org")
        #expect(over.value(of: "__Host-known") != nil && over.value(of: "known") == nil)
    }

    @Test func `RP-205 C5 a known browser is asked for the second factor, and before it none is known`()
        throws
    {
        let portal = try TestPortal {
            $0.secondFactor = .required
            $0.trustedProxies = [AddressRange("192.0.2.1")].compactMap(\.self)
        }
        let browser = Browser(portal, at: "203.0.113.1")
        #expect(browser.signIn().headers["Location"] == "/login/second-factor")
        #expect(browser.value(of: "known") == nil)
        #expect(try portal.count("known_browsers") == 0)
        let shown = browser.get("/login/second-factor")
        let letters = try #require(shown.text.firstMatch(of: /<code class="address">([A-Z2-7 ]+)<\/code>/)).1
        let secret = Base32.decoded(String(letters))
        let code = { [portal] in OneTimeCode.code(secret, step: portal.now.seconds / 30) ?? "" }
        #expect(browser.post("/login/second-factor", [("code", code())]).status == 303)
        #expect(browser.value(of: "known") != nil)
        _ = browser.post("/logout")
        portal.wait(seconds: 60)
        // Others know the password, and try codes: they slow themselves.
        let key = Array("second factor \(portal.cast.accounts[.ada]?.text ?? "")".utf8)
        for index in 0..<60 {
            try? portal.services.logins.begin(
                key, from: .address("198.51.100.\(index)"), now: portal.now)
        }
        let stranger = Browser(portal, at: "198.51.100.99")
        #expect(stranger.signIn().headers["Location"] == "/login/second-factor")
        #expect(stranger.post("/login/second-factor", [("code", code())]).status == 429)
        browser.address = "203.0.113.50"
        #expect(browser.signIn().headers["Location"] == "/login/second-factor")
        #expect(browser.get("/patients").status == 303)
        #expect(browser.post("/login/second-factor", [("code", code())]).status == 303)
        #expect(browser.get("/patients").status == 200)
    }

    // MARK: How it ends

    enum End: String, CaseIterable { case change, reset, everywhere, removal, closed }

    @Test(arguments: End.allCases)
    func `RP-205 it ends with the password, with signing out everywhere and with the device`(end: End) throws
    {
        let browser = Browser(portal, at: "203.0.113.1")
        #expect(browser.signIn("pia@example.org").status == 303)
        let other = Browser(portal, at: "203.0.113.2")
        #expect(other.signIn("pia@example.org").status == 303)
        var password = Cast.password
        switch end {
        case .change:
            let fields = [
                ("current_password", password), ("password", Self.new), ("password_confirmation", Self.new),
            ]
            #expect(other.post("/my/settings/password", fields).status == 303)
            password = Self.new
        case .reset:
            _ = portal.call(.post, "/auth/password/forgot", #"{"email": "pia@example.org"}"#)
            let mail = try #require(try portal.mails().last)
            let link = try #require(mail.firstMatch(of: /reset\?token=([A-Za-z0-9_-]{43})/)).1
            let body =
                #"{"token": "\#(link)", "password": "\#(Self.new)", "password_confirmation": "\#(Self.new)"}"#
            #expect(portal.call(.post, "/auth/password/reset", body).status == 204)
            password = Self.new
        case .everywhere:
            #expect(other.post("/my/settings/devices/removal").status == 303)
        case .removal:
            // The older of the two.
            let page = other.get("/my/settings/devices").text
            let removals = page.matches(of: /action="(\/my\/settings\/devices\/[0-9a-f-]+\/removal)"/)
            let own = try #require(
                try portal.services.records.read { connection -> String? in
                    try connection.value(
                        "SELECT id FROM credentials WHERE hash = \(Token(browser.cookie)?.hash ?? [])")
                })
            let path = try #require(removals.map { String($0.1) }.first { $0.contains(own) })
            #expect(other.post(path).status == 303)
        case .closed:
            let id = portal.cast.accounts[.pia] ?? ""
            try portal.services.records.writeUnaudited(.madeUp) {
                try CredentialStore.endCredentials(of: id, but: nil, $0)
            }
        }
        portal.wait(seconds: 1)
        for index in 0..<55 {
            _ = login("pia@example.org", "falsch", from: "198.51.100.\(index)")
        }
        browser.address = "198.51.100.60"
        #expect(browser.signIn("pia@example.org", password).status == 429)
        // The browser from which the others were signed out stays one of the account's.
        other.address = "198.51.100.61"
        let isKept = end == .everywhere || end == .removal
        _ = other.post("/logout")
        #expect(other.signIn("pia@example.org", password).status == (isKept ? 303 : 429))
    }

    @Test func `RP-205 after ninety days nothing is known, and with the account all of it goes`() throws {
        let browser = known("pia@example.org", at: "203.0.113.1")
        let later = known("quinn@example.org", at: "203.0.113.2")
        #expect(try portal.count("known_browsers") == 2 && portal.count("known_addresses") == 2)
        let id = portal.cast.accounts[.quinn] ?? ""
        try portal.services.records.writeUnaudited(.madeUp) { try Erasure.erase(id, Feature.all, $0) }
        #expect(try portal.count("known_browsers") == 1 && portal.count("known_addresses") == 1)
        portal.wait(days: 91)
        for index in 0..<55 { _ = login("pia@example.org", "falsch", from: "198.51.100.\(index)") }
        #expect(browser.signIn("pia@example.org").status == 429)
        Housekeeping.run(portal.services)
        #expect(try portal.count("known_browsers") == 0 && portal.count("known_addresses") == 0)
        #expect(later.value(of: "known") == nil)
    }

    @Test func `RP-205 an own device that stays signed in stays known`() throws {
        let phone = Browser(portal, at: "203.0.113.1")
        let fields = [("email", "pia@example.org"), ("password", Cast.password), ("stay_signed_in", "true")]
        #expect(phone.post("/login", fields).status == 303)
        for _ in 0..<3 {
            portal.wait(days: 60)
            #expect(phone.get("/my").status == 200)
            Housekeeping.run(portal.services)
        }
        #expect(phone.value(of: "known") != nil)
        _ = phone.post("/logout")
        phone.address = "203.0.113.50"
        for index in 0..<55 { _ = login("pia@example.org", "falsch", from: "198.51.100.\(index)") }
        #expect(phone.signIn("pia@example.org").status == 303)
    }

    @Test
    func `RP-205 C3 with a cookie, with a token and without: an unknown address answers as a known one`() {
        let browser = known("quinn@example.org", at: "203.0.113.1")
        let ask = { (email: String) -> [Response] in
            [
                browser.signIn(email, "falsch"), login(email, "falsch", from: "203.0.113.1"),
                login(email, "falsch", from: "203.0.113.1", bearing: portal.cast.tokens[.quinn]),
            ]
        }
        for (right, wrong) in zip(ask("pia@example.org"), ask("niemand@example.org")) {
            #expect(right.status == wrong.status)
            #expect(right.headers.fields.map(\.name) == wrong.headers.fields.map(\.name))
        }
        for index in 0..<55 {
            let from = "198.51.100.\(index)"
            let right = login("pia@example.org", "falsch", from: from)
            let wrong = login("niemand@example.org", "falsch", from: from)
            #expect(right.status == wrong.status && right.bytes == wrong.bytes)
            #expect(right.headers["Retry-After"] == wrong.headers["Retry-After"])
        }
    }

    // MARK: Codes behind one address

    @Test func `RP-205 wrong device codes in a waiting room do not keep an account's own browser out`() throws
    {
        let tablet = known("pia@example.org", at: "203.0.113.1")
        let code = try #require(
            portal.call(.post, "/my/device-codes", as: .pia).attributes["code"]?.string)
        let other = Browser(portal, at: "203.0.113.1")
        for index in 0..<10 {
            #expect(other.post("/login/device", [("code", "1111 11\(10 + index)")]).status == 422)
        }
        // A right one, too, is not looked at there: guessing stays as dear as it was.
        #expect(other.post("/login/device", [("code", code)]).status == 429)
        #expect(tablet.post("/login/device", [("code", "1111 1111")]).status == 429)
        #expect(tablet.post("/login/device", [("code", code)]).status == 200)
    }

    @Test func `RP-205 codes of pairing and of studies are counted by account, not by address`() {
        let wrong = #"{"code": "12345678", "birth_date": "1990-01-01", "gender": "female"}"#
        for _ in 0..<10 { _ = portal.call(.post, "/my/pairing", wrong, as: .nora) }
        #expect(portal.call(.post, "/my/pairing", wrong, as: .nora).status == 429)
        let right = wrong.replacing("12345678", with: portal.cast.openCode)
        #expect(portal.call(.post, "/my/pairing", right, as: .pia).status == 409)
        // Pages of studies: a stranger's wrong ones do not keep out the signed-in person behind the same address.
        for index in 0..<21 { _ = portal.send(.get, "/studies/1000000\(index % 10)") }
        #expect(portal.send(.get, "/studies/13572468").status == 429)
        #expect(portal.get("/studies/13572468", as: .nora).status == 200)
    }
}
