import Database
import Foundation
import HTTP
import JSON
import Secrets
import Testing
import Wire

@testable import Accounts
@testable import Identity
@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Web

/// C5, C6: two factors for staff.
@Suite struct SecondFactorTests {
    let portal: TestPortal
    let ada: AccountRecord

    init() throws { try self.init(.required) }

    init(_ rule: SecondFactorRule) throws {
        let portal = try TestPortal { $0.secondFactor = rule }
        let id = portal.cast.accounts[.ada] ?? ""
        self.portal = portal
        ada = try #require(try portal.services.records.read { try AccountStore.find(id, $0) })
    }

    func code(_ offset: Int64 = 0) throws -> String {
        let id = ada.id
        let record = try #require(try portal.services.records.read { try SecondFactorStore.find(id, $0) })
        let secret = try record.secret(try ada.key(portal.services.keys))
        return try #require(OneTimeCode.code(secret, step: portal.now.seconds / 30 + offset))
    }

    /// The code of the secret that a page shows.
    func pending(_ page: Response, _ portal: TestPortal) throws -> String {
        let letters = try #require(page.text.firstMatch(of: /<code class="address">([A-Z2-7 ]+)<\/code>/)).1
        return try #require(OneTimeCode.code(Base32.decoded(String(letters)), step: portal.now.seconds / 30))
    }

    /// Sets Ada's second factor up and answers her recovery codes.
    func setUp(_ browser: Browser) throws -> [String] {
        #expect(browser.signIn().headers["Location"] == "/login/second-factor")
        let shown = browser.get("/login/second-factor")
        #expect(shown.text.contains("<svg class=\"qr\""))
        let done = browser.post("/login/second-factor", [("code", try pending(shown, portal))])
        let path = try #require(done.headers["Location"])
        #expect(done.status == 303 && path.hasPrefix("/profile/recovery-codes"))
        let page = browser.get(path)
        #expect(page.status == 200 && browser.get(path).steady == page.steady)
        return page.text.matches(of: /<code>([A-Z2-7-]{19})<\/code>/).map { String($0.1) }
    }

    // MARK: Tests

    @Test func `RP-214 codes count in the digits of any script, and recovery codes with other dashes`() throws
    {
        let browser = Browser(portal)
        let recovery = try #require(try setUp(browser).first)
        portal.wait(seconds: 60)
        let arabic = String(
            String.UnicodeScalarView(
                try code().unicodeScalars.compactMap { Unicode.Scalar($0.value - 0x30 + 0x0660) }))
        for typed in ["\u{202A}\(arabic)\u{202C}", recovery.replacing("-", with: " \u{2013} ") + "\u{200B}"] {
            let other = Browser(portal)
            _ = other.signIn()
            #expect(other.post("/login/second-factor", [("code", typed)]).status == 303, "\(typed)")
        }
        let other = Browser(portal)
        _ = other.signIn()
        portal.wait(seconds: 60)
        #expect(other.post("/login/second-factor", [("code", try code() + "O")]).status == 422)
    }

    @Test func `C5 the password alone opens nothing but the second step`() throws {
        let browser = Browser(portal)
        #expect(
            browser.signIn(next: "/patients").headers["Location"] == "/login/second-factor?next=%2Fpatients")
        for route in Routes.all.list
        where route.surface == .portal && route.method == .get && ![.anyone, .halfway].contains(route.rule) {
            let path = route.pattern.description.replacing(/:[a-z]+/, with: portal.cast.assignment)
            // It shows the way in, and no personal data.
            if path == "/" {
                #expect(browser.get(path).text.contains("href=\"/login\""))
                continue
            }
            #expect(browser.get(path).headers["Location"]?.hasPrefix("/login") == true, "\(path)")
        }
        #expect(browser.post("/patients/new").headers["Location"]?.hasPrefix("/login") == true)
    }

    @Test func `C5 the first login sets it up, and the next ones ask for a code`() throws {
        let browser = Browser(portal)
        let codes = try setUp(browser)
        #expect(codes.count == 10 && Set(codes).count == 10)
        #expect(browser.get("/patients").status == 200)
        #expect(try portal.audit().contains("second_factor.set"))
        let other = Browser(portal)
        portal.wait(seconds: 60)
        #expect(other.signIn(next: "/patients").status == 303)
        let asked = other.get("/login/second-factor")
        #expect(asked.status == 200 && !asked.text.contains("qr__ink"))
        #expect(other.post("/login/second-factor", [("code", "000000")]).status == 422)
        let half = other.cookie
        let right = try code()
        let opened = other.post("/login/second-factor", [("code", right), ("next", "/patients")])
        #expect(opened.status == 303 && opened.headers["Location"] == "/patients")
        #expect(other.cookie != half && other.get("/patients").status == 200)
        // C7: the halfway cookie is dead.
        #expect(portal.send(.get, "/login/second-factor", ["Cookie": "sid=\(half)"]).status == 303)
    }

    @Test func `C5 a code works once, and not a minute and a half later`() throws {
        _ = try setUp(Browser(portal))
        portal.wait(seconds: 60)
        let used = try code()
        let first = Browser(portal)
        let second = Browser(portal)
        _ = first.signIn()
        _ = second.signIn()
        #expect(first.post("/login/second-factor", [("code", used)]).status == 303)
        #expect(second.post("/login/second-factor", [("code", used)]).status == 422)
        portal.wait(seconds: 90)
        #expect(second.post("/login/second-factor", [("code", try code(-3))]).status == 422)
        #expect(second.post("/login/second-factor", [("code", try code(-1))]).status == 303)
    }

    /// The same folder under a program that asks for a second factor.
    func restarted(_ portal: TestPortal) throws {
        var settings = portal.services.settings
        settings.secondFactor = .required
        let services = try Services(
            settings, clock: Clock { portal.now }, gate: Cast.gate, resources: Cast.resources, log: .silent)
        defer { services.close() }
        try StartUp.endWithoutFactor(services)
    }

    @Test func `C5 what staff opened by a password alone ends where a second factor is required`() throws {
        let tests = try SecondFactorTests(.optional)
        let portal = tests.portal
        let here = Browser(portal)
        let there = Browser(portal)
        for browser in [here, there] { #expect(browser.signIn().headers["Location"] == "/") }
        // Set up in a session: a code was given in it, and none in the other.
        let page = here.get("/profile/second-factor")
        let form = [("code", try pending(page, portal)), ("password", Cast.password)]
        #expect(here.post("/profile/second-factor", form).status == 303)
        portal.wait(seconds: 60)
        let asked = Browser(portal)
        _ = asked.signIn()
        #expect(asked.post("/login/second-factor", [("code", try tests.code())]).status == 303)
        portal.wait(seconds: 60)
        let login = portal.call(
            .post, "/auth/login",
            #"{"email": "ada@example.org", "password": "\#(Cast.password)", "totp": "\#(try tests.code())"}"#)
        let token = try #require(login.attributes["token"]?.string)
        let status = { (token: String) in
            portal.send(.get, "/api/v1/patients", ["Authorization": "Bearer \(token)"]).status
        }
        try StartUp.endWithoutFactor(portal.services)
        #expect(there.get("/patients").status == 200 && portal.get("/patients", as: .ben).status == 200)
        try restarted(portal)
        #expect(here.get("/patients").status == 200 && asked.get("/patients").status == 200)
        #expect(status(token) == 200)
        #expect(there.get("/patients").status == 303 && portal.get("/patients", as: .ben).status == 303)
        #expect(status(portal.cast.tokens[.ada] ?? "") == 401)
        #expect(portal.call(.get, "/my/profile", as: .pia).status == 200)
    }

    @Test func `C5 a session from before the program took note counts where only a code can have opened it`()
        throws
    {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("old.sqlite").path
        let place = try #require(Migrations.all.firstIndex { $0.name == "M025_CredentialFactors" })
        try Migrator(Array(Migrations.all[..<place])).migrate(.file(path))
        do {
            let database = try OpenDatabase(.file(path), readers: 1)
            defer { database.close() }
            try database.write { connection in
                try connection.run(
                    """
                    INSERT INTO accounts (id, kind, wrapped_key, email, email_lookup, password_hash, language, timezone,
                        created_at) VALUES ('ada', 'staff', x'00', x'00', x'00', '', 'de', 'UTC', 1)
                    """)
                try connection.run(
                    "INSERT INTO second_factors (account_id, secret, last_step, made_at) VALUES ('ada', x'00', 0, 500)"
                )
                for (id, at) in [("before", 499), ("with", 500), ("after", 501)] {
                    try connection.run(
                        """
                        INSERT INTO credentials (id, account_id, kind, hash, created_at, expires_at, last_used_at)
                        VALUES (\(id), 'ada', 'session', \(Array(id.utf8)), \(at), 9999, \(at))
                        """)
                }
            }
        }
        try Migrator(Migrations.all).migrate(.file(path))
        let database = try OpenDatabase(.file(path), readers: 1)
        defer { database.close() }
        #expect(try database.write { try CredentialStore.endWithoutFactor($0) } == 1)
        let left: [String] = try database.read {
            try $0.all("SELECT id FROM credentials ORDER BY id") { try $0[0] }
        }
        #expect(left == ["after", "with"])
    }

    @Test func `a recovery code lets in once, however it is typed`() throws {
        let codes = try setUp(Browser(portal))
        for (text, status) in [
            (codes[0].lowercased().replacing("-", with: " "), 303), (codes[0], 422), (codes[1], 303),
        ] {
            let browser = Browser(portal)
            _ = browser.signIn()
            #expect(browser.post("/login/second-factor", [("code", text)]).status == status)
        }
        #expect(try portal.audit().filter { $0 == "second_factor.recovery_code_used" }.count == 2)
    }

    @Test func `C4 wrong codes are slowed down, and a right password forgives none`() throws {
        _ = try setUp(Browser(portal))
        portal.wait(seconds: 60)
        for _ in 0..<10 {
            let browser = Browser(portal)
            _ = browser.signIn()
            #expect(browser.post("/login/second-factor", [("code", "123456")]).status == 422)
        }
        let browser = Browser(portal)
        #expect(browser.signIn().status == 303)
        let slowed = browser.post("/login/second-factor", [("code", "123456")])
        #expect(slowed.status == 429 && slowed.headers["Retry-After"] != nil)
        portal.wait(seconds: 300)
        #expect(browser.post("/login/second-factor", [("code", try code())]).status == 303)
    }

    @Test func `C5 over the API the code is a field`() throws {
        let login = { (totp: String) in
            portal.call(
                .post, "/auth/login",
                #"{"email": "ada@example.org", "password": "\#(Cast.password)"\#(totp)}"#)
        }
        let before = login("")
        #expect(before.status == 401 && before.wrongFields == ["totp"])
        _ = try setUp(Browser(portal))
        portal.wait(seconds: 60)
        #expect(login("").status == 401 && login("").wrongFields == ["totp"])
        #expect(login(#", "totp": "000000""#).wrongFields == ["totp"])
        #expect(login(#", "totp": "\#(try code())""#).status == 200)
        // Patients have none.
        let pia = #"{"email": "pia@example.org", "password": "\#(Cast.password)"}"#
        #expect(portal.call(.post, "/auth/login", pia).status == 200)
    }

    @Test func `C6 a new password does not skip the second factor`() throws {
        _ = try setUp(Browser(portal))
        portal.wait(seconds: 60)
        _ = portal.call(.post, "/auth/password/forgot", #"{"email": "ada@example.org"}"#)
        let mail = try #require(try portal.mails().last)
        let link = try #require(mail.firstMatch(of: /reset\?token=([A-Za-z0-9_-]{43})/))
        let new = "ganz neue Wörter ohne Sinn"
        let body = #"{"token": "\#(link.1)", "password": "\#(new)", "password_confirmation": "\#(new)"}"#
        #expect(portal.call(.post, "/auth/password/reset", body).status == 204)
        #expect(portal.call(.post, "/auth/password/reset", body).status == 410)
        let browser = Browser(portal)
        let answer = browser.post("/login", [("email", "ada@example.org"), ("password", new)])
        #expect(
            answer.headers["Location"] == "/login/second-factor" && browser.get("/patients").status == 303)
        #expect(try portal.mails().count == 3)
    }

    @Test func `another phone: the old factor goes only with the password, and everything is signed out`()
        throws
    {
        let browser = Browser(portal)
        _ = try setUp(browser)
        #expect(browser.post("/profile/second-factor/removal", [("password", "falsch")]).status == 422)
        let renewed = browser.post("/profile/second-factor/recovery-codes", [("password", Cast.password)])
        #expect(browser.get(renewed.headers["Location"] ?? "/").text.contains("<code>"))
        let password = [("password", Cast.password)]
        let missing = browser.post("/profile/second-factor/removal", password + [("code", "000000")])
        #expect(missing.status == 422 && missing.text.contains("href=\"#remove_code\""))
        portal.wait(seconds: 60)
        let right = [("code", try code())]
        #expect(browser.post("/profile/second-factor/removal", password + right).status == 303)
        #expect(browser.get("/patients").status == 303)
        #expect(try portal.count("second_factors") == 0 && portal.count("recovery_codes") == 0)
        // Set up, renewed, removed: each time the owner is told.
        #expect(try portal.mails().count == 3)
    }

    @Test func `whoever knows the password only and looks at the set-up learns nothing of the owner's`()
        throws
    {
        let thief = Browser(portal)
        let owner = Browser(portal)
        _ = thief.signIn()
        let seen = thief.get("/login/second-factor")
        _ = try setUp(owner)
        portal.wait(seconds: 60)
        _ = thief.signIn()
        #expect(thief.post("/login/second-factor", [("code", try pending(seen, portal))]).status == 422)
        #expect(try portal.count("second_factors") == 1)
    }

    @Test func `a hundred wrong codes in a row ask for another password`() throws {
        _ = try setUp(Browser(portal))
        let id = ada.id
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            try connection.run("UPDATE second_factors SET failures = 99 WHERE account_id = \(id)")
        }
        portal.wait(seconds: 60)
        let browser = Browser(portal)
        _ = browser.signIn()
        #expect(browser.post("/login/second-factor", [("code", "000000")]).status == 422)
        let refused = browser.post("/login/second-factor", [("code", try code())])
        #expect(refused.status == 422 && refused.text.contains("hundert falsche Codes"))
        #expect(try portal.mails().count == 2)
        _ = portal.call(.post, "/auth/password/forgot", #"{"email": "ada@example.org"}"#)
        let mail = try #require(try portal.mails().last)
        let link = try #require(mail.firstMatch(of: /reset\?token=([A-Za-z0-9_-]{43})/)).1
        let new = "ganz neue Wörter ohne Sinn"
        let body = #"{"token": "\#(link)", "password": "\#(new)", "password_confirmation": "\#(new)"}"#
        #expect(portal.call(.post, "/auth/password/reset", body).status == 204)
        _ = browser.signIn("ada@example.org", new)
        #expect(browser.post("/login/second-factor", [("code", try code())]).status == 303)
    }

    @Test func `a sign-in that was ended halfway opens nothing`() throws {
        let browser = Browser(portal)
        _ = browser.signIn()
        let shown = browser.get("/login/second-factor")
        let id = ada.id
        try portal.services.records.writeUnaudited(.madeUp) {
            try CredentialStore.endCredentials(of: id, but: nil, $0)
        }
        let answer = browser.post("/login/second-factor", [("code", try pending(shown, portal))])
        #expect(answer.headers["Location"]?.hasPrefix("/login") == true)
        #expect(browser.get("/patients").status == 303)
    }

    @Test func `optional asks only those who have set it up`() throws {
        let tests = try SecondFactorTests(.optional)
        let portal = tests.portal
        let browser = Browser(tests.portal)
        #expect(browser.signIn().headers["Location"] == "/")
        let shown = browser.get("/profile/second-factor")
        #expect(shown.text.contains("qr__ink"))
        let password = [("password", Cast.password)]
        #expect(browser.post("/profile/second-factor", password + [("code", "000000")]).status == 422)
        let code = [("code", try tests.pending(shown, portal))]
        #expect(browser.post("/profile/second-factor", code + [("password", "falsch")]).status == 422)
        #expect(browser.post("/profile/second-factor", code + password).status == 303)
        portal.wait(seconds: 60)
        #expect(Browser(portal).signIn().headers["Location"] == "/login/second-factor")
    }

    @Test func `secrets and codes are stored unreadable`() throws {
        let codes = try setUp(Browser(portal))
        let record = try portal.services.records.read { [ada] in try SecondFactorStore.find(ada.id, $0) }
        let secret = try #require(record).secret(try ada.key(portal.services.keys))
        let stored = try portal.stored()
        #expect(stored.holds("C000001"), "what is not sealed is found")
        for part in [secret, Array(codes[0].utf8), Array(codes[0].replacing("-", with: "").utf8)] {
            #expect(!stored.holds(part))
        }
    }

    @Test func `what was typed when the session ended is given back to its owner only`() throws {
        let tests = try SecondFactorTests(.optional)
        let portal = tests.portal
        let browser = Browser(tests.portal)
        for (email, isOwner) in [("ben@example.org", false), ("ada@example.org", true)] {
            browser.cookie = portal.cast.sessions[.ada] ?? ""
            portal.wait(seconds: isOwner ? 60 : 31 * 60)
            let sent = browser.post("/patients/new", [("note", "Ängste im Zug"), ("password", "geheim")])
            #expect(sent.status == 303 && sent.headers["Location"]?.hasPrefix("/login") == true)
            let answer = browser.signIn(email)
            #expect(answer.text.contains("Ängste im Zug") == isOwner && !answer.text.contains("geheim"))
            if isOwner {
                #expect(answer.text.contains("action=\"/patients/new\""))
                #expect(browser.post("/patients/new", [("note", "Ängste im Zug")]).status == 303)
            }
        }
    }
}

extension SecondFactorTests {
    /// C8, C12: sessions are listed and ended.
    @Test func `C12 sessions are listed, and one that is ended is signed out`() throws {
        let tests = try SecondFactorTests(.optional)
        let portal = tests.portal
        let here = Browser(tests.portal)
        let there = Browser(tests.portal)
        _ = here.signIn()
        _ = there.signIn()
        let page = here.get("/profile/devices").text
        let ends = page.matches(of: /action="(\/profile\/devices\/[0-9a-f-]{36}\/removal)"/).map {
            String($0.1)
        }
        #expect(ends.count >= 2 && there.get("/patients").status == 200)
        for path in ends { #expect(here.post(path).status == 303) }
        #expect(there.get("/patients").status == 303 && here.get("/patients").status == 200)
        let other = Browser(portal)
        _ = other.signIn()
        #expect(here.post("/profile/devices/removal").status == 303)
        #expect(other.get("/patients").status == 303 && here.get("/patients").status == 200)
        // Another account's is not found.
        _ = other.signIn("ben@example.org")
        let bens = other.get("/profile/devices").text
        let foreign = bens.matches(of: /action="(\/profile\/devices\/[0-9a-f-]{36}\/removal)"/).map {
            String($0.1)
        }
        #expect(!foreign.isEmpty && foreign.allSatisfy { here.post($0).status == 404 })
    }

    @Test func `C8 a changed password signs other devices out and stays in force`() throws {
        let tests = try SecondFactorTests(.optional)
        let here = Browser(tests.portal)
        let there = Browser(tests.portal)
        _ = here.signIn()
        _ = there.signIn()
        let new = "ganz neue Wörter ohne Sinn"
        let form = [("password", new), ("password_confirmation", new)]
        #expect(here.post("/profile/password", form + [("current_password", "falsch")]).status == 422)
        #expect(here.post("/profile/password", form + [("current_password", Cast.password)]).status == 303)
        #expect(here.get("/patients").status == 200 && there.get("/patients").status == 303)
        #expect(there.signIn().status == 422)
    }
}
