import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Staff
@testable import Therapies
@testable import Web

/// F1, F2, F3: what was done is written down, and cannot be changed without a trace.
@Suite struct AuditTests {
    let portal: TestPortal
    let pia: ID<Therapy>

    init() throws {
        portal = try TestPortal()
        pia = portal.cast.therapies[.pia] ?? ""
    }

    func lines() throws -> [AuditLine] {
        try portal.services.records.read { connection in
            try connection.all("SELECT * FROM audit_log ORDER BY id")
        }
    }

    /// What stands in a line about Pia, in clear.
    func values(_ action: String) throws -> AuditChange.Values {
        let line = try #require(try lines().last { $0.action == action })
        let therapy = try portal.services.records.read { [pia] in try TherapyStore.find(pia, $0) }
        let key = try #require(therapy).key(portal.services.keys)
        return try AuditChange.open(#require(line.change), about: key, at: line.at)
    }

    /// Some of everything a therapist does.
    func work() {
        let task = #"{"kind": "task", "text": "Spazieren"}"#
        let given = portal.call(.post, "/patients/\(pia)/interventions", task, as: .ada)
        _ = portal.call(
            .patch, "/patients/\(pia)/interventions/\(given.id)", #"{"text": "Schwimmen"}"#, as: .ada)
        _ = portal.call(
            .patch, "/patients/\(pia)", #"{"note": "neu", "therapy_ends_on": "2027-01-31"}"#, as: .ada)
        _ = portal.call(
            .patch, "/patients/\(pia)/sessions/\(portal.cast.session)", #"{"state": "missed"}"#, as: .ada)
        _ = portal.call(.delete, "/patients/\(pia)/assignments/\(portal.cast.assignment)", as: .ada)
    }

    @Test func `F1 every change says who, when, what, old and new`() throws {
        work()
        let ada = portal.cast.accounts[.ada]
        let written = try lines().filter { $0.action != "file.viewed" }
        #expect(
            written.map(\.action) == [
                "intervention.given", "intervention.changed", "patient.changed", "session.marked",
                "assignment.withdrawn",
            ])
        #expect(written.allSatisfy { $0.actor == ada && $0.subject == pia.text && $0.at == portal.now })
        let text = try values("intervention.changed")
        #expect(text.before == ["text": "Spazieren"] && text.after == ["text": "Schwimmen"])
        let patient = try values("patient.changed")
        #expect(patient.before == ["note": "Notiz zu C000001"])
        #expect(patient.after == ["note": "neu", "ends_on": "2027-01-31"])
        let session = try values("session.marked")
        #expect(session.before == ["state": "held"] && session.after == ["state": "missed"])
        #expect(try values("assignment.withdrawn").before.keys.contains("due_at"))
    }

    @Test func `F1 a line can be neither changed nor deleted`() throws {
        work()
        for statement: SQL in ["UPDATE audit_log SET action = 'x'", "DELETE FROM audit_log"] {
            #expect(throws: DatabaseError.self) {
                try portal.services.records.writeUnaudited(.madeUp) { try $0.run(statement) }
            }
        }
    }

    private func dropTriggers() throws {
        for name in ["audit_log_no_update", "audit_log_no_delete"] {
            try portal.dropTrigger(name, on: "audit_log")
        }
    }

    static let damages: [(String, SQL)] = [
        ("another action", "UPDATE audit_log SET action = 'patient.viewed' WHERE id = 3"),
        ("another person", "UPDATE audit_log SET actor_id = NULL WHERE id = 3"),
        ("another time", "UPDATE audit_log SET at = at + 1 WHERE id = 3"),
        ("a change dropped", "UPDATE audit_log SET change = NULL WHERE id = 3"),
        ("a link dropped", "UPDATE audit_log SET hash = NULL WHERE id = 3"),
        ("a line taken out", "DELETE FROM audit_log WHERE id = 3"),
        (
            "a line put in",
            "INSERT INTO audit_log (id, at, action) SELECT 100, at, action FROM audit_log WHERE id = 3"
        ),
    ]

    @Test(arguments: damages.indices) func `F2 whatever is changed in it, verify names the line`(index: Int)
        throws
    {
        work()
        let settings = portal.services.settings
        #expect(try Operations.verify(settings, file: nil) == [])
        try dropTriggers()
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            try connection.run(Self.damages[index].1)
        }
        portal.services.close()
        let found = try Operations.verify(settings, file: nil).filter { !$0.hasPrefix("trigger ") }
        #expect(found.count == 1 && found.first?.contains("audit log was changed") == true)
        let line = index == 5 ? "line 4" : index == 6 ? "line 100" : "line 3"
        #expect(found.first?.contains(line) == true, "\(Self.damages[index].0): \(found)")
    }

    static let cuts: [(String, [SQL])] = [
        ("lines cut off at the end", ["DELETE FROM audit_log WHERE id > 2"]),
        ("an empty log", ["DELETE FROM audit_log"]),
        (
            "a chain begun anew",
            [
                "UPDATE audit_log SET hash = NULL",
                "UPDATE audit_log SET action = 'patient.viewed' WHERE id = 2",
            ]
        ),
    ]

    @Test(arguments: cuts.indices) func `F2 what is cut off or unchained shows by the anchor beside the keys`(
        index: Int
    ) throws {
        work()
        let settings = portal.services.settings
        try AuditAnchor.set(portal.services.records, settings)
        try dropTriggers()
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            for statement in Self.cuts[index].1 { try connection.run(statement) }
        }
        let found = try Operations.verify(settings, file: nil)
        #expect(found.last?.contains("audit log was changed") == true, "\(Self.cuts[index].0)")
    }

    @Test func `F3 lists that show what is in files are visits too`() throws {
        _ = portal.get("/", as: .ada)
        #expect(
            try lines().contains {
                $0.action == "file.viewed" && $0.subject == pia.text && $0.object == "today"
            })
    }

    @Test func `F2 the chain stays whole when a person is erased, and nobody reads the values any more`()
        throws
    {
        work()
        let password = #"{"password": "\#(Cast.password)"}"#
        #expect(portal.call(.delete, "/my/account", password, as: .pia).status == 204)
        #expect(try lines().contains { $0.change != nil })
        #expect(try Operations.verify(portal.services.settings, file: nil) == [])
    }

    @Test func `F3 looking at a file is written down once an hour and part of it`() throws {
        for _ in 0..<3 {
            _ = portal.get("/patients/\(pia)", as: .ada)
            _ = portal.get("/patients/\(pia)/timeline", as: .ada)
            _ = portal.call(.get, "/patients/\(pia)/scores", as: .ada)
        }
        var views = try lines().filter { $0.action == "file.viewed" }
        #expect(views.map(\.object) == ["overview", "timeline", "scores"])
        #expect(views.allSatisfy { $0.subject == pia.text && $0.actor == portal.cast.accounts[.ada] })
        try portal.wait(awake: 1)
        _ = portal.get("/patients/\(pia)", as: .ada)
        views = try lines().filter { $0.action == "file.viewed" }
        #expect(views.count == 4)
    }

    @Test func `F3 who is turned away is written down, and who cannot sign in`() throws {
        #expect(portal.get("/patients/\(pia)", as: .ben).status == 404)
        #expect(portal.get("/admin/accounts", as: .ada).status == 403)
        let denied = try lines().filter { $0.action == "access.denied" }
        #expect(denied.map(\.object) == ["/patients/:patient", "/admin/accounts"])
        #expect(denied.map(\.actor) == [portal.cast.accounts[.ben], portal.cast.accounts[.ada]])
        let wrong = #"{"email": "ada@example.org", "password": "falsch"}"#
        #expect(portal.call(.post, "/auth/login", wrong).status == 401)
        #expect(try lines().last?.action == "account.sign_in_failed")
    }

    @Test func `the therapist reads old and new values and reasons, and nobody else`() throws {
        work()
        let page = portal.get("/patients/\(pia)/audit-log", as: .ada).text
        #expect(
            page.contains("Text: Spazieren → Schwimmen") && page.contains("Notiz: Notiz zu C000001 → neu"))
        #expect(page.contains("Zustand: stattgefunden → nicht erschienen"))
        #expect(page.contains("Geplantes Ende: – → 31.01.2027"))
        #expect(portal.get("/patients/\(pia)/audit-log", as: .ben).status == 404)
        let form = [("codename", "C000001"), ("ended_on", "2026-11-20"), ("reason", "Umzug")]
        #expect(portal.post("/patients/\(pia)/end-therapy", form, as: .ada).status == 303)
        #expect(portal.get("/patients/\(pia)/audit-log", as: .ada).text.contains("Grund: Umzug"))
        #expect(!portal.get("/admin/audit-log", as: .uma).text.contains("Umzug"))
    }

    @Test func `a patient reads who has looked at their data`() throws {
        #expect(portal.call(.get, "/my/access-log", as: .pia).list.isEmpty)
        _ = portal.get("/patients/\(pia)/timeline", as: .ada)
        _ = portal.get("/patients/\(pia)", as: .ben)
        _ = portal.call(.get, "/my/export", as: .pia)
        let seen = portal.call(.get, "/my/access-log", as: .pia)
        #expect(seen.list.count == 1)
        let first = seen.list.first?["attributes"]
        #expect(first?["by"] == .string("Ada Lindner") && first?["area"] == .string("timeline"))
        #expect(portal.call(.get, "/my/access-log", as: .quinn).list.isEmpty)
    }

    @Test func `who looked while a pairing lasted that was undone is still told, and nobody after`() throws {
        let new = portal.call(.post, "/patients", "{}", as: .ada)
        let code = new.attributes["pairing_code"]?["code"]?.string ?? ""
        let body = { (code: String) in #"{"code": "\#(code)", "birth_date": "1990-01-01", "gender": "male"}"#
        }
        #expect(portal.call(.post, "/my/pairing", body(code), as: .nora).status == 201)
        _ = portal.get("/patients/\(new.id)", as: .ada)
        #expect(portal.call(.post, "/patients/\(new.id)/pairing/undo", as: .ada).status == 204)
        try portal.wait(awake: 1)
        _ = portal.get("/patients/\(new.id)/timeline", as: .ada)
        let seen = portal.call(.get, "/my/access-log", as: .nora).list
        #expect(seen.map { $0["attributes"]?["area"] } == [.string("overview")])
    }

    // MARK: Visits

    @Test func `18 looks at one file within a minute are one line of the trail, and the log keeps each`()
        throws
    {
        let parts = ["", "/timeline", "/briefing", "/contributions", "/appointments", "/deliveries"]
        for _ in 0..<3 {
            for part in parts { _ = portal.get("/patients/\(pia)\(part)", as: .ada) }
            portal.wait(seconds: 10)
        }
        let page = portal.get("/patients/\(pia)/audit-log", as: .ada).text
        #expect(page.matches(of: /Akte angesehen/).count == 1)
        #expect(page.contains("Überblick, Zeitachse, Vorbereitung der Sitzung"))
        #expect(try lines().filter { $0.action == "file.viewed" }.count == parts.count + 1)
        let all = portal.get("/admin/audit-log?action=file.viewed", as: .uma).text
        #expect(all.matches(of: /<tr><th scope="row">/).count == 1)
        let seen = portal.call(.get, "/my/access-log", as: .pia).list
        #expect(seen.count == 1)
        let areas = seen.first?["attributes"]?["areas"]?.array?.compactMap(\.string) ?? []
        #expect(areas.count == parts.count + 1 && areas.first == "overview")
        #expect(seen.first?["attributes"]?["area"] == .string("overview"))
        #expect(try Operations.verify(portal.services.settings, file: nil) == [])
    }

    @Test func `another visit begins after a quarter of an hour, and with every change`() throws {
        _ = portal.get("/patients/\(pia)", as: .ada)
        portal.wait(seconds: 10 * 60)
        _ = portal.get("/patients/\(pia)/timeline", as: .ada)
        portal.wait(seconds: 16 * 60)
        _ = portal.get("/patients/\(pia)/briefing", as: .ada)
        let visits = AuditVisits(try lines().reversed()).list
        #expect(visits.map(\.areas) == [["briefing"], ["overview", "timeline"]])
        _ = portal.call(.patch, "/patients/\(pia)", #"{"note": "neu"}"#, as: .ada)
        _ = portal.get("/patients/\(pia)/deliveries", as: .ada)
        let after = AuditVisits(try lines().reversed()).list
        #expect(
            after.map(\.newest.action) == [
                "file.viewed", "patient.changed", "file.viewed", "file.viewed",
            ])
    }

    @Test func `visits are paged without losing or doubling a line`() throws {
        for day in 0..<60 {
            _ = portal.get("/patients/\(pia)", as: .ada)
            _ = portal.get("/patients/\(pia)/timeline", as: .ada)
            try portal.wait(awake: day < 59 ? 1 : 0)
        }
        let first = portal.get("/patients/\(pia)/audit-log", as: .ada).text
        let next = try #require(first.firstMatch(of: /audit-log\?before=(\d+)/)).1
        let second = portal.get("/patients/\(pia)/audit-log?before=\(next)", as: .ada).text
        let count = { (text: String) in text.matches(of: /Akte angesehen/).count }
        #expect(count(first) == 50 && count(second) == 10)
    }
}
