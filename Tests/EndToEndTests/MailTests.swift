import Foundation
import Programs
import Testing

/// Mail over SMTP, to a real server that the test starts (Python's aiosmtpd).
@Suite struct MailTests {
    let portal = RunningPortal()

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
            mail.contains("To: <pia@example.org>")
                && mail.contains("From: Intersession <portal@clinic.example>"))
        let link = try #require(mail.firstMatch(of: /verify-email\?token=([A-Za-z0-9_-]{43})/))
        let verified = try await portal.call("POST", "/auth/email/verify", #"{"token": "\#(link.1)"}"#)
        #expect(verified.status == 200)
        #expect(try FileManager.default.contentsOfDirectory(atPath: portal.data + "/outbox").isEmpty)
        #expect(portal.stop() == 0)
    }
}

/// A mail server that puts what it takes into a folder.
private final class MailServer {
    let port: Int
    private let folder: String
    private let process = Program()

    init() throws {
        folder =
            FileManager.default.temporaryDirectory.appendingPathComponent("mails-\(UUID().uuidString)").path
        port = try Self.freePort()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [
            "-m", "aiosmtpd", "-n", "-l", "127.0.0.1:\(port)", "-c", "aiosmtpd.handlers.Mailbox", folder,
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// An unused port: the system's choice, given back at once.
    private static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isBound else { throw CocoaError(.featureUnsupported) }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// The first mail, once there is one; the portal tries again until this server listens.
    func firstMail() async throws -> String? {
        for _ in 0..<600 {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/new")) ?? []
            if let name = names.first {
                return try String(contentsOfFile: "\(folder)/new/\(name)", encoding: .utf8)
            }
            try await Task.sleep(for: .milliseconds(200))
        }
        return nil
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(atPath: folder)
    }
}
