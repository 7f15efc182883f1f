import Foundation
import Programs
import Testing

/// Mail over SMTP, to a real server that the test starts (Python's aiosmtpd).
@Suite struct MailTests {
    let portal: RunningPortal

    init() throws { portal = try .onAskedEngine() }

    @Test func `a mail arrives at the server, and leaves neither file nor row`() async throws {
        let server = try MailServer()
        defer { server.stop() }
        try portal.serve([
            "--smtp-url", "smtp://127.0.0.1:\(server.port)", "--mail-from", "portal@clinic.example",
            "--public-url", "http://127.0.0.1:1",
        ])
        let body = """
            {"email": "pia@example.org", "password": "vier Wörter ohne Sinn", "privacy_accepted": true,
             "password_confirmation": "vier Wörter ohne Sinn", "language": "de"}
            """
        #expect(try await portal.call("POST", "/auth/register", body).status == 201)
        let mail = try #require(try await server.firstMail())
        #expect(
            mail.contains("X-RcptTo: pia@example.org") && mail.contains("X-MailFrom: portal@clinic.example"))
        #expect(
            mail.contains("To: pia@example.org")
                && mail.contains("From: Intersession <portal@clinic.example>"))
        let link = try #require(mail.firstMatch(of: /verify-email\?token=([A-Za-z0-9_-]{43})/))
        let verified = try await portal.call("POST", "/auth/email/verify", #"{"token": "\#(link.1)"}"#)
        #expect(verified.status == 200)
        #expect(try FileManager.default.contentsOfDirectory(atPath: portal.data + "/outbox").isEmpty)
        #expect(portal.stop() == 0)
    }

    @Test func `RP-13 an address and a subject beyond ASCII arrive as they were written`() async throws {
        let server = try MailServer(takesUTF8: true)
        defer { server.stop() }
        try portal.serve([
            "--smtp-url", "smtp://127.0.0.1:\(server.port)", "--mail-from", "portal@clinic.example",
            "--public-url", "http://127.0.0.1:1",
        ])
        let body = """
            {"email": "jörg@bücher.example", "password": "vier Wörter ohne Sinn", "privacy_accepted": true,
             "password_confirmation": "vier Wörter ohne Sinn", "language": "de"}
            """
        #expect(try await portal.call("POST", "/auth/register", body).status == 201)
        let mail = try #require(try await server.firstMail())
        #expect(mail.contains("X-RcptTo: jörg@xn--bcher-kva.example\n"), "\(mail)")
        #expect(mail.contains("Subject: Bitte bestätigen Sie Ihre E-Mail-Adresse\n"))
        let text = mail.components(separatedBy: "\n\n").dropFirst().joined(separator: "\n\n")
        #expect(text.contains("Bitte\nbestätigen Sie sie über diesen Link."), "\(text)")
        #expect(portal.stop() == 0)
    }
}

/// A mail server that puts what it takes into a folder.
private final class MailServer {
    let port: UInt16
    private let folder: String
    private let process = Program()

    init(takesUTF8: Bool = false) throws {
        folder =
            FileManager.default.temporaryDirectory.appendingPathComponent("mails-\(UUID().uuidString)").path
        port = try RunningPortal.freePort()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments =
            ["-m", "aiosmtpd", "-n"] + (takesUTF8 ? ["-u"] : [])
            + ["-l", "127.0.0.1:\(port)", "-c", "aiosmtpd.handlers.Mailbox", folder]
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// The first mail as Python reads it: headers, a blank line, the text. The portal tries again until this server listens.
    func firstMail() async throws -> String? {
        for _ in 0..<600 {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/new")) ?? []
            if let name = names.first {
                return try RunningPortal.shell("/usr/bin/python3 -c '\(Self.reader)' '\(folder)/new/\(name)'")
            }
            try await Task.sleep(for: .milliseconds(200))
        }
        return nil
    }

    private static let reader = """
        import email, email.policy, sys
        mail = email.message_from_file(open(sys.argv[1], encoding="utf-8", newline=""), policy=email.policy.default)
        out = open(1, "w", encoding="utf-8")
        for name, value in mail.items(): out.write(f"{name}: {value}\\n")
        out.write("\\n" + mail.get_content())
        """

    func stop() {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(atPath: folder)
    }
}
