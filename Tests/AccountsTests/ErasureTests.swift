import Database
import Foundation
import HTTP
import Testing
import Wire

@testable import Accounts
@testable import Identity
@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Web

/// IO-17, E6: an account goes for good.
@Suite struct ErasureTests {
    let portal: TestPortal

    init() throws { portal = try TestPortal() }

    func erase(_ password: String = Cast.password, as person: Person = .pia) -> Response {
        portal.call(.delete, "/my/account", #"{"password": "\#(password)"}"#, as: person)
    }

    /// Fills what a patient can fill, and sets a rule off.
    func live() {
        let id = "22222222-2222-4222-8222-222222222222"
        let appointment =
            #"{"title": "Therapie", "starts_at": "2026-11-24T08:00:00Z", "ends_at": "2026-11-24T08:50:00Z"}"#
        #expect(portal.call(.put, "/my/appointments/\(id)", appointment, as: .pia).status == 201)
        #expect(portal.call(.put, "/my/vault", #"{"ciphertext": "AAEC"}"#, as: .pia).status == 200)
        let draft = #"{"answers": {"came_back": 2}}"#
        #expect(portal.call(.put, "/my/drafts/\(portal.cast.assignment)", draft, as: .pia).status == 201)
        let rule =
            #"{"name": "x", "conditions": [{"kind": "score", "questionnaire_key": "between-sessions", "item": "intensity", "comparison": "at_least", "value": 0}], "alert": "x", "briefing": "x", "enabled": true}"#
        #expect(portal.call(.post, "/rules", rule, as: .ada).status == 201)
        let sheet = SheetSample.sheetBody(assignment: portal.cast.assignment)
        #expect(portal.call(.put, SheetSample.path, sheet, as: .pia).status == 201)
        _ = portal.call(.post, "/auth/password/forgot", #"{"email": "pia@example.org"}"#)
    }

    static let tables: [StaticString] = [
        "contributions", "contribution_scores", "appointments", "interventions", "vaults", "answer_drafts",
        "rule_firings", "rule_evidence", "alerts", "assignments", "quarantined_sheets", "delivery_rules",
        "therapy_sessions", "password_resets", "pauses",
    ]

    @Test func `E6 rows, keys, mails and all go; an audit line without a name stays`() throws {
        live()
        for table in Self.tables where "\(table)" != "answer_drafts" {
            #expect(try portal.count(table) > 0, "\(table)")
        }
        #expect(try portal.mails().count == 1)
        let account = portal.cast.accounts[.pia] ?? ""
        let therapy = portal.cast.therapies[.pia] ?? ""
        let keys = try portal.services.records.read { connection in
            try connection.all(
                """
                SELECT wrapped_key FROM accounts WHERE id = \(account)
                UNION ALL SELECT wrapped_key FROM therapies WHERE id = \(therapy)
                """
            ) { row in try row[0] as [UInt8] }
        }
        #expect(keys.count == 2)
        let accounts = try portal.count("accounts")
        let therapies = try portal.count("therapies")
        #expect(erase().status == 204)
        for table in Self.tables { #expect(try portal.count(table) == 0, "\(table)") }
        #expect(try portal.count("accounts") == accounts - 1 && portal.count("therapies") == therapies - 1)
        #expect(try portal.mails().isEmpty)
        #expect(portal.call(.get, "/my/profile", as: .pia).status == 401)
        #expect(portal.get("/patients/\(therapy)", as: .ada).status == 404)
        #expect(portal.get("/patients", as: .ada).status == 200 && portal.get("/", as: .ada).status == 200)
        let last = try portal.services.records.read { connection in
            try connection.first(
                "SELECT action, actor_id, subject_id, object_id FROM audit_log WHERE action = 'account.erased'"
            ) { row in [try row[0] as String?, try row[1], try row[2], try row[3]] }
        }
        #expect(last == ["account.erased", nil, nil, nil])
        // The wrapped keys are in no file any more, so what an undelete would find cannot be read.
        portal.services.close()
        for end in ["", "-wal"] {
            let path = portal.services.settings.databasePath + end
            let data = FileManager.default.contents(atPath: path) ?? Data()
            for key in keys { #expect(data.range(of: Data(key)) == nil, "\(end)") }
        }
    }

    @Test func `mails to an address that was mistyped go too`() throws {
        let mended = portal.call(
            .patch, "/auth/registration", #"{"email": "tess@example.com"}"#, as: .tess)
        #expect(mended.status == 200)
        _ = portal.call(.patch, "/auth/registration", #"{"email": "tess@example.net"}"#, as: .tess)
        #expect(try portal.mails().count == 2)
        let tess = portal.cast.accounts[.tess] ?? ""
        let now = portal.now
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            try connection.run("UPDATE accounts SET verified_at = \(now) WHERE id = \(tess)")
            try connection.run("UPDATE credentials SET kind = 'token' WHERE account_id = \(tess)")
        }
        #expect(erase(as: .tess).status == 204)
        #expect(try portal.mails().isEmpty)
    }

    @Test(.onSQLite) func `an old copy brings nobody back`() throws {
        let copy = portal.services.settings.data + "/copy.sqlite"
        try Operations.backUp(portal.services.settings, to: copy)
        #expect(erase().status == 204)
        portal.services.close()
        let path = portal.services.settings.databasePath
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
        try FileManager.default.moveItem(atPath: copy, toPath: path)
        let services = try Services(portal.services.settings, gate: Cast.gate, log: .silent)
        defer { services.close() }
        let pia = portal.cast.accounts[.pia] ?? ""
        let isThere = { try services.records.read { try AccountStore.find(pia, $0) } != nil }
        #expect(try isThere())
        try Erasure.repeatAll(services)
        #expect(try !isThere())
        let mode = try FileManager.default.attributesOfItem(atPath: portal.services.settings.erasedPath)
        #expect((mode[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test func `E7 only with the password, only a patient`() throws {
        #expect(erase("falsch geraten, ganz sicher").wrongFields == ["password"])
        #expect(portal.call(.delete, "/my/account", "{}", as: .pia).wrongFields == ["password"])
        #expect(erase(as: .ada).status == 403)
        #expect(portal.call(.get, "/my/profile", as: .pia).status == 200)
    }
}
