import Database
import HTTP
import JSON
import Secrets
import Testing
import Wire
import Wording

@testable import Accounts
@testable import Identity
@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Web

/// RP-215: another address for a member of staff, and the way back to the former one.
@Suite struct StaffEmailTests {
    let portal: TestPortal
    static let new = "ada.neu@example.org"

    init() throws { portal = try TestPortal() }

    @discardableResult
    func ask(
        _ email: String = new, _ password: String = Cast.password, code: String? = nil,
        as person: Person = .ada
    ) -> Response {
        let more = code.map { #", "totp": "\#($0)""# } ?? ""
        return portal.call(
            .post, "/my/email", #"{"email": "\#(email)", "password": "\#(password)"\#(more)}"#, as: person)
    }

    func confirm(_ token: String) -> Response {
        portal.call(.post, "/auth/email/verify", #"{"token": "\#(token)"}"#)
    }

    func logIn(_ email: String, _ password: String = Cast.password) -> Response {
        portal.call(.post, "/auth/login", #"{"email": "\#(email)", "password": "\#(password)"}"#)
    }

    /// The newest link of a page that went to an address.
    func link(_ page: String, to address: String) throws -> String {
        let mail = try #require(
            try portal.mails().last { $0.contains("To: <\(address)>") && $0.contains("\(page)?token=") })
        let found = try #require(mail.firstMatch(of: /token=([A-Za-z0-9_-]{43})/))
        return String(found.1)
    }

    /// Changes Ada's address.
    /// - Returns: the link that went to the former one.
    func change(from old: String = "ada@example.org", to new: String = new) throws -> String {
        let token = try #require(logIn(old).attributes["token"]?.string)
        let answer = portal.call(
            .post, "/my/email", #"{"email": "\#(new)", "password": "\#(Cast.password)"}"#, as: .nobody,
            ["Authorization": "Bearer \(token)"])
        #expect(answer.status == 202, "\(answer.text)")
        #expect(confirm(try link("verify-email", to: new)).status == 200)
        portal.wait(seconds: 1)
        return try link("email-return", to: old)
    }

    @Test func `RP-215 a member of staff changes the own address by a link that proves it`() throws {
        #expect(ask(Self.new, "falsch geraten").wrongFields == ["password"])
        #expect(ask("uma@example.org").status == 202)
        #expect(ask().status == 202)
        #expect(logIn("ada@example.org").status == 200 && logIn(Self.new).status == 401)
        #expect(confirm(try link("verify-email", to: Self.new)).status == 200)
        #expect(logIn("ada@example.org").status == 401 && logIn(Self.new).status == 200)
        #expect(portal.get("/patients", as: .ada).status == 303)
        #expect(logIn("uma@example.org").status == 200)
    }

    @Test func `RP-215 it asks for the second factor, too`() throws {
        let secret = SecureRandom.bytes(20)
        let id = portal.cast.accounts[.ada] ?? ""
        let keys = portal.services.keys
        let now = portal.now
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            let account = try #require(try AccountStore.find(id, connection))
            let sealed = try account.key(keys).seal(bytes: secret, for: SecondFactorRecord.place(id))
            #expect(try SecondFactorStore.insert(sealed, for: id, step: 0, at: now, connection))
        }
        let missing = ask()
        #expect(missing.status == 401 && missing.json["code"]?.string == "second_factor_missing")
        #expect(ask(code: "000000").status == 401)
        #expect(try portal.count("email_changes") == 0)
        let wrong = portal.post(
            "/profile/email", [("email", Self.new), ("password", Cast.password), ("totp", "000000")], as: .ada
        )
        #expect(wrong.status == 422 && wrong.text.contains("id=\"totp-error\""))
        #expect(wrong.text.contains("value=\"\(Self.new)\"") && !wrong.text.contains("000000"))
        let code = try #require(OneTimeCode.code(secret, step: portal.now.seconds / 30))
        #expect(ask(code: code).status == 202)
        #expect(confirm(try link("verify-email", to: Self.new)).status == 200)
    }

    @Test func `RP-215 the page leads there from the profile, and names the address that waits`() throws {
        #expect(portal.get("/profile", as: .ada).text.contains("href=\"/profile/email\""))
        let page = portal.get("/profile/email", as: .ada).text
        #expect(page.contains("ada@example.org") && page.contains("sieben Tage"))
        let sent = portal.post(
            "/profile/email", [("email", Self.new), ("password", Cast.password)], as: .ada)
        #expect(sent.headers["Location"] == "/profile/email")
        #expect(portal.get("/profile/email", as: .ada).text.contains("\(Self.new) wartet noch"))
        let browser = Browser(portal)
        let link = try link("verify-email", to: Self.new)
        #expect(browser.post("/verify-email", [("token", link)]).status == 303)
        #expect(browser.get("/verify-email?token=\(link)").text.contains("href=\"/\">Weiter"))
    }

    @Test func `RP-215 the former address takes it back for seven days, and everything signed in ends`()
        throws
    {
        let back = try change()
        let thief = Browser(portal)
        #expect(thief.signIn(Self.new).status == 303)
        // Opening the link changes nothing: mail scanners open links, too.
        for _ in 0..<2 {
            #expect(portal.send(.get, "/email-return?token=\(back)").text.contains("name=\"token\""))
        }
        #expect(logIn(Self.new).status == 200)
        portal.wait(days: 6)
        let done = portal.post("/email-return", [("token", back)], as: .nobody)
        #expect(done.status == 200 && done.text.contains("Die Adresse gilt wieder"))
        #expect(thief.get("/patients").status == 303)
        // The password that changed the address opens nothing any more.
        for email in [Self.new, "ada@example.org"] { #expect(logIn(email).status == 401) }
        #expect(
            try portal.mails().contains {
                $0.contains("To: <\(Self.new)>") && $0.contains("wieder eingesetzt")
            })
        let again = portal.post("/email-return", [("token", back)], as: .nobody)
        #expect(again.status == 404)
        #expect(portal.call(.post, "/auth/password/forgot", #"{"email": "ada@example.org"}"#).status == 202)
        let link = try link("reset", to: "ada@example.org")
        let fresh = "vier neue Wörter ohne Sinn"
        let body = #"{"token": "\#(link)", "password": "\#(fresh)", "password_confirmation": "\#(fresh)"}"#
        #expect(portal.call(.post, "/auth/password/reset", body).status == 204)
        #expect(logIn("ada@example.org", fresh).status == 200)
        #expect(try portal.audit().contains("account.email_returned"))
    }

    @Test func `RP-215 after seven days it is over, and the former address is forgotten`() throws {
        let back = try change()
        portal.wait(days: 7)
        #expect(portal.send(.get, "/email-return?token=\(back)").status == 410)
        #expect(portal.post("/email-return", [("token", back)], as: .nobody).status == 410)
        Housekeeping.run(portal.services)
        let kept = try portal.services.records.read { connection in
            try connection.count("SELECT count(*) FROM email_changes WHERE former_email IS NOT NULL")
        }
        #expect(kept == 0 && logIn(Self.new).status == 200)
        #expect(portal.send(.get, "/email-return?token=\(Token().text)").status == 404)
    }

    @Test
    func
        `RP-215 through two changes the first address wins, and a password changed meanwhile keeps nobody out`()
        throws
    {
        let first = try change()
        let second = try change(from: Self.new, to: "ada.dieb@example.org")
        let token = try #require(logIn("ada.dieb@example.org").attributes["token"]?.string)
        let fresh = "vier neue Wörter ohne Sinn"
        let body =
            #"{"current_password": "\#(Cast.password)", "password": "\#(fresh)", "password_confirmation": "\#(fresh)"}"#
        #expect(
            portal.call(.put, "/my/password", body, as: .nobody, ["Authorization": "Bearer \(token)"]).status
                == 204)
        #expect(portal.post("/email-return", [("token", first)], as: .nobody).status == 200)
        // Not back to the address in between.
        #expect(portal.post("/email-return", [("token", second)], as: .nobody).status == 404)
        #expect(logIn("ada.dieb@example.org", fresh).status == 401)
    }

    @Test func `RP-215 a thief who went through two addresses cannot end the owner's way back`() throws {
        let owners = try change()
        let own = try change(from: Self.new, to: "ada.dieb@example.org")
        #expect(portal.post("/email-return", [("token", own)], as: .nobody).status == 200)
        #expect(portal.post("/email-return", [("token", owners)], as: .nobody).status == 200)
        #expect(portal.call(.post, "/auth/password/forgot", #"{"email": "ada@example.org"}"#).status == 202)
        #expect(try !link("reset", to: "ada@example.org").isEmpty)
    }

    @Test func `RP-215 a mailbox that is left meanwhile gets no link for a new password`() throws {
        #expect(ask().status == 202)
        let proof = try link("verify-email", to: Self.new)
        let (answer, hasComeToWrite) = portal.interleaving(
            { [self] in #expect(confirm(proof).status == 200) },
            { portal.call(.post, "/auth/password/forgot", #"{"email": "ada@example.org"}"#) })
        #expect(hasComeToWrite && answer.status == 202)
        #expect(try portal.count("password_resets") == 0)
    }

    @Test func `RP-215 of two clicks at once one takes it back`() throws {
        let back = try change()
        let (answer, hasComeToWrite) = portal.interleaving(
            { [portal] in
                #expect(portal.post("/email-return", [("token", back)], as: .nobody).status == 200)
            }, { portal.post("/email-return", [("token", back)], as: .nobody) })
        #expect(hasComeToWrite && answer.status == 404)
        #expect(try portal.audit().filter { $0 == "account.email_returned" }.count == 1)
    }

    @Test func `RP-215 patients get no way back: another person may read the mailbox that they leave`() throws
    {
        #expect(ask("pia.neu@example.org", as: .pia).status == 202)
        #expect(confirm(try link("verify-email", to: "pia.neu@example.org")).status == 200)
        #expect(try !portal.mails().contains { $0.contains("email-return") })
    }

    // MARK: A mistyped invitation

    private func invite(_ email: String) -> Response {
        portal.call(
            .post, "/accounts", #"{"email": "\#(email)", "name": "Mira Holm", "roles": ["therapist"]}"#,
            as: .uma)
    }

    private func choose(_ link: String) -> Int {
        let password = "vier Wörter ohne jeden Sinn"
        let body =
            #"{"token": "\#(link)", "password": "\#(password)", "password_confirmation": "\#(password)"}"#
        return portal.call(.post, "/auth/password/reset", body).status
    }

    @Test func `RP-215 an administrator mends a mistyped invitation, and its link is dead`() throws {
        let id = invite("mria@example.org").id
        let wrong = try link("reset", to: "mria@example.org")
        let path = "/accounts/\(id)"
        #expect(
            portal.change(.patch, path, #"{"email": "ada@example.org"}"#, as: .uma).wrongFields == ["email"])
        #expect(portal.change(.patch, path, #"{"email": "mira"}"#, as: .uma).wrongFields == ["email"])
        #expect(portal.send(.get, "/password/reset?token=\(wrong)").status == 200)
        let mended = portal.change(.patch, path, #"{"email": "mira@example.org"}"#, as: .uma)
        #expect(mended.status == 200 && mended.attributes["email"] == .string("mira@example.org"))
        #expect(choose(wrong) == 410)
        #expect(choose(try link("reset", to: "mira@example.org")) == 204)
        // From then on the address is the person's own.
        let late = portal.change(.patch, path, #"{"email": "mara@example.org"}"#, as: .uma)
        #expect(late.status == 409)
        #expect(portal.get("/admin\(path)", as: .uma).text.contains("name=\"email\"") == false)
    }

    @Test func `RP-215 the page mends it, and saving without a change sends nothing`() throws {
        let id = invite("mria@example.org").id
        let page = portal.get("/admin/accounts/\(id)", as: .uma).text
        #expect(page.contains("value=\"mria@example.org\""))
        let form = { (email: String) in
            [("name", "Mira Holm"), ("email", email), ("site", ""), ("roles", "therapist")]
        }
        let save = { (email: String) in
            portal.post("/admin/accounts/\(id)", form(email), as: .uma)
        }
        #expect(save("mria@example.org").status == 303)
        #expect(try portal.mails().count == 1)
        let taken = save("ada@example.org")
        #expect(taken.status == 422 && taken.text.contains("id=\"email-error\""))
        #expect(save("mira@example.org").status == 303)
        #expect(choose(try link("reset", to: "mira@example.org")) == 204)
    }

    @Test func `RP-215 a password chosen between look and write: the address is no administrator's any more`()
        throws
    {
        let id = invite("mria@example.org").id
        let link = try link("reset", to: "mria@example.org")
        let (answer, hasComeToWrite) = portal.interleaving(
            { [self] in #expect(choose(link) == 204) },
            { portal.call(.patch, "/accounts/\(id)", #"{"email": "mira@example.org"}"#, as: .uma) })
        #expect(hasComeToWrite && answer.status == 409)
        #expect(logIn("mria@example.org", "vier Wörter ohne jeden Sinn").status == 200)
    }

    @Test func `RP-215 the page says at the address that it is no administrator's any more`() throws {
        let id = invite("mria@example.org").id
        let path = "/admin/accounts/\(id)"
        let page = portal.get(path, as: .uma).text
        let typed = ["email": "mira@example.org", "site": "Graz"]
        let fields = try #require(FilledForm.read(page, action: path, typed: typed)).fields
        #expect(choose(try link("reset", to: "mria@example.org")) == 204)
        let answer = portal.post(path, fields, as: .uma)
        let said = portal.services.texts(.german)["staff.not_invited"]
        #expect(answer.status == 422 && answer.text.contains("href=\"#address\""), "\(answer.text)")
        #expect(answer.text.contains("<p class=\"field__error\">\(said)") && !answer.text.contains("#roles"))
        #expect(portal.call(.get, "/accounts/\(id)", as: .uma).attributes["site"] == .null)
        // The rest of it can be saved: the address has no field any more.
        let again = try #require(FilledForm.read(answer.text, action: path)).fields
        #expect(portal.post(path, again, as: .uma).status == 303)
        #expect(portal.call(.get, "/accounts/\(id)", as: .uma).attributes["site"] == .string("Graz"))
        #expect(
            portal.call(.get, "/accounts/\(id)", as: .uma).attributes["email"] == .string("mria@example.org"))
    }
}
