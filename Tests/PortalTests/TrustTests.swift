import Database
import Foundation
import HTTP
import JSON
import Synchronization
import Templates
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Web

/// Claims of the trust checklist that belong to no single subject.
@Suite struct TrustTests {
    let portal: TestPortal

    init() throws { portal = try TestPortal() }

    /// Runs the same at once on many threads and answers what each got.
    static func atOnce<T: Sendable>(_ count: Int, _ body: @escaping @Sendable (Int) -> T) -> [T] {
        let results = Mutex<[T]>([])
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let result = body(index)
            results.withLock { $0.append(result) }
        }
        return results.withLock { $0 }
    }

    // MARK: A, B: what every answer carries

    @Test func `A3 over TLS every answer says so, errors too`() throws {
        let portal = try TestPortal { $0.publicURL = "https://portal.example.org" }
        for response in [
            portal.send(.get, "/login"), portal.send(.get, "/nowhere"), portal.send(.get, "/patients"),
            portal.call(.get, "/nowhere"), portal.call(.get, "/my/profile"), portal.call(.get, "/health"),
            portal.call(.post, "/auth/login", "{"), portal.send(.post, "/login"),
        ] {
            let header = response.headers["Strict-Transport-Security"] ?? ""
            #expect(header == "max-age=63072000; includeSubDomains", "\(response.status)")
        }
        #expect(self.portal.send(.get, "/login").headers["Strict-Transport-Security"] == nil)
    }

    @Test func `B7 every answer with a body says what it is, and calls are never HTML`() {
        for route in Routes.all.list where route.method == .get {
            let path = route.pattern.description.replacing(
                ":patient", with: portal.cast.therapies[.pia]?.text ?? ""
            )
            .replacing(/:[a-z]+/, with: portal.cast.questionnaire)
            let response =
                route.surface == .portal
                ? portal.get(path, as: .ada) : portal.call(.get, String(path.dropFirst(7)), as: .ada)
            guard !response.bytes.isEmpty else { continue }
            let type = response.headers["Content-Type"] ?? ""
            #expect(!type.isEmpty && response.headers["X-Content-Type-Options"] == "nosniff", "\(path)")
            if type.hasPrefix("text/") || type.hasPrefix("application/json") {
                #expect(type.hasSuffix("charset=utf-8"), "\(path): \(type)")
            }
            if route.surface == .api { #expect(!type.hasPrefix("text/html"), "\(path)") }
        }
    }

    // MARK: C: secrets

    @Test func `C1 every stored password is argon2id at 19 MiB or more, and stands nowhere else`() throws {
        let password = "canary-xq7Zz-Wörter ohne Sinn"
        let body =
            #"{"email": "zoe@example.org", "password": "\#(password)", "password_confirmation": "\#(password)", "privacy_accepted": true}"#
        #expect(portal.call(.post, "/auth/register", body).status == 201)
        let hashes: [String] = try portal.services.records.read { connection in
            try connection.all("SELECT password_hash FROM accounts") { row in try row[0] }
        }
        #expect(hashes.count > 7 && hashes.allSatisfy { $0.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$") })
        portal.services.close()
        let folder = portal.services.settings.data
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            let data = FileManager.default.contents(atPath: folder + "/" + name) ?? Data()
            #expect(data.range(of: Data("canary-xq7Zz".utf8)) == nil, "\(name)")
        }
        #expect(!portal.logged.joined().contains("canary"))
    }

    // MARK: D: races and side channels

    @Test func `D7 of fifty changes with the same state in view one wins`() throws {
        let path = "/my/appointments/22222222-2222-4222-8222-222222222222"
        let body = { @Sendable (title: String) in
            #"{"title": "\#(title)", "starts_at": "2026-11-24T08:00:00Z", "ends_at": "2026-11-24T08:50:00Z"}"#
        }
        #expect(portal.call(.put, path, body("erst"), as: .pia).status == 201)
        let tag = portal.call(.get, path, as: .pia).headers["ETag"] ?? ""
        let statuses = Self.atOnce(50) { [portal] index in
            portal.call(.put, path, body("Nummer \(index)"), as: .pia, ["If-Match": tag]).status
        }
        #expect(statuses.filter { $0 == 200 }.count == 1 && statuses.filter { $0 == 412 }.count == 49)
        #expect(try portal.count("appointments") == 1)
    }

    @Test func `H2 a change without the state in view is refused, and nothing is changed`() {
        let path = "/my/appointments/22222222-2222-4222-8222-222222222222"
        let body = #"{"title": "x", "starts_at": "2026-11-24T08:00:00Z", "ends_at": "2026-11-24T08:50:00Z"}"#
        let other = body.replacing("\"x\"", with: "\"y\"")
        #expect(portal.call(.put, path, body, as: .pia).status == 201)
        let before = portal.call(.get, path, as: .pia)
        #expect(portal.call(.put, path, other, as: .pia).status == 428)
        #expect(portal.call(.put, path, other, as: .pia, ["If-Match": "\"stale\""]).status == 412)
        #expect(portal.call(.get, path, as: .pia).bytes == before.bytes)
    }

    @Test func `H3 the same sheet twenty times at once is one sheet, and twenty same answers`() throws {
        let before = try portal.count("contributions")
        let body = SheetSample.sheetBody(assignment: portal.cast.assignment)
        let answers = Self.atOnce(20) { [portal] _ in
            portal.call(.put, SheetSample.path, body, as: .pia)
        }
        #expect(answers.allSatisfy { $0.status == 200 || $0.status == 201 })
        #expect(Set(answers.map(\.text)).count == 1)
        #expect(try portal.count("contributions") == before + 1)
    }

    @Test func `one code sent twice at once by one person pairs once`() throws {
        let statuses = Self.atOnce(2) { [portal] _ in
            let body =
                #"{"code": "\#(portal.cast.openCode)", "birth_date": "1990-01-01", "gender": "female"}"#
            return portal.call(.post, "/my/pairing", body, as: .nora).status
        }
        #expect(statuses.filter { $0 == 201 }.count == 1)
    }

    @Test func `D8 lists and searches tell nothing of another's patients`() {
        let list = portal.call(.get, "/patients", as: .ben)
        #expect(list.json["meta"]?["total"] == .number(1))
        let before = (list.bytes, list.headers["ETag"])
        for query in ["C000001", "Notiz", portal.cast.therapies[.pia]?.text ?? ""] {
            #expect(!portal.get("/patients?q=\(query)", as: .ben).text.contains("C000001</"), "\(query)")
        }
        _ = portal.call(.post, "/patients", #"{"codename": "AB1234"}"#, as: .ada)
        let after = portal.call(.get, "/patients", as: .ben)
        #expect(after.bytes == before.0 && after.headers["ETag"] == before.1)
    }

    // MARK: E: retention

    @Test func `E11 what has run out is gone`() throws {
        _ = portal.call(.post, "/auth/password/forgot", #"{"email": "pia@example.org"}"#)
        _ = portal.call(.post, "/patients", "{}", as: .ada)
        // A token that has run out tells strangers from its account for 90 days more, and opens nothing (RP-205).
        portal.wait(days: 120)
        Housekeeping.run(portal.services)
        let left = try portal.services.records.read { connection in
            try connection.count("SELECT count(*) FROM credentials WHERE kind <> 'token'")
        }
        #expect(left == 0)
        portal.wait(days: 90)
        Housekeeping.run(portal.services)
        for table: StaticString in ["credentials", "password_resets", "known_browsers", "known_addresses"] {
            #expect(try portal.count(table) == 0, "\(table)")
        }
        let codes = try portal.services.records.read { connection in
            try connection.count("SELECT count(*) FROM pairing_codes WHERE code IS NOT NULL")
        }
        #expect(codes == 0)
    }

    // MARK: F: logs and errors

    @Test func `F4 what comes from outside stays on its line`() {
        let evil = "x\r\n{\"level\":\"admin\"}\u{0}\u{1b}[31m"
        _ = portal.send(.get, "/login?lang=%0d%0a%7b", ["User-Agent": evil, "X-Request-Id": evil])
        _ = portal.call(.post, "/auth/login", #"{"email": "a\r\n{\"level\":1}@b.de", "password": "x"}"#)
        #expect(portal.logged.count == 2)
        for line in portal.logged {
            #expect(line.filter { $0 == "\n" }.count == 1 && line.hasSuffix("\n"))
            #expect((try? JSON.parse(Array(line.utf8)))?["level"] == .string("info"))
            #expect(!line.contains("admin") && !line.contains("\u{1b}"))
        }
    }

    @Test(arguments: [
        "{", "[]", "null", #"{"email": 1e308, "password": {}}"#, #"{"email": "'; DROP TABLE accounts; --"}"#,
        #"{"email": ["a"], "password": 99999999999999999999999999}"#, "\u{feff}{}", #"{"a": "\ud800"}"#,
    ]) func `F6 errors tell nothing of what is inside`(body: String) {
        let response = portal.call(.post, "/auth/login", body)
        #expect((400..<500).contains(response.status))
        #expect(response.json["message"]?.string?.isEmpty == false)
        for word in ["SELECT", "sqlite", "SQLite", ".swift", "/work", "Error(", "Optional("] {
            #expect(!response.text.contains(word), "\(word)")
        }
    }

    @Test func `F6 a defect says nothing but a reference that is in the log`() throws {
        // A sealed cell that was tampered with is an unplanned error.
        try portal.services.records.writeUnaudited(.madeUp) {
            try $0.run("UPDATE therapies SET note = \([0] as [UInt8])")
        }
        let pia = portal.cast.therapies[.pia] ?? ""
        let call = portal.call(.get, "/patients/\(pia)", as: .ada)
        #expect(call.status == 500)
        let reference = try #require(call.text.firstMatch(of: /[0-9a-f]{8}/)).output
        #expect(portal.logged.contains { $0.contains("\"defect\"") && $0.contains(reference) })
        let page = portal.get("/patients/\(pia)", as: .ada)
        #expect(page.status == 500 && !page.text.contains("SealBroken") && page.text.contains("<h1>"))
    }
}
