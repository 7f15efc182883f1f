import HTTP
import NetworkTesting
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Web

/// FD-35: an address that does not exist is not tried for a day, and the page names the invitation that did not
/// arrive.
@Suite struct UndeliveredTests {
    static let ivo = #"{"email": "ivo@exmaple.org", "name": "Ivo Moser", "roles": ["therapist"]}"#

    private func portal(_ server: LocalMailServer) throws -> TestPortal {
        try TestPortal { $0.smtpURL = "smtp://127.0.0.1:\(server.port)" }
    }

    private func run(_ portal: TestPortal) {
        portal.services.postman.run(from: "http://example.org", at: portal.now)
    }

    @Test(arguments: ["550 5.1.1 no such user", "551 not here", "553 5.1.3 no such name", "556 no mail here"])
    func `FD-35 an address that the server does not know ends the tries at once`(reply: String) throws {
        let server = try LocalMailServer(refusing: ["ivo@exmaple.org": reply])
        defer { server.stop() }
        let portal = try portal(server)
        let made = portal.call(.post, "/accounts", Self.ivo, as: .uma)
        #expect(made.status == 201, "\(made.text)")
        run(portal)
        #expect(server.connections == 1)
        for _ in 0..<3 {
            portal.wait(seconds: 3600)
            run(portal)
        }
        #expect(server.connections == 1)
        let stuck = try portal.services.records.read { try MailStore.stuck($0) }
        #expect(stuck.count == 1 && stuck.first?.nextTryAt == nil && stuck.first?.tries == 1)
        // Nothing waits, so health is not red for a slip of the hand.
        #expect(try portal.services.records.read { try MailStore.oldest($0) } == nil)
    }

    @Test func `FD-35 the invitation that did not arrive is named where the administrator looks`() throws {
        let server = try LocalMailServer(refusing: ["ivo@exmaple.org": "550 5.1.1 no such user"])
        defer { server.stop() }
        let portal = try portal(server)
        let id = portal.call(.post, "/accounts", Self.ivo, as: .uma).id
        let path = "/admin/accounts/\(id)"
        #expect(!portal.get("/admin/accounts", as: .uma).text.contains("Einladung nicht zugestellt"))
        run(portal)
        #expect(portal.get("/admin/accounts", as: .uma).text.contains("Einladung nicht zugestellt"))
        let page = portal.get(path, as: .uma).text
        #expect(page.contains("Die Einladung wurde nicht zugestellt: 550"), "\(page)")
        let system = portal.get("/admin/system", as: .uma).text
        #expect(system.contains("<a href=\"\(path)\">Einladung an Ivo Moser</a>"))
        // The mailbox is made meanwhile; the second invitation takes the place of the first.
        server.refuse([:])
        #expect(portal.post(path + "/invitation", as: .uma).status == 303)
        run(portal)
        #expect(server.taken == ["ivo@exmaple.org"])
        #expect(!portal.get("/admin/accounts", as: .uma).text.contains("Einladung nicht zugestellt"))
        #expect(!portal.get("/admin/system", as: .uma).text.contains("Ivo Moser"))
    }

    @Test(arguments: ["450 later", "552 mailbox full", "554 5.7.1 relay access denied"])
    func `FD-35 what may change is tried again, and a patient's address is nobody's business`(reply: String)
        throws
    {
        let server = try LocalMailServer(refusing: ["pia@example.org": reply])
        defer { server.stop() }
        let portal = try portal(server)
        #expect(
            portal.call(.post, "/auth/password/forgot", #"{"email": "pia@example.org"}"#).status == 202)
        run(portal)
        server.refuse([:])
        let system = portal.get("/admin/system", as: .uma).text
        #expect(system.contains("Nächster Versuch") && !system.contains("Pia") && !system.contains("pia@"))
        portal.wait(seconds: 60)
        run(portal)
        #expect(server.taken == ["pia@example.org"])
    }
}
