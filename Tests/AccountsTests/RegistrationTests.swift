import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import Accounts
@testable import Identity
@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Web
@testable import Wording

@Suite struct RegistrationTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    func body(
        _ email: String = "new@example.org", password: String = "vier Wörter ohne Sinn", more: String = ""
    ) -> String {
        """
        {"email": "\(email)", "password": "\(password)", "password_confirmation": "\(password)", "privacy_accepted": true\(more)}
        """
    }

    func bearer(_ token: String) -> Headers { ["Authorization": "Bearer \(token)"] }

    func link(in mail: String) -> String? {
        mail.firstMatch(of: /verify-email\?token=([A-Za-z0-9_-]+)/).map { String($0.1) }
    }

    func newestLink() throws -> String {
        let mail = try #require(portal.mails().last)
        return try #require(self.link(in: mail))
    }

    @Test func `IO-1 register, poll, confirm by the mail, log in`() throws {
        let answer = portal.call(
            .post, "/auth/register", body(more: #", "timezone": "Asia/Kathmandu", "language": "en""#))
        #expect(answer.status == 201 && answer.attributes["email_verified"] == .bool(false))
        #expect(
            answer.attributes["timezone"] == .string("Asia/Kathmandu")
                && answer.attributes["research_consent"] == .bool(false))
        let token = try #require(answer.json["meta"]?["registration_token"]?.string)
        #expect(
            portal.call(.get, "/auth/registration", nil, as: .nobody, bearer(token)).attributes[
                "email_verified"] == .bool(false))
        let mail = try #require(portal.mails().last)
        #expect(
            mail.contains("To: <new@example.org>")
                && mail.contains("http://127.0.0.1:8080/verify-email?token="))
        let link = try #require(self.link(in: mail))
        // Opening the link changes nothing: mail scanners do that too.
        #expect(portal.send(.get, "/verify-email?token=\(link)").status == 200)
        #expect(
            portal.call(.get, "/auth/registration", nil, as: .nobody, bearer(token)).attributes[
                "email_verified"] == .bool(false))
        #expect(portal.call(.post, "/auth/email/verify", #"{"token": "\#(link)"}"#).status == 200)
        #expect(
            portal.call(.get, "/auth/registration", nil, as: .nobody, bearer(token)).attributes[
                "email_verified"] == .bool(true))
        #expect(portal.call(.post, "/auth/email/verify", #"{"token": "\#(link)"}"#).status == 410)
        let login = portal.call(
            .post, "/auth/login", #"{"email": "NEW@example.org", "password": "vier Wörter ohne Sinn"}"#)
        #expect(
            login.status == 200 && login.attributes["roles"] == .array([.string("patient")])
                && login.attributes["paired"] == .bool(false))
    }

    @Test func `the page behind the link confirms at the press of its button`() throws {
        #expect(portal.call(.post, "/auth/register", body()).status == 201)
        let link = try newestLink()
        let done = portal.post("/verify-email", [("token", link)], as: .nobody)
        #expect(done.status == 303 && done.headers["Location"] == "/verify-email?token=\(link)")
        #expect(portal.send(.get, "/verify-email?token=\(link)").text.contains("Die Adresse ist bestätigt"))
        #expect(portal.post("/verify-email", [("token", "nonsense")], as: .nobody).status == 404)
    }

    @Test
    func
        `RP-220 a link that has confirmed says so when it is opened again, and when its button is pressed twice`()
        throws
    {
        #expect(portal.call(.post, "/auth/register", body()).status == 201)
        let link = try newestLink()
        #expect(portal.send(.get, "/verify-email?token=\(link)").text.contains("name=\"token\""))
        for _ in 0..<2 {
            let done = portal.post("/verify-email", [("token", link)], as: .nobody)
            #expect(done.status == 303)
            let page = portal.send(.get, done.headers["Location"] ?? "").text
            #expect(page.contains("Die Adresse ist bestätigt") && !page.contains("name=\"token\""))
        }
        // The call tells that it was used.
        #expect(portal.call(.post, "/auth/email/verify", #"{"token": "\#(link)"}"#).status == 410)
        #expect(try portal.audit().filter { $0 == "account.email_verified" }.count == 1)
    }

    @Test func `RP-220 a link that another one replaced has confirmed nothing`() throws {
        let made = portal.call(.post, "/auth/register", body())
        let token = try #require(made.json["meta"]?["registration_token"]?.string)
        let replaced = try newestLink()
        #expect(
            portal.call(.post, "/auth/registration/resend", nil, as: .nobody, bearer(token)).status == 202)
        let link = try newestLink()
        #expect(portal.post("/verify-email", [("token", link)], as: .nobody).status == 303)
        #expect(portal.post("/verify-email", [("token", replaced)], as: .nobody).status == 410)
        #expect(!portal.send(.get, "/verify-email?token=\(replaced)").text.contains("ist bestätigt"))
    }

    @Test(arguments: ["\u{200B}", "\u{2060}", "\u{FEFF}", "\u{AD}", "\u{202E}"])
    func `RP-213 what nobody sees in an address is taken out, and said`(sign: String) throws {
        let typed = "an\(sign)na@exam\(sign)ple.org"
        let answer = portal.call(.post, "/auth/register", body(typed))
        #expect(answer.status == 201 && answer.attributes["email"] == .string("anna@example.org"))
        #expect(answer.json["meta"]?["cleaned"] == .string("email"))
        #expect(try portal.mails().last?.contains("To: <anna@example.org>") == true)
        let free = portal.call(.get, "/auth/email-available?email=\(percentEncoded(typed))")
        // It is not proved yet (RP-208).
        #expect(free.attributes["available"] == .bool(true))
        let link = try newestLink()
        #expect(portal.call(.post, "/auth/email/verify", #"{"token": "\#(link)"}"#).status == 200)
        for address in [typed, "anna@example.org"] {
            let login = portal.call(
                .post, "/auth/login", #"{"email": "\#(address)", "password": "vier Wörter ohne Sinn"}"#)
            #expect(login.status == 200, "\(address.unicodeScalars.map(\.value))")
        }
        #expect(
            portal.call(.post, "/auth/password/forgot", #"{"email": "\#(typed)"}"#).status == 202)
        #expect(try portal.mails().last?.contains("/password/reset?token=") == true)
    }

    @Test func `RP-29 an unknown zone stops no registration: the clinic's counts, and this is said`() throws {
        let answer = portal.call(.post, "/auth/register", body(more: #", "timezone": "Etc/Unknown""#))
        #expect(answer.status == 201, "\(answer.text)")
        #expect(answer.attributes["timezone"] == .string("Europe/Vienna"))
        #expect(answer.json["meta"]?["timezone"] == .string("Europe/Vienna"))
        let known = portal.call(.post, "/auth/register", body("b@example.org", more: #", "timezone": "CET""#))
        #expect(known.attributes["timezone"] == .string("CET") && known.json["meta"]?["timezone"] == nil)
        let none = portal.call(.post, "/auth/register", body("c@example.org"))
        #expect(
            none.attributes["timezone"] == .string("Europe/Vienna") && none.json["meta"]?["timezone"] == nil)
    }

    @Test func `RP-29 the page after registering says which zone counts instead of an unknown one`() {
        let browser = Browser(portal)
        let password = "vier Wörter ohne Sinn"
        let sent = browser.post(
            "/register",
            [
                ("email", "z@example.org"), ("password", password), ("password_confirmation", password),
                ("privacy_accepted", "true"), ("timezone", "Etc/Unknown"),
            ])
        #expect(sent.headers["Location"] == "/register/confirmation?zone=other", "\(sent.text)")
        #expect(browser.get("/register/confirmation?zone=other").text.contains("Europe/Vienna"))
        #expect(!browser.get("/register/confirmation").text.contains("Europe/Vienna"))
    }

    @Test func `RP-213 the page says that signs were taken out of the address`() {
        let browser = Browser(portal)
        let password = "vier Wörter ohne Sinn"
        let form = { (email: String) in
            [
                ("email", email), ("password", password), ("password_confirmation", password),
                ("privacy_accepted", "true"),
            ]
        }
        let place = browser.post("/register", form("an\u{200B}na@example.org")).headers["Location"] ?? ""
        let page = browser.get(place).text
        #expect(page.contains("anna@example.org") && page.contains("unsichtbare Zeichen herausgenommen"))
        let mended = browser.post("/register/confirmation", [("email", "anne\u{AD}@example.org")])
        #expect(mended.status == 303)
        let next = browser.get("/register/confirmation").text
        #expect(next.contains("anne@example.org") && next.contains("unsichtbare Zeichen herausgenommen"))
    }

    @Test func `RP-213 wrong passwords for one address are counted together, whatever is hidden in it`() {
        let login = { (email: String) in
            portal.call(.post, "/auth/login", #"{"email": "\#(email)", "password": "falsch"}"#).status
        }
        for count in 1...10 {
            #expect(login("pia" + String(repeating: "\u{200B}", count: count) + "@example.org") == 401)
        }
        #expect(login("pia@example.org") == 429)
    }

    static let wrong: [(String, String, [String])] = [
        (#""email": "new@example.org""#, #""email": "new""#, ["email"]),
        (#""email": "new@example.org","#, "", ["email"]),
        (#""email": "new@example.org""#, #""email": "a@b@example.org""#, ["email"]),
        (#""email": "new@example.org""#, #""email": 5"#, ["email"]),
        (#""email": "new@example.org""#, #""email": "pia@example.org""#, ["email"]),
        (#""email": "new@example.org""#, #""email": "x\r\nBcc: y@example.org""#, ["email"]),
        (#""privacy_accepted": true"#, #""privacy_accepted": false"#, ["privacy_accepted"]),
        (
            #""password_confirmation": "vier Wörter ohne Sinn""#,
            #""password_confirmation": "vier Wörter ohne Sinn.""#, ["password_confirmation"]
        ),
        (#""privacy_accepted": true"#, #""privacy_accepted": true, "timezone": 7"#, ["timezone"]),
        (#""privacy_accepted": true"#, #""privacy_accepted": true, "roles": ["therapist"]"#, ["roles"]),
    ]

    @Test(arguments: wrong) func `D5 what is wrong is named, nothing is made and nothing is mailed`(
        old: String, new: String, fields: [String]
    ) throws {
        let before = try portal.count("accounts")
        let answer = portal.call(.post, "/auth/register", body().replacingOccurrences(of: old, with: new))
        #expect(answer.status == 422 && answer.wrongFields == fields, "\(answer.text)")
        #expect(try portal.count("accounts") == before && portal.mails().isEmpty)
    }

    @Test func `a link sent again for an address that is mended meanwhile is not stored`() throws {
        let token = try #require(
            portal.call(.post, "/auth/register", body()).json["meta"]?["registration_token"]?.string)
        let (answer, hasComeToWrite) = portal.interleaving(
            { [self] in
                let mended = portal.call(
                    .patch, "/auth/registration", #"{"email": "opfer@example.org"}"#, as: .nobody,
                    bearer(token))
                #expect(mended.status == 200)
            },
            { portal.call(.post, "/auth/registration/resend", "{}", as: .nobody, bearer(token)) })
        #expect(hasComeToWrite && answer.status == 409)
        // The first one, and that for the mended address.
        #expect(try portal.mails().count == 2)
    }

    @Test func `resend and a mended address kill the older link`() throws {
        let token = try #require(
            portal.call(.post, "/auth/register", body()).json["meta"]?["registration_token"]?.string)
        let first = try newestLink()
        #expect(
            portal.call(.post, "/auth/registration/resend", "{}", as: .nobody, bearer(token)).status == 202)
        #expect(portal.call(.post, "/auth/email/verify", #"{"token": "\#(first)"}"#).status == 410)
        let changed = portal.call(
            .patch, "/auth/registration", #"{"email": "right@example.org"}"#, as: .nobody, bearer(token))
        #expect(changed.status == 200 && changed.attributes["email"] == .string("right@example.org"))
        let mails = try portal.mails()
        let link = try #require(
            mails.first { $0.contains("To: <right@example.org>") }.flatMap { self.link(in: $0) })
        #expect(mails.count == 3)
        #expect(portal.call(.post, "/auth/email/verify", #"{"token": "\#(link)"}"#).status == 200)
        #expect(
            portal.call(
                .patch, "/auth/registration", #"{"email": "again@example.org"}"#, as: .nobody, bearer(token)
            ).status == 409)
        #expect(
            portal.call(.post, "/auth/registration/resend", "{}", as: .nobody, bearer(token)).status == 409)
    }

    @Test func `an address that was confirmed meanwhile is not exchanged for one that nobody proved`() throws
    {
        let pia = portal.cast.accounts[.pia] ?? ""
        let services = portal.services
        #expect(throws: Problem.self) {
            try services.records.writeUnaudited(.madeUp) {
                try AccountStore.setEmail([1], lookup: [2], of: pia, $0)
            }
        }
        #expect(portal.call(.get, "/my/profile", as: .pia).attributes["email"] == .string("pia@example.org"))
    }

    @Test func `the right password before confirming is 403 with a fresh token`() throws {
        #expect(portal.call(.post, "/auth/register", body()).status == 201)
        let login = portal.call(
            .post, "/auth/login", #"{"email": "new@example.org", "password": "vier Wörter ohne Sinn"}"#)
        let token = try #require(login.json["meta"]?["registration_token"]?.string)
        #expect(login.status == 403)
        #expect(portal.call(.get, "/auth/registration", nil, as: .nobody, bearer(token)).status == 200)
        #expect(portal.call(.get, "/my/profile", nil, as: .nobody, bearer(token)).status == 403)
    }

    @Test func `E11 links die after a week, accounts that nobody confirmed after two`() throws {
        #expect(portal.call(.post, "/auth/register", body()).status == 201)
        let link = try newestLink()
        portal.wait(days: 8)
        #expect(portal.call(.post, "/auth/email/verify", #"{"token": "\#(link)"}"#).status == 410)
        let before = try portal.count("accounts")
        portal.wait(days: 7)
        Housekeeping.run(portal.services)
        // Tess never confirmed either.
        #expect(try portal.count("accounts") == before - 2)
        #expect(portal.call(.post, "/auth/register", body()).status == 201)
    }

    @Test func `whether an address is free can be asked ten times a minute`() throws {
        let portal = try TestPortal { $0.requestsPerMinute = 300 }
        #expect(
            portal.call(.get, "/auth/email-available?email=pia@example.org").attributes["available"]
                == .bool(false))
        #expect(
            portal.call(.get, "/auth/email-available?email=free@example.org").attributes["available"]
                == .bool(true))
        #expect(portal.call(.get, "/auth/email-available?email=nonsense").status == 422)
        for _ in 0..<7 { _ = portal.call(.get, "/auth/email-available?email=free@example.org") }
        let refused = portal.call(.get, "/auth/email-available?email=free@example.org")
        #expect(refused.status == 429 && refused.headers["Retry-After"] == "60")
        portal.wait(seconds: 61)
        #expect(portal.call(.get, "/auth/email-available?email=free@example.org").status == 200)
    }
}

@Suite struct PasswordRulesTests {
    static let bad: [(String, String)] = [
        ("fourteen chars", "errors.password_short"), ("passwordpassword", "errors.password_common"),
        ("123456789012345", "errors.password_common"),
        ("aaaaaaaaaaaaaaaa", "errors.password_common"), ("abcabcabcabcabcabc", "errors.password_common"),
        ("qwertzuiopasdfgh", "errors.password_common"),
        ("Intersession2026!", "errors.password_common"), ("pia.sommer.wien", "errors.password_common"),
        ("987654321098765", "errors.password_common"),
        (String(repeating: "langes wort ", count: 50), "errors.password_long"),
    ]

    @Test(arguments: bad) func `C2 short and guessable passwords are refused with the reason`(
        password: String, reason: String
    ) {
        #expect(PasswordRules.problem(of: password, context: ["pia.sommer@wien.example"]) == reason)
    }

    static let long = (0..<128).map { _ in "xk7vq2mz"[Int.random(in: 0..<8)] }.joined()

    @Test(arguments: [
        "🌵🌵🌵🌵🌵🦔🦔🦔🦔🦔🌙🌙🌙🌙🌙", "correct horse battery staple", "vier Wörter ohne Sinn", "🌵🌵 Kaktus im Regen",
        long,
    ])
    func `C2 long ones are taken, with umlauts, blanks and emoji`(password: String) {
        #expect(PasswordRules.problem(of: password, context: ["pia@example.org"]) == nil)
    }
}

extension String {
    fileprivate subscript(_ offset: Int) -> String { String(self[index(startIndex, offsetBy: offset)]) }
}
