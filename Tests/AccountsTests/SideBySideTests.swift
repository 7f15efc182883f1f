import Database
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

/// RP-208: an address that is not proved holds nothing. Its registrations wait side by side.
@Suite struct SideBySideTests {
    let portal: TestPortal
    static let address = "anna@example.org"

    init() throws { portal = try TestPortal() }

    /// - Returns: the registration token.
    @discardableResult
    func register(
        _ password: String, _ email: String = address, more: String = "", agent: String? = nil
    ) throws -> String {
        let body =
            #"{"email": "\#(email)", "password": "\#(password)", "password_confirmation": "\#(password)", "privacy_accepted": true\#(more)}"#
        let headers: Headers = agent.map { ["User-Agent": $0] } ?? [:]
        let answer = portal.call(.post, "/auth/register", body, as: .nobody, headers)
        #expect(answer.status == 201, "\(answer.text)")
        return answer.json["meta"]?["registration_token"]?.string ?? ""
    }

    func status(of token: String) -> Int {
        portal.call(.get, "/auth/registration", nil, as: .nobody, ["Authorization": "Bearer \(token)"]).status
    }

    func login(_ password: String, _ email: String = address) -> Response {
        portal.call(.post, "/auth/login", #"{"email": "\#(email)", "password": "\#(password)"}"#)
    }

    func confirm(_ link: String) -> Response {
        portal.call(.post, "/auth/email/verify", #"{"token": "\#(link)"}"#)
    }

    /// The links that went to an address, the oldest first.
    func links(to email: String = address) throws -> [String] {
        try portal.mails().filter { $0.contains("To: <\(email)>") }.compactMap { mail in
            mail.firstMatch(of: /verify-email\?token=([A-Za-z0-9_-]{43})/).map { String($0.1) }
        }
    }

    private let strangers = "fremdes Wort ohne jeden Sinn"
    private let owners = "eigenes Wort ohne jeden Sinn"

    @Test func `RP-208 the owner registers an address that a stranger registered, and the link decides`()
        throws
    {
        let first = try register(strangers, more: #", "research_consent": true"#)
        portal.wait(seconds: 60)
        let second = try register(owners)
        // Each has its own password, token and answer to research.
        #expect(status(of: first) == 200 && status(of: second) == 200)
        #expect(login(strangers).status == 403 && login(owners).status == 403)
        #expect(login("weder das eine noch das andere").status == 401)
        let sent = try links()
        #expect(sent.count == 2)
        #expect(confirm(sent[1]).status == 200)
        #expect(login(owners).status == 200 && login(strangers).status == 401)
        #expect(status(of: second) == 200 && status(of: first) == 401)
        #expect(confirm(sent[0]).status == 404)
        let token = try #require(login(owners).attributes["token"]?.string)
        let profile = portal.call(
            .get, "/my/privacy", nil, as: .nobody, ["Authorization": "Bearer \(token)"])
        #expect(profile.attributes["research_consent"] == .bool(false))
        // From now on the address is taken.
        let again = portal.call(
            .post, "/auth/register",
            #"{"email": "\#(Self.address)", "password": "\#(strangers)", "password_confirmation": "\#(strangers)", "privacy_accepted": true}"#
        )
        #expect(again.status == 422 && again.wrongFields == ["email"])
    }

    @Test func `RP-208 while nobody has proved it an address is free, and once proved it is not`() throws {
        let isFree = {
            portal.call(.get, "/auth/email-available?email=\(Self.address)").attributes["available"]
        }
        try register(strangers)
        #expect(isFree() == .bool(true))
        #expect(confirm(try links()[0]).status == 200)
        #expect(isFree() == .bool(false))
    }

    @Test func `RP-208 at most five wait side by side: a sixth ends the oldest, at its address alone`() throws
    {
        let other = try register(strangers, "berta@example.org")
        let tokens = try (0..<6).map { index in
            portal.wait(seconds: 3601)
            return try register("\(index) \(strangers)")
        }
        #expect(tokens.map(status) == [401, 200, 200, 200, 200, 200])
        #expect(status(of: other) == 200)
        // Another one whose address is mended to this one counts, too, and does not end itself.
        portal.wait(seconds: 3601)
        let mended = portal.call(
            .patch, "/auth/registration", #"{"email": "\#(Self.address)"}"#, as: .nobody,
            ["Authorization": "Bearer \(other)"])
        #expect(mended.status == 200)
        #expect(tokens.map(status) == [401, 401, 200, 200, 200, 200] && status(of: other) == 200)
    }

    @Test func `RP-208 three mails an hour go to an address, whatever asks, and each answer is the same`()
        throws
    {
        let tokens = try (0..<5).map { try register("\($0) \(owners)") }
        #expect(try links().count == 3)
        for token in tokens {
            let again = portal.call(
                .post, "/auth/registration/resend", "{}", as: .nobody, ["Authorization": "Bearer \(token)"])
            #expect(again.status == 202)
        }
        _ = portal.call(.post, "/auth/password/forgot", #"{"email": "\#(Self.address)"}"#)
        #expect(try portal.mails().count == 3)
        // What was sent still works: nothing took its place.
        portal.wait(seconds: 3601)
        let again = portal.call(
            .post, "/auth/registration/resend", "{}", as: .nobody, ["Authorization": "Bearer \(tokens[4])"])
        #expect(again.status == 202)
        #expect(try links().count == 4)
        #expect(confirm(try #require(try links().first)).status == 200)
        #expect(login("0 \(owners)").status == 200)
    }

    @Test func `RP-208 the mail says when and from which kind of browser it was asked for`() throws {
        try register(
            strangers, agent: "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0")
        let mail = try #require(try portal.mails().last)
        #expect(mail.contains("Angefordert: ") && mail.contains("10:00"), "\(mail)")
        #expect(mail.contains("Firefox") && mail.contains("Linux"), "\(mail)")
    }

    @Test func `RP-208 a forgotten password at such an address leads to registering, never to a reset`()
        throws
    {
        try register(strangers)
        let asked = portal.call(.post, "/auth/password/forgot", #"{"email": "\#(Self.address)"}"#)
        #expect(asked.status == 202)
        let mail = try #require(try portal.mails().last)
        #expect(mail.contains("http://127.0.0.1:8080/register") && !mail.contains("token="))
        #expect(try portal.count("password_resets") == 0)
    }

    @Test func `RP-208 a member of staff is invited to such an address, which then is theirs`() throws {
        let token = try register(strangers)
        let body = #"{"email": "\#(Self.address)", "name": "Anna Gruber", "roles": ["therapist"]}"#
        #expect(portal.call(.post, "/accounts", body, as: .uma).status == 201)
        // An invitation holds its address: it was made by an administrator.
        let refused = confirm(try links()[0])
        #expect(refused.status == 409 && refused.json["code"]?.string == "email_taken")
        #expect(status(of: token) == 200)
        let mail = try #require(try portal.mails().first { $0.contains("reset?token=") })
        let link = try #require(mail.firstMatch(of: /reset\?token=([A-Za-z0-9_-]{43})/)).1
        let set =
            #"{"token": "\#(link)", "password": "\#(owners)", "password_confirmation": "\#(owners)"}"#
        #expect(portal.call(.post, "/auth/password/reset", set).status == 204)
        #expect(login(owners).status == 200 && status(of: token) == 401)
    }

    @Test func `RP-208 of two links at once one decides, and the other registration is gone`() throws {
        try register(strangers)
        portal.wait(seconds: 60)
        try register(owners)
        let sent = try links()
        let (answer, hasComeToWrite) = portal.interleaving(
            { [self] in #expect(confirm(sent[0]).status == 200) }, { confirm(sent[1]) })
        #expect(hasComeToWrite && answer.status == 404)
        #expect(login(strangers).status == 200 && login(owners).status == 401)
    }

    @Test func `RP-208 a code typed before registering goes with its own registration`() throws {
        let stranger = Browser(portal)
        let form = { (password: String) in
            [
                ("email", Self.address), ("password", password), ("password_confirmation", password),
                ("privacy_accepted", "true"),
            ]
        }
        let place = try #require(
            stranger.post("/pair", [("code", portal.cast.openCode)]).headers["Location"])
        #expect(stranger.post("/register", form(strangers) + stranger.errand(on: place)).status == 303)
        portal.wait(seconds: 60)
        let owner = Browser(portal)
        owner.cookie = String(repeating: "b", count: 43)
        #expect(owner.post("/register", form(owners)).headers["Location"] == "/register/confirmation")
        let sent = try links()
        #expect(owner.post("/verify-email", [("token", sent[1])]).status == 303)
        #expect(owner.signIn(Self.address, owners).headers["Location"] == "/my")
        // The stranger's page ends: nothing of the account is shown to it.
        #expect(stranger.get("/register/confirmation").status == 303)
    }
}
