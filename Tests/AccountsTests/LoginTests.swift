import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import Accounts
@testable import Identity
@testable import PortalTesting
@testable import Records
@testable import Web
@testable import Wording

@Suite struct LoginTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    func login(_ email: String, _ password: String = Cast.password) -> Response {
        portal.call(
            .post, "/auth/login",
            #"{"email": "\#(email)", "password": "\#(password)", "device_name": "Telefon", "client": {"platform": "ios"}}"#
        )
    }

    func cookie(_ response: Response) -> String? {
        response.headers["Set-Cookie"]?.firstMatch(of: /sid=([^;]*)/).map { String($0.1) }
    }

    @Test func `C3 unknown address and wrong password get the same answer`() {
        let unknown = login("nobody@example.org")
        let wrong = login("pia@example.org", "wrong horse battery")
        #expect(unknown.status == 401 && wrong.status == 401 && unknown.bytes == wrong.bytes)
    }

    @Test func `C4 after ten wrong passwords there is a wait, and afterwards the right one works`() throws {
        for _ in 0..<10 { #expect(login("pia@example.org", "wrong horse battery").status == 401) }
        let refused = login("pia@example.org")
        #expect(refused.status == 429)
        let wait = try #require(refused.headers["Retry-After"].flatMap { Int64($0) })
        #expect(wait >= 1 && wait <= 900)
        // Changing a proxy's header does not help: no proxy is trusted here.
        let body = #"{"email": "pia@example.org", "password": "wrong horse battery"}"#
        #expect(
            portal.call(.post, "/auth/login", body, as: .nobody, ["X-Forwarded-For": "198.51.100.7"]).status
                == 429)
        #expect(login("quinn@example.org").status == 200)
        portal.wait(seconds: wait)
        #expect(login("pia@example.org").status == 200)
    }

    @Test
    func `C4 wrong tries from one place do not keep the owner out elsewhere, until there are very many`()
        throws
    {
        let throttle = LoginThrottle(ShortMemory())
        for _ in 0..<10 { try throttle.begin([1], from: .address("a"), now: Cast.now) }
        #expect(throws: Problem.self) { try throttle.begin([1], from: .address("a"), now: Cast.now) }
        #expect(throws: Never.self) { try throttle.begin([1], from: .address("b"), now: Cast.now) }
        #expect(throws: Never.self) { try throttle.begin([2], from: .address("a"), now: Cast.now) }
        for number in 0..<39 { try throttle.begin([1], from: .address("\(number)"), now: Cast.now) }
        #expect(throws: Problem.self) { try throttle.begin([1], from: .address("elsewhere"), now: Cast.now) }
        #expect(throws: Never.self) {
            try throttle.begin([1], from: .address("elsewhere"), now: Cast.now.adding(seconds: 900))
        }
    }

    @Test func `waiting does not buy ten new tries`() throws {
        let throttle = LoginThrottle(ShortMemory())
        var now = Cast.now
        var tries = 0
        for _ in 0..<24 {
            while (try? throttle.begin([1], from: .address("a"), now: now)) != nil { tries += 1 }
            now = now.adding(seconds: 900)
        }
        #expect(tries == 10 + 23)
    }

    @Test func `signing in to the portal is limited by address too`() throws {
        let portal = try TestPortal { $0.requestsPerMinute = 10 }
        for number in 0..<4 {
            #expect(
                portal.post(
                    "/login", [("email", "x\(number)@example.org"), ("password", "wrong horse battery")],
                    as: .nobody
                ).status == 422)
        }
        #expect(
            portal.post("/login", [("email", "y@example.org"), ("password", "x")], as: .nobody).status == 429)
        #expect(portal.send(.get, "/login").status == 200)
    }

    @Test func `a token of staff lives no longer than their session would`() throws {
        let token = try #require(login("ada@example.org").attributes["token"]?.string)
        let headers: Headers = ["Authorization": "Bearer \(token)"]
        #expect(login("ada@example.org").attributes["expires_at"] == .string("2026-11-20T21:00:00Z"))
        portal.wait(seconds: 31 * 60)
        #expect(portal.call(.get, "/patients", nil, as: .nobody, headers).status == 401)
        #expect(portal.call(.get, "/my/profile", as: .pia).status == 200)
    }

    @Test func `the fifty-first device takes the place of the oldest`() throws {
        let first = try #require(login("nora@example.org").attributes["token"]?.string)
        let account = portal.cast.accounts[.nora] ?? ""
        let services = portal.services
        for number in 1...50 {
            let credential = NewCredential(
                .token, of: account, id: services.chance.id(), now: portal.now.adding(seconds: Int64(number)))
            try services.records.writeUnaudited(.madeUp) { try CredentialStore.insert(credential, $0) }
        }
        #expect(
            portal.call(.get, "/my/profile", nil, as: .nobody, ["Authorization": "Bearer \(first)"]).status
                == 401)
    }

    @Test func `C8 a token is dead after signing out`() throws {
        let token = try #require(login("pia@example.org").attributes["token"]?.string)
        let headers: Headers = ["Authorization": "Bearer \(token)"]
        #expect(portal.call(.get, "/my/profile", nil, as: .nobody, headers).status == 200)
        #expect(portal.call(.post, "/auth/logout", nil, as: .nobody, headers).status == 204)
        #expect(portal.call(.get, "/my/profile", nil, as: .nobody, headers).status == 401)
    }

    @Test
    func `B9 a cookie is worth nothing on the API, a token nothing on pages, and there are no CORS headers`()
    {
        let cookie: Headers = [
            "Cookie": "sid=\(portal.cast.sessions[.ada] ?? "")", "Origin": "https://evil.example",
        ]
        let answer = portal.call(.get, "/patients", nil, as: .nobody, cookie)
        #expect(
            answer.status == 401 && !answer.headers.fields.contains { $0.name.hasPrefix("Access-Control") })
        #expect(
            portal.send(.get, "/patients", ["Authorization": "Bearer \(portal.cast.tokens[.ada] ?? "")"])
                .status == 303)
    }

    @Test func `C7 B3 signing in gives a new cookie with all its flags, and the old session is dead`() throws
    {
        let answer = portal.post(
            "/login", [("email", "ada@example.org"), ("password", Cast.password), ("next", "/patients")],
            as: .ada)
        #expect(answer.status == 303 && answer.headers["Location"] == "/patients")
        let header = try #require(answer.headers["Set-Cookie"])
        #expect(
            header.contains("HttpOnly") && header.contains("SameSite=Lax") && header.contains("Path=/")
                && !header.contains("Domain"))
        #expect(cookie(answer) != portal.cast.sessions[.ada])
        #expect(portal.get("/patients", as: .ada).status == 303)
        #expect(portal.send(.get, "/patients", ["Cookie": "sid=\(cookie(answer) ?? "")"]).status == 200)
    }

    @Test func `B3 over TLS the cookie is bound to the host`() throws {
        let secure = try TestPortal { $0.publicURL = "https://portal.example.org" }
        let page = secure.send(.get, "/login")
        let header = try #require(page.headers["Set-Cookie"])
        #expect(header.hasPrefix("__Host-sid=") && header.contains("; Secure"))
        #expect(page.headers["Strict-Transport-Security"]?.contains("max-age=63072000") == true)
    }

    @Test func `wrong passwords do not get in, and what was typed stays`() {
        for (email, password) in [
            ("pia@example.org", "wrong horse battery"), ("ada@example.org", "wrong horse battery"),
        ] {
            let page = portal.post("/login", [("email", email), ("password", password)], as: .nobody)
            #expect(
                page.status == 422 && page.text.contains("value=\"\(email)\"")
                    && page.text.contains("<title>Fehler: "))
            #expect(!page.text.contains(password))
        }
    }

    @Test(arguments: [
        "https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)", "/a\r\nX: y",
    ])
    func `B10 a login leads on to own paths only`(next: String) {
        let answer = portal.post(
            "/login", [("email", "ada@example.org"), ("password", Cast.password), ("next", next)], as: .nobody
        )
        #expect(answer.headers["Location"] == "/")
    }

    @Test func `somebody whose session is gone comes back to where they were`() {
        let answer = portal.send(.get, "/patients/new")
        #expect(answer.status == 303 && answer.headers["Location"] == "/login?next=%2Fpatients%2Fnew")
        #expect(portal.send(.get, "/login?next=%2Fpatients%2Fnew").text.contains("value=\"/patients/new\""))
    }

    @Test func `C9 a session ends after half an hour of idleness`() {
        portal.wait(seconds: 29 * 60)
        #expect(portal.get("/patients", as: .ada).status == 200)
        portal.wait(seconds: 29 * 60)
        #expect(portal.get("/patients", as: .ada).status == 200)
        portal.wait(seconds: 31 * 60)
        #expect(portal.get("/patients", as: .ada).status == 303)
    }

    @Test func `C9 a session that is always in use ends after twelve hours`() {
        for _ in 0..<28 {
            portal.wait(seconds: 25 * 60)
            #expect(portal.get("/patients", as: .ada).status == 200)
        }
        portal.wait(seconds: 25 * 60)
        #expect(portal.now > Cast.now.adding(seconds: 12 * 3600))
        #expect(portal.get("/patients", as: .ada).status == 303)
    }

    @Test func `B6 signing out ends the session and clears what the browser kept`() {
        #expect(portal.get("/patients", as: .ada).headers["Cache-Control"] == "no-store")
        let answer = portal.post("/logout", as: .ada)
        #expect(
            answer.headers["Clear-Site-Data"] == "\"cache\""
                && answer.headers["Location"] == "/login")
        #expect(portal.get("/patients", as: .ada).status == 303)
    }
}

@Suite struct ForgeryTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    static let foreign: [Headers] = [
        ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"], ["Origin": "https://evil.example"],
        ["Origin": "null"], ["Origin": "http://127.0.0.1:9999"],
    ]

    @Test(arguments: foreign.indices) func `B4 a form from another site is refused before it is read`(
        index: Int
    ) throws {
        let before = try portal.count("therapies")
        #expect(portal.post("/patients/new", [("note", "x")], as: .ada, Self.foreign[index]).status == 403)
        #expect(try portal.count("therapies") == before)
    }

    @Test func `B4 a form without the token, or with another's, is refused`() throws {
        let headers: Headers = [
            "Cookie": "sid=\(portal.cast.sessions[.ada] ?? "")",
            "Content-Type": "application/x-www-form-urlencoded",
            "Origin": "http://127.0.0.1:8080", "Sec-Fetch-Site": "same-origin",
        ]
        let other = portal.services.keys.formToken(for: portal.cast.sessions[.ben] ?? "")
        let foreign = portal.services.keys.maskedFormToken(for: portal.cast.sessions[.ben] ?? "")
        for token in ["", other, foreign, String(other.dropLast()), other + other] {
            let body = "note=x&form_token=\(token)"
            #expect(portal.send(.post, "/patients/new", headers, body: Array(body.utf8)).status == 403)
        }
        for body in ["note=x"] {
            #expect(portal.send(.post, "/patients/new", headers, body: Array(body.utf8)).status == 403)
        }
        let cookie = portal.cast.sessions[.ada] ?? ""
        let masked = portal.services.keys.maskedFormToken(for: cookie)
        #expect(masked != portal.services.keys.maskedFormToken(for: cookie))
        for own in [portal.services.keys.formToken(for: cookie), masked] {
            let body = Array("note=x&form_token=\(own)".utf8)
            #expect(portal.send(.post, "/patients/new", headers, body: body).status == 303)
        }
    }

    @Test(
        arguments: [
            ["Sec-Fetch-Site": "same-origin", "Origin": "http://127.0.0.1:8080"],
            ["Origin": "http://localhost:8080"], ["Sec-Fetch-Site": "same-origin", "Origin": "null"], [:],
        ] as [[String: String]])
    func `own forms pass, also those of old browsers`(fields: [String: String]) {
        var headers = Headers()
        for field in fields { headers.append(field.key, field.value) }
        #expect(
            portal.post("/language", [("language", "en"), ("back", "/")], as: .ada, headers).status == 303)
    }

    @Test func `another kind of body is refused`() {
        var headers: Headers = ["Cookie": "sid=\(portal.cast.sessions[.ada] ?? "")"]
        headers.append("Content-Type", "application/json")
        #expect(portal.send(.post, "/patients/new", headers, body: Array("{}".utf8)).status == 403)
    }
}

@Suite struct LanguageTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    static let accepted: [(String?, String)] = [
        (nil, "de"), ("", "de"), ("de", "de"), ("en", "en"), ("en-GB,de;q=0.5", "en"),
        ("de-AT;q=0.4, en;q=0.8", "en"), ("fr", "en"),
        ("fr, de;q=0.1", "de"), ("*", "de"), ("en;q=0, de", "de"),
    ]

    @Test(arguments: accepted)
    func `TYS-10 the language is what was asked for, German unasked, English where none is known`(
        header: String?, language: String
    ) throws {
        let texts = try InstalledTexts(folder: Cast.root + "/templates/texts")
        #expect(texts.first(of: Language.accepted(by: header)).rawValue == language)
    }

    @Test func `the switch leads back to where one was, with everything behind the question mark`() {
        let page = portal.send(.get, "/verify-email?token=abc&lang=en").text
        #expect(page.contains("name=\"back\" value=\"/verify-email?token=abc\""))
        let answer = portal.post(
            "/language", [("language", "en"), ("back", "/verify-email?token=abc")], as: .nobody)
        #expect(answer.headers["Location"] == "/verify-email?token=abc&lang=en")
        #expect(
            portal.send(.get, "/patients?state=paired").headers["Location"]
                == "/login?next=%2Fpatients%3Fstate%3Dpaired")
    }

    @Test func `the switch is stored in the account, the address shows one page only`() {
        #expect(portal.get("/patients?lang=en", as: .ada).text.contains("<html lang=\"en\">"))
        #expect(portal.get("/patients", as: .ada).text.contains("<html lang=\"de\">"))
        #expect(
            portal.post("/language", [("language", "en"), ("back", "/patients")], as: .ada).headers[
                "Location"] == "/patients")
        #expect(portal.get("/patients", as: .ada).text.contains("<html lang=\"en\">"))
    }
}

@Suite struct ProfileTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    @Test func `IO-3 the profile has everything, null where there is nothing`() {
        let pia = portal.call(.get, "/my/profile", as: .pia).attributes
        #expect(
            pia["patient"]?["codename"] == .string("C000001")
                && pia["patient"]?["birth_date"] == .string("1990-05-17"))
        #expect(
            pia["patient"]?["therapy_started_on"] == .string("2026-10-23") && pia["name"] == .null
                && pia["paired"] == .bool(true))
        #expect(portal.call(.get, "/my/profile", as: .nora).attributes["patient"] == .null)
    }

    @Test func `D5 only language, zone, name and sex can be changed`() {
        let changed = portal.call(
            .patch, "/my/profile",
            #"{"name": "Pia Ä", "sex": 2, "timezone": "America/Sao_Paulo", "language": "en"}"#, as: .pia)
        #expect(changed.attributes["name"] == .string("Pia Ä") && changed.attributes["sex"] == .number(2))
        #expect(portal.call(.patch, "/my/profile", #"{"name": null}"#, as: .pia).attributes["name"] == .null)
        let wrong = portal.call(
            .patch, "/my/profile",
            #"{"language": null, "sex": 3, "roles": ["therapist"], "therapist_id": 2, "research_consent": true}"#,
            as: .pia)
        #expect(
            wrong.status == 422
                && Set(wrong.wrongFields) == ["language", "sex", "roles", "therapist_id", "research_consent"])
        #expect(portal.call(.get, "/my/profile", as: .pia).attributes["sex"] == .number(2))
    }

    @Test func `IO-7 what a therapist says of themselves reaches the patient, as card too`() {
        let form = [
            ("name", "Ada Lindner"), ("degree", "Dr."), ("gender", "female"),
            ("street", "Lindengasse 4, Tür 2"), ("city", "Wien"),
            ("postal_code", "1070"), ("country", "AT"), ("phone", "+43 1 5550 100"), ("emergency_phone", ""),
        ]
        #expect(portal.post("/profile", form, as: .ada).status == 303)
        let therapist = portal.call(.get, "/my/therapist", as: .pia).attributes
        #expect(therapist["name"] == .string("Dr. Ada Lindner") && therapist["emergency_phone"] == .null)
        #expect(therapist["practice_address"]?["street"] == .string("Lindengasse 4, Tür 2"))
        let card = portal.call(.get, "/my/therapist.vcf", as: .pia)
        #expect(card.headers["Content-Type"]?.hasPrefix("text/vcard") == true)
        #expect(card.text.hasPrefix("BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Dr. Ada Lindner\r\n"))
        #expect(
            card.text.contains("ADR;TYPE=work:;;Lindengasse 4\\, Tür 2;Wien;;1070;AT\r\n")
                && card.text.hasSuffix("END:VCARD\r\n"))
        let body = #"{"name": "Ada", "email": "other@example.org"}"#
        #expect(portal.call(.put, "/my/therapist-profile", body, as: .ada).wrongFields == ["email"])
        let wrong = portal.post("/profile", [("name", ""), ("phone", "ask at the desk")], as: .ada)
        #expect(
            wrong.status == 422 && wrong.text.contains("ask at the desk")
                && wrong.text.contains("href=\"#name\""))
    }

    @Test func `long lines of a card are folded, never inside a character`() {
        var profile = TherapistProfile()
        profile.street = String(repeating: "ä", count: 100)
        let card = TherapistCard(name: "A B", email: "a@example.org", profile: profile).vCard
        #expect(card.components(separatedBy: "\r\n").allSatisfy { $0.utf8.count <= 75 })
        #expect(card.replacing("\r\n ", with: "").contains(String(repeating: "ä", count: 100)))
    }
}
