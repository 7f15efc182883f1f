import HTTP
import NetworkTesting
import SMTP
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Web

/// RP-13: what a mail server offers is asked in each conversation, and decides what it is sent.
@Suite struct MailServerOfferTests {
    private static let message = Array("Subject: x\r\n\r\nx\r\n".utf8)

    private func send(_ server: LocalMailServer, to recipient: String) throws {
        let relay = try #require(Relay("smtp://127.0.0.1:\(server.port)"))
        try relay.send(Self.message, from: "portal@clinic.example", to: recipient)
    }

    @Test func `RP-13 an address beyond ASCII is announced where the server offers it`() throws {
        let server = try LocalMailServer(offering: ["PIPELINING", "SMTPUTF8", "8BITMIME"])
        defer { server.stop() }
        try send(server, to: "jörg@bücher.example")
        #expect(server.taken == ["jörg@xn--bcher-kva.example"])
        #expect(server.senders.count == 1 && server.senders[0].hasSuffix(" SMTPUTF8"))
    }

    @Test(arguments: [[], ["PIPELINING", "8BITMIME", "XSMTPUTF8"]])
    func `RP-13 an address beyond ASCII is not sent where the server does not offer it`(offers: [String])
        throws
    {
        let server = try LocalMailServer(offering: offers)
        defer { server.stop() }
        let error = #expect(throws: RelayError.self) { try send(server, to: "jörg@example.org") }
        #expect(error?.isAddressRefused == true && error?.description.contains("SMTPUTF8") == true)
        #expect(server.senders.isEmpty && server.taken.isEmpty)
        // A host alone needs nothing of the server.
        try send(server, to: "pia@bücher.example")
        #expect(server.taken == ["pia@xn--bcher-kva.example"] && !server.senders[0].contains("UTF8"))
    }

    @Test
    func `RP-13 a mail that cannot go is given up, and names its account where the administrator looks`()
        throws
    {
        let server = try LocalMailServer()
        defer { server.stop() }
        let portal = try TestPortal { $0.smtpURL = "smtp://127.0.0.1:\(server.port)" }
        let staff = #"{"email": "jörg@example.org", "name": "Jörg Moser", "roles": ["therapist"]}"#
        let made = portal.call(.post, "/accounts", staff, as: .uma)
        #expect(made.status == 201, "\(made.text)")
        let patient =
            #"{"email": "zoë@example.org", "password": "vier Wörter ohne Sinn", "privacy_accepted": true, "password_confirmation": "vier Wörter ohne Sinn"}"#
        let registered = portal.call(.post, "/auth/register", patient)
        #expect(registered.status == 201, "\(registered.text)")
        portal.services.postman.run(from: "http://example.org", at: portal.now)
        let stuck = try portal.services.records.read { try MailStore.stuck($0) }
        #expect(
            stuck.count == 2 && stuck.allSatisfy { $0.nextTryAt == nil && $0.failure.contains("SMTPUTF8") })
        let system = portal.get("/admin/system", as: .uma).text
        #expect(
            system.contains("<a href=\"/admin/accounts/\(made.id)\">Einladung an Jörg Moser</a>"), "\(system)"
        )
        // The name of a patient stays hidden.
        let zoe = try #require(stuck.first { "\($0.account)" != made.id })
        #expect(system.contains("· Konto \(zoe.account)<") && !system.contains("zoë"), "\(system)")
    }
}
