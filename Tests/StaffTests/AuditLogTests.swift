import Foundation
import HTTP
import JSON
import Records
import Testing
import Wire

@testable import PortalTesting
@testable import Therapies
@testable import Web
@testable import Wording

/// The audit log as administrators read it.
@Suite struct AuditLogTests {
    let portal: TestPortal
    let pia: ID<Therapy>

    init() throws {
        portal = try TestPortal()
        pia = portal.cast.therapies[.pia] ?? ""
        _ = portal.get("/patients/\(pia)", as: .ada)
        _ = portal.call(.patch, "/patients/\(pia)", #"{"note": "Angst im Aufzug"}"#, as: .ada)
        _ = portal.call(.post, "/auth/login", #"{"email": "ben@example.org", "password": "falsch"}"#)
    }

    @Test func `it names who, what and when, and nothing clinical`() {
        let page = portal.get("/admin/audit-log", as: .uma).text
        #expect(page.contains("Ada Lindner") && page.contains("Akte angesehen"))
        #expect(page.contains("Anmeldung misslungen") && page.contains("Ben Steiner"))
        #expect(!page.contains("Angst im Aufzug") && !page.contains("C000001") && !page.contains("pia@"))
        let call = portal.call(.get, "/audit-log", as: .uma)
        #expect(call.list.count == 3 && !call.text.contains("Angst"))
        #expect(portal.get("/admin/audit-log", as: .ada).status == 403)
    }

    @Test func `it is filtered by person, kind and day`() {
        let ada = portal.cast.accounts[.ada] ?? ""
        #expect(portal.call(.get, "/audit-log?action=patient.changed", as: .uma).list.count == 1)
        #expect(portal.call(.get, "/audit-log?actor=\(ada)", as: .uma).list.count == 2)
        #expect(portal.call(.get, "/audit-log?since=2026-11-20&until=2026-11-20", as: .uma).list.count == 3)
        #expect(portal.call(.get, "/audit-log?since=2026-11-21", as: .uma).list.isEmpty)
        #expect(portal.call(.get, "/audit-log?since=gestern", as: .uma).wrongFields == ["since"])
        #expect(portal.get("/admin/audit-log?since=2026-11-21&until=2026-11-20", as: .uma).status == 422)
        let kept = portal.get("/admin/audit-log?action=patient.changed", as: .uma).text
        #expect(kept.contains("value=\"patient.changed\" selected") && kept.contains("1 Eintrag"))
    }

    @Test func `pages lead on to older ones without a gap`() throws {
        for _ in 0..<60 { _ = portal.call(.post, "/patients", "{}", as: .ada) }
        let first = portal.get("/admin/audit-log?action=patient.created", as: .uma).text
        let next = try #require(first.firstMatch(of: /href="(\/admin\/audit-log\?[^"]*before=\d+)"/))
        let second = portal.get(String(next.1).replacing("&amp;", with: "&"), as: .uma).text
        #expect(first.matches(of: /<th scope="row">/).count == 50)
        #expect(
            second.matches(of: /<th scope="row">/).count == 10 && !second.contains("rel=\"next\"")
                && second.contains("href=\"/admin/audit-log?action=patient.created\""))
        var numbers: [Double] = []
        var path: String? = "/audit-log?limit=25"
        while let here = path {
            let page = portal.call(.get, here, as: .uma)
            numbers += page.list.compactMap { $0["attributes"]?["number"]?.number }
            path = page.json["meta"]?["next"]?.string.map { String($0.dropFirst("/api/v1".count)) }
        }
        #expect(numbers == (1...63).reversed().map(Double.init))
    }

    @Test func `the file holds what the page shows, and that it was taken is a line itself`() throws {
        let file = portal.post("/admin/audit-log/export", [("action", "patient.changed")], as: .uma)
        #expect(file.headers["Content-Disposition"] == "attachment; filename=\"audit-log.csv\"")
        let lines = file.text.components(separatedBy: "\r\n")
        #expect(lines.count == 3 && lines[0] == "at,actor,action,subject,object" && lines[2].isEmpty)
        #expect(lines[1] == "\(portal.now.text),Ada Lindner,patient.changed,\(pia),")
        #expect(try portal.audit().last == "audit_log.exported")
        #expect(portal.post("/admin/audit-log/export", as: .ada).status == 403)
    }

    @Test func `every action has its words`() throws {
        let root = Cast.root + "/Sources"
        let files = try FileManager.default.subpathsOfDirectory(atPath: root).filter {
            $0.hasSuffix(".swift")
        }
        let names = try files.flatMap { path in
            try String(contentsOfFile: root + "/" + path, encoding: .utf8)
                .matches(of: /AuditAction\(name: "([a-z_.]+)"/).map { String($0.1) }
        }
        let texts = try Texts(.german, folder: Cast.root + "/templates/texts")
        #expect(names.count > 70)
        for name in names {
            #expect(texts.keys.contains("audit.\(name.replacing(".", with: "_"))"), "\(name)")
        }
    }
}
