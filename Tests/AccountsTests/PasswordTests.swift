import Database
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Web

/// IO-2, C6, C8: changing a password, and the way back to a forgotten one.
@Suite struct PasswordTests {
    let portal: TestPortal
    static let new = "vier neue Wörter ohne Sinn"

    init() throws { portal = try TestPortal() }

    func forgot(_ email: String) -> Response {
        portal.call(.post, "/auth/password/forgot", #"{"email": "\#(email)"}"#)
    }
    func reset(_ token: String, _ password: String = new, again: String? = nil) -> Response {
        let body =
            #"{"token": "\#(token)", "password": "\#(password)", "password_confirmation": "\#(again ?? password)"}"#
        return portal.call(.post, "/auth/password/reset", body)
    }
    func login(_ email: String, _ password: String) -> Response {
        portal.call(.post, "/auth/login", #"{"email": "\#(email)", "password": "\#(password)"}"#)
    }
    func link() throws -> String {
        let mail = try portal.mails().last ?? ""
        return mail.firstMatch(of: /password\/reset\?token=([A-Za-z0-9_-]{43})/).map { String($0.1) } ?? ""
    }

    @Test func `RP-212 a reset by mail forgives the waits after wrong passwords, from any address`() throws {
        for _ in 0..<12 { _ = login("pia@example.org", "falsch") }
        #expect(login("pia@example.org", "falsch").status == 429)
        portal.wait(seconds: 1)
        #expect(forgot("pia@example.org").status == 202)
        #expect(reset(try link()).status == 204)
        #expect(login("pia@example.org", Self.new).status == 200)
        // From then on they are counted anew.
        for _ in 0..<10 { #expect(login("pia@example.org", "falsch").status == 401) }
        #expect(login("pia@example.org", Self.new).status == 429)
    }

    @Test func `RP-212 a reset forgives nothing of another account, and no waits after wrong codes`() throws {
        for _ in 0..<12 { _ = login("quinn@example.org", "falsch") }
        let lookup = Array("second factor \(portal.cast.accounts[.pia]?.text ?? "")".utf8)
        let logins = portal.services.logins
        for _ in 0..<14 { try? logins.begin(lookup, from: .address("192.0.2.1"), now: portal.now) }
        portal.wait(seconds: 1)
        _ = forgot("pia@example.org")
        #expect(reset(try link()).status == 204)
        #expect(login("quinn@example.org", Cast.password).status == 429)
        #expect(throws: (any Error).self) {
            try logins.begin(lookup, from: .address("192.0.2.1"), now: portal.now)
        }
    }

    @Test func `C6 a link sets the password once, and everything signed in is out`() throws {
        #expect(forgot("pia@example.org").status == 202)
        let token = try link()
        #expect(token.count == 43)
        #expect(reset(token, "kurz").wrongFields == ["password"])
        #expect(reset(token, again: "etwas anderes, ebenso lang").wrongFields == ["password_confirmation"])
        #expect(portal.call(.get, "/my/profile", as: .pia).status == 200)
        #expect(reset(token).status == 204)
        #expect(portal.call(.get, "/my/profile", as: .pia).status == 401)
        #expect(portal.call(.get, "/my/profile", as: .quinn).status == 200)
        #expect(login("pia@example.org", Cast.password).status == 401)
        #expect(login("pia@example.org", Self.new).status == 200)
        #expect(reset(token).status == 410)
        #expect(reset(String(repeating: "a", count: 43)).status == 404)
        #expect(reset("kein Token").status == 404)
        // The owner hears of it.
        #expect(try portal.mails().count == 2)
        #expect(try portal.audit().contains("password.reset"))
    }

    @Test func `C3 the same answer for every address, and mails only where there is an account`() throws {
        let known = forgot("pia@example.org")
        let unknown = forgot("niemand@example.org")
        #expect(known.status == 202 && unknown.status == 202 && known.bytes == unknown.bytes)
        #expect(known.headers.fields.map(\.name) == unknown.headers.fields.map(\.name))
        #expect(try portal.mails().count == 1)
        // Not confirmed yet: the address is not proved to be theirs, and gets no link that sets a password.
        let unproved = forgot("tess@example.org")
        #expect(unproved.status == 202 && unproved.bytes == known.bytes)
        let mail = try #require(try portal.mails().last)
        #expect(try portal.mails().count == 2)
        #expect(mail.contains("/register") && !mail.contains("token="))
        #expect(forgot("keine Adresse").status == 422)
        for _ in 0..<10 { _ = forgot("pia@example.org") }
        #expect(try portal.mails().count == 6)
    }

    @Test func `a link lives an hour, and dies with the next one`() throws {
        _ = forgot("pia@example.org")
        let first = try link()
        portal.wait(seconds: 60)
        _ = forgot("pia@example.org")
        let second = try #require(
            try portal.mails().compactMap { mail in
                mail.firstMatch(of: /token=([A-Za-z0-9_-]{43})/).map { String($0.1) }
            }.first { $0 != first })
        #expect(reset(first).status == 410)
        portal.wait(seconds: 3601)
        #expect(reset(second).status == 410)
        #expect(login("pia@example.org", Cast.password).status == 200)
        let stored = try portal.services.records.read { connection in
            try connection.count("SELECT count(*) FROM password_resets WHERE length(hash) = 32")
        }
        #expect(stored == 2)
    }

    @Test func `C8 a change asks for the present one and keeps only this device`() throws {
        let other = login("pia@example.org", Cast.password).attributes["token"]?.string ?? ""
        let put = { (current: String, new: String) in
            portal.call(
                .put, "/my/password",
                #"{"current_password": "\#(current)", "password": "\#(new)", "password_confirmation": "\#(new)"}"#,
                as: .pia)
        }
        #expect(put("falsch geraten, ganz sicher", Self.new).wrongFields == ["current_password"])
        #expect(put(Cast.password, "pia@example.org").wrongFields == ["password"])
        #expect(put(Cast.password, Self.new).status == 204)
        #expect(portal.call(.get, "/my/profile", as: .pia).status == 200)
        let old = portal.send(.get, "/api/v1/my/profile", ["Authorization": "Bearer \(other)"])
        #expect(old.status == 401 && !other.isEmpty)
        #expect(login("pia@example.org", Self.new).status == 200)
    }

    @Test func `in a browser: asked for, set, and nothing typed is shown again`() throws {
        #expect(portal.get("/login", as: .nobody).text.contains("/password/forgot"))
        #expect(portal.post("/password/forgot", [("email", "x")], as: .nobody).status == 422)
        let asked = portal.post("/password/forgot", [("email", "ada@example.org")], as: .nobody)
        #expect(asked.status == 200 && asked.text.contains("unterwegs"))
        let token = try link()
        // Opening the link changes nothing.
        for _ in 0..<2 { #expect(portal.get("/password/reset?token=\(token)", as: .nobody).status == 200) }
        let form = [("token", token), ("password", "kurz und geheim"), ("password_confirmation", "anders")]
        let refused = portal.post("/password/reset", form, as: .nobody)
        #expect(
            refused.status == 422 && !refused.text.contains("kurz und geheim") && refused.text.contains(token)
        )
        let good = [("token", token), ("password", Self.new), ("password_confirmation", Self.new)]
        #expect(portal.post("/password/reset", good, as: .nobody).status == 200)
        #expect(portal.get("/patients", as: .ada).status == 303)
        #expect(portal.post("/password/reset", good, as: .nobody).status == 410)
    }

    @Test func `a link asked for before a change of the password dies with the change`() throws {
        #expect(forgot("pia@example.org").status == 202)
        let asked = try link()
        let change =
            #"{"current_password": "\#(Cast.password)", "password": "\#(Self.new)", "password_confirmation": "\#(Self.new)"}"#
        #expect(portal.call(.put, "/my/password", change, as: .pia).status == 204)
        #expect(reset(asked, "noch ein anderes, ebenso lang").status == 410)
        #expect(login("pia@example.org", Self.new).status == 200)
    }
}
