import Database
import Foundation
import HTTP
import JSON
import Outbound
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Web

@Suite struct APITests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    @Test func `404, 405 with Allow, HEAD, and errors in the language asked for`() {
        #expect(portal.call(.get, "/nonsense").status == 404)
        let wrong = portal.call(.delete, "/auth/login")
        #expect(wrong.status == 405 && wrong.headers["Allow"] == "POST")
        #expect(portal.call(.post, "/health").headers["Allow"] == "GET, HEAD")
        #expect(portal.call(.head, "/health").status == 200)
        #expect(portal.call(.get, "/my/profile").json["message"] == .string("Bitte melden Sie sich an."))
        #expect(
            portal.call(.get, "/my/profile", nil, as: .nobody, ["Accept-Language": "fr"]).json["message"]
                == .string("Please sign in."))
    }

    @Test(arguments: [
        ("/nowhere", 404), ("/admin/accounts", 403), ("/patients/x", 404), ("/rules/x/return", 405),
    ])
    func `a page of the portal that says no keeps the navigation of whoever is signed in`(
        path: String, status: Int
    ) {
        let inside = portal.get(path, as: .ada)
        #expect(inside.status == status)
        #expect(inside.text.contains(#"<nav class="navigation""#) && inside.text.contains("Ada Lindner"))
        #expect(inside.text.contains(status == 404 ? "Seite nicht gefunden" : "Das hat nicht geklappt"))
    }

    @Test func `nobody is shown a navigation, and calls say in their own words what is missing`() {
        let outside = portal.get("/nowhere", as: .nobody)
        #expect(outside.status == 404 && !outside.text.contains("navigation__entry"))
        #expect(portal.call(.get, "/nowhere").json["message"] == .string("Das wurde nicht gefunden."))
    }

    @Test func `what is too large says how large it may be`() {
        let head = RequestHead(
            method: .post, rawTarget: "/api/v1/auth/login", target: Target("/api/v1/auth/login"), headers: [:]
        )
        let answer = portal.pipeline.refuse(head, status: 413)
        #expect(answer.json["message"] == .string("Die Eingabe ist zu groß (höchstens 16 KB)."))
    }

    @Test func `errors keep their shape, and gain members where problem+json is asked for`() {
        let plain = portal.call(.get, "/my/profile")
        #expect(
            plain.headers["Content-Type"] == "application/json; charset=utf-8"
                && plain.json["errors"] == .object([]) && plain.json["type"] == nil)
        let problem = portal.call(
            .get, "/my/profile", nil, as: .nobody, ["Accept": "application/problem+json"])
        #expect(
            problem.headers["Content-Type"]?.hasPrefix("application/problem+json") == true
                && problem.json["status"] == .number(401))
        #expect(problem.json["message"] == plain.json["message"])
    }

    @Test func `a body of nothing but mistakes is answered as fast as any, with the first hundred`() {
        let many = (0..<3_000).map { "\"k\($0)\": 1" }.joined(separator: ",")
        #expect(portal.call(.post, "/auth/login", "{\(many)}").wrongFields.count == 100)
        #expect(portal.call(.post, "/questionnaires/import", "{\(many)}", as: .ada).wrongFields.count == 100)
    }

    @Test func `calls that take nothing refuse fields too`() {
        #expect(
            portal.call(.post, "/patients/\(portal.cast.openTherapy)/pairing-code", #"{"x": 1}"#, as: .ada)
                .wrongFields == ["x"])
        #expect(portal.call(.get, "/pairing-codes/\(portal.cast.openCode)", as: .nora).status == 200)
        #expect(portal.call(.post, "/auth/logout", #"{"x": 1}"#, as: .pia).status == 422)
    }

    @Test func `A8 whoever has no token may bring little`() {
        let limit = { (path: String, headers: Headers) in
            portal.pipeline.bodyLimit(
                for: RequestHead(method: .post, rawTarget: path, target: Target(path), headers: headers))
        }
        #expect(limit("/api/v1/auth/login", ["Authorization": "Bearer x"]) == 16_384)
        #expect(limit("/api/v1/my/contributions/1", [:]) == 65_536)
        #expect(limit("/api/v1/my/contributions/1", ["Authorization": "Bearer x"]) == 1_048_576)
        #expect(limit("/login", [:]) == 16_384 && limit("/profile", ["Cookie": "sid=x"]) == 262_144)
    }

    @Test func `A10 only a trusted proxy is believed, and of what it says only the last`() throws {
        let address = { (fields: [(String, String)], peer: String) in
            var headers = Headers()
            var settings = Settings()
            for field in fields { headers.append(field.0, field.1) }
            settings.trustedProxies = [AddressRange("10.0.0.1")].compactMap(\.self)
            return ClientAddress.of(
                Request(method: .get, target: try #require(Target("/")), headers: headers, peer: peer),
                settings)
        }
        #expect(try address([("X-Forwarded-For", "1.2.3.4")], "192.0.2.1") == "192.0.2.1")
        #expect(try address([("X-Forwarded-For", "6.6.6.6, 1.2.3.4")], "10.0.0.1") == "1.2.3.4")
        #expect(
            try address([("X-Forwarded-For", "6.6.6.6"), ("x-forwarded-for", "1.2.3.4")], "10.0.0.1")
                == "1.2.3.4")
        #expect(try address([("X-Forwarded-For", "nonsense")], "10.0.0.1") == "10.0.0.1")
        #expect(try address([], "2001:db8:1:2:3:4:5:6") == address([], "2001:db8:1:2:ffff::1"))
    }

    @Test func `paths that are none are answered in the form of the API`() {
        let head = RequestHead(method: .get, rawTarget: "/api/v1/%zz", target: nil, headers: [:])
        let refusal = portal.pipeline.refuse(head, status: 400)
        #expect(
            refusal.status == 400 && refusal.json["message"] != nil && refusal.json["errors"] == .object([]))
        #expect(
            portal.call(.get, "/patients/", as: .ada).status == 404
                && portal.call(.get, "//patients", as: .ada).json["message"] != nil)
    }

    @Test func `each token has its limit, and the health check none`() throws {
        let portal = try TestPortal { $0.requestsPerMinute = 5 }
        for _ in 0..<5 { #expect(portal.call(.get, "/my/profile", as: .pia).status == 200) }
        #expect(portal.call(.get, "/my/profile", as: .pia).status == 429)
        #expect(portal.call(.get, "/my/profile", as: .quinn).status == 200)
        for _ in 0..<20 { #expect(portal.call(.get, "/health").status == 200) }
        #expect(
            portal.call(.get, "/openapi.json").status == 200
                && portal.call(.get, "/openapi.json").status == 200)
        #expect(portal.call(.get, "/openapi.json").status == 429)
    }

    @Test func `F5 E10 the log holds patterns, never paths, tokens or bodies`() {
        let pia = portal.cast.therapies[.pia] ?? ""
        _ = portal.call(
            .get, "/patients/\(pia)?secret=1", as: .ada, ["User-Agent": "x\r\n{\"level\":\"admin\"}"])
        _ = portal.call(
            .post, "/auth/login", #"{"email": "pia@example.org", "password": "wrong horse battery"}"#)
        let log = portal.logged.joined()
        #expect(log.contains("\"route\":\"/api/v1/patients/:patient\""))
        for secret in [pia.text, "secret", "pia@", "horse", "admin", portal.cast.tokens[.ada] ?? "-"] {
            #expect(!log.contains(secret), "\(secret)")
        }
        #expect(portal.logged.allSatisfy { $0.hasSuffix("\n") && $0.filter { $0 == "\n" }.count == 1 })
    }

    @Test func `F1 the audit log cannot be changed or shortened`() throws {
        for statement in ["UPDATE audit_log SET action = 'x'", "DELETE FROM audit_log"] as [SQL] {
            #expect(portal.call(.post, "/patients", "{}", as: .ada).status == 201)
            #expect(throws: DatabaseError.self) {
                try portal.services.records.writeUnaudited(.madeUp) { try $0.run(statement) }
            }
        }
    }

    @Test func `E2 other keys than the database's stop the start`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "keys-\(UUID().uuidString)"
        ).path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.copyItem(atPath: Cast.shared.folder, toPath: folder)
        try Data(repeating: 7, count: 32).write(to: URL(fileURLWithPath: folder + "/keys/master.key"))
        #expect(throws: StartError.self) {
            try Services(Cast.settings(folder), gate: Cast.gate, log: .silent)
        }
    }

    @Test func `E2 a database without its key is not given a new one`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "keyless-\(UUID().uuidString)"
        ).path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.copyItem(atPath: Cast.shared.folder, toPath: folder)
        try FileManager.default.removeItem(atPath: folder + "/keys/master.key")
        #expect(throws: StartError.self) {
            try Services(Cast.settings(folder), gate: Cast.gate, log: .silent)
        }
        #expect(!FileManager.default.fileExists(atPath: folder + "/keys/master.key"))
    }

    @Test func `E3 a sealed cell moved to another row does not open`() throws {
        let pia = portal.cast.therapies[.pia] ?? ""
        let open = portal.cast.openTherapy
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            let note: [UInt8]? = try connection.value("SELECT note FROM therapies WHERE id = \(open)")
            try connection.run("UPDATE therapies SET note = \(note) WHERE id = \(pia)")
        }
        let answer = portal.call(.get, "/patients/\(pia)", as: .ada)
        #expect(answer.status == 500 && !answer.text.contains("Notiz zu"))
        #expect(answer.json["message"]?.string?.contains("Kennung") == true)
    }
}
