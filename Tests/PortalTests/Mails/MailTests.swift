import Database
import Foundation
import HTTP
import SMTP
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Web

/// Mails on their way: queued with what gives cause for them, sealed, tried again, given up.
@Suite struct MailTests {
    /// A server that never answers: the discard port of this machine.
    static func unreachable() throws -> TestPortal {
        try TestPortal { $0.smtpURL = "smtp://127.0.0.1:9" }
    }

    func forget(_ portal: TestPortal) -> Response {
        portal.call(.post, "/auth/password/forgot", #"{"email": "pia@example.org"}"#)
    }

    @Test func `what cannot be sent waits sealed, and is tried again with growing pauses`() throws {
        let portal = try Self.unreachable()
        #expect(forget(portal).status == 202)
        #expect(try portal.count("mails") == 1)
        portal.services.postman.run(from: "http://example.org", at: portal.now)
        let stuck = { try portal.services.records.read { try MailStore.stuck($0) } }
        #expect(try stuck().map(\.tries) == [1] && stuck().first?.failure.isEmpty == false)
        #expect(try stuck().first?.nextTryAt == portal.now.adding(seconds: 60))
        portal.wait(seconds: 59)
        portal.services.postman.run(from: "http://example.org", at: portal.now)
        #expect(try stuck().map(\.tries) == [1])
        portal.wait(seconds: 1)
        portal.services.postman.run(from: "http://example.org", at: portal.now)
        #expect(try stuck().map(\.tries) == [2])
        #expect(try stuck().first?.nextTryAt == portal.now.adding(seconds: 120))
        let stored = try portal.stored()
        #expect(stored.holds("C000001"), "what is not sealed is found")
        for word in ["pia@example.org", "password/reset?token="] {
            #expect(!stored.holds(word), "\(word)")
        }
        #expect(!portal.logged.joined().contains("pia@"))
    }

    @Test func `after a day it is given up, its text is dropped, and that it was stays to be seen`() throws {
        let portal = try Self.unreachable()
        #expect(forget(portal).status == 202)
        portal.wait(seconds: 24 * 3600)
        portal.services.postman.run(from: "http://example.org", at: portal.now)
        let stuck = try portal.services.records.read { try MailStore.stuck($0) }
        #expect(stuck.count == 1 && stuck.first?.nextTryAt == nil)
        let left = try portal.services.records.read { connection in
            try connection.count("SELECT count(*) FROM mails WHERE message IS NOT NULL")
        }
        #expect(left == 0)
        #expect(portal.logged.contains { $0.contains("mail given up") })
        portal.wait(days: 31)
        Housekeeping.run(portal.services)
        #expect(try portal.count("mails") == 0)
    }

    @Test func `a mail that was sent leaves nothing behind`() throws {
        let portal = try TestPortal()
        #expect(forget(portal).status == 202)
        #expect(try portal.mails().count == 1 && portal.count("mails") == 0)
    }

    @Test func `E6 a mail that waits goes with its account`() throws {
        let portal = try Self.unreachable()
        #expect(forget(portal).status == 202)
        #expect(try portal.count("mails") == 1)
        let password = #"{"password": "\#(Cast.password)"}"#
        #expect(portal.call(.delete, "/my/account", password, as: .pia).status == 204)
        #expect(try portal.count("mails") == 0)
    }

    @Test func `nothing typed becomes a header`() throws {
        let mail = Mail(
            recipient: "pia@example.org>\r\nBcc: eve@example.org", subject: "Eins\r\nBcc: eve@example.org",
            body: "Guten Tag")
        let lines = mail.message(from: "noreply@example.org", id: "1", at: Cast.now).components(
            separatedBy: "\r\n")
        #expect(!lines.contains { $0.hasPrefix("Bcc") })
        #expect(lines.filter { $0.hasPrefix("To:") || $0.hasPrefix("Subject:") }.count == 2)
        let portal = try TestPortal()
        for email in ["pia@example.org\\r\\nBcc: eve@example.org", "pia@example.org\\nX: y", "a>b@c.de"] {
            let response = portal.call(.post, "/auth/password/forgot", #"{"email": "\#(email)"}"#)
            #expect(response.status == 422 && response.wrongFields == ["email"])
        }
        let relay = try #require(Relay("smtp://127.0.0.1:9"))
        #expect(throws: RelayError.self) {
            try relay.send([], from: "a@b.de", to: "pia@example.org>\r\nRCPT TO:<eve@example.org")
        }
    }

    @Test(arguments: [
        "http://example.org", "smtp://", "example.org", "smtp://host/path", "file:///etc/passwd",
    ])
    func `only a mail server is one`(url: String) { #expect(Relay(url) == nil) }

    @Test func `C3 a known address is not told from an unknown one by the time it takes`() throws {
        let portal = try TestPortal()
        let median = { (email: String) -> Double in
            let times = (0..<5).map { _ in
                let began = DispatchTime.now().uptimeNanoseconds
                _ = portal.call(.post, "/auth/password/forgot", #"{"email": "\#(email)"}"#)
                return Double(DispatchTime.now().uptimeNanoseconds - began) / 1e6
            }
            return times.sorted()[2]
        }
        // Held up to the same length: what is checked is the floor, not the machine.
        #expect(median("pia@example.org") >= 100 && median("niemand@example.org") >= 100)
    }
}
