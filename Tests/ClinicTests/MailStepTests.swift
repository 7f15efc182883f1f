import Foundation
import HTTP
import NetworkTesting
import Testing

@testable import PortalTesting
@testable import Records
@testable import Web

/// FD-35: mail is called done once a server has taken one, not once a server is named.
@Suite struct MailStepTests {
    private func step(_ portal: TestPortal) -> Substring {
        let page = portal.get("/welcome", as: .uma).text
        let from = page.range(of: "E-Mail <span")?.lowerBound ?? page.startIndex
        return page[from...].prefix { $0 != "/" }
    }

    @Test func `FD-35 a test mail shows whether the named server takes mails`() throws {
        let server = try LocalMailServer(refusing: ["uma@example.org": "554 5.7.1 relay access denied"])
        defer { server.stop() }
        let portal = try TestPortal { $0.smtpURL = "smtp://name:geheim@127.0.0.1:\(server.port)" }
        #expect(step(portal).contains("offen"))
        #expect(portal.get("/welcome", as: .uma).text.contains("action=\"/welcome/mail\""))
        let refused = portal.post("/welcome/mail", as: .uma)
        #expect(refused.status == 422)
        #expect(refused.text.contains("nicht angenommen: 554") && !refused.text.contains("geheim"))
        #expect(step(portal).contains("offen"))
        server.refuse([:])
        let sent = portal.post("/welcome/mail", as: .uma)
        #expect(sent.status == 303 && sent.headers["Location"] == "/welcome")
        #expect(server.taken == ["uma@example.org"] && step(portal).contains("erledigt"))
        #expect(try portal.count("mails") == 0)
        // The others neither see the button nor may press it.
        #expect(!portal.get("/welcome", as: .ada).text.contains("/welcome/mail"))
        #expect(portal.post("/welcome/mail", as: .ada).status == 403)
    }

    @Test func `FD-35 a mail that was taken is as good as a test, and another server is not proved by it`()
        throws
    {
        let server = try LocalMailServer()
        defer { server.stop() }
        let portal = try TestPortal { $0.smtpURL = "smtp://127.0.0.1:\(server.port)" }
        let forgot = #"{"email": "pia@example.org"}"#
        #expect(portal.call(.post, "/auth/password/forgot", forgot).status == 202)
        portal.services.postman.run(from: "http://example.org", at: portal.now)
        #expect(step(portal).contains("erledigt"))
        let proved = try portal.services.records.read { try InstallationStore.provedRelay($0) }
        #expect(proved == Array("127.0.0.1:\(server.port)".utf8))
        try portal.services.records.writeUnaudited(.madeUp) {
            try InstallationStore.setProvedRelay(Array("mail.example.org:587".utf8), $0)
        }
        #expect(step(portal).contains("offen"))
    }
}
