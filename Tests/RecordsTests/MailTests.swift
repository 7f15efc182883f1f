import Foundation
import Secrets
import Testing
import Wire

@testable import Records

/// Mails as they leave, and how long they wait.
@Suite struct MailTests {
    private let now = Instant("2026-11-20T09:05:07Z") ?? .distantPast
    private let id: ID<Mail> = "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11"

    private func message(to recipient: String = "a@example.org", _ subject: String = "Grüße") -> String {
        Mail(recipient: recipient, subject: subject, body: "eins\nzwei")
            .message(from: "noreply@clinic.example", id: id, at: now)
    }

    @Test func `a mail is one of RFC 5322`() {
        let parts = message().components(separatedBy: "\r\n\r\n")
        #expect(parts.count == 2 && parts[1] == "eins\r\nzwei\r\n")
        let lines = parts[0].components(separatedBy: "\r\n")
        #expect(
            lines.contains("Date: Fri, 20 Nov 2026 09:05:07 +0000") && lines.contains("To: <a@example.org>"))
        #expect(lines.contains("Subject: =?utf-8?B?R3LDvMOfZQ==?="))
        #expect(lines.contains("Message-ID: <\(id)@clinic.example>") && !message().contains(Mail.tagHeader))
    }

    /// A file is read as it stands, a server may not take eight bits (RFC 6152).
    @Test func `RP-13 a mail that is sent has seven bits, and a file its letters`() {
        let mail = Mail(recipient: "pia@bücher.example", subject: "Grüße", body: "Schöne Grüße\n")
        let sent = mail.message(from: "noreply@klinik-süd.example", id: id, at: now)
        #expect(sent.utf8.allSatisfy { $0 < 0x80 })
        #expect(sent.contains("\r\nContent-Transfer-Encoding: quoted-printable\r\n"))
        #expect(
            sent.contains("To: <pia@xn--bcher-kva.example>\r\n")
                && sent.hasSuffix("\r\nSch=C3=B6ne Gr=C3=BC=C3=9Fe\r\n\r\n"))
        #expect(sent.contains("Message-ID: <\(id)@xn--klinik-sd-x9a.example>"))
        let file = mail.message(from: "noreply@clinic.example", id: id, at: now, tag: "mark")
        #expect(
            file.contains("\r\nContent-Transfer-Encoding: 8bit\r\n")
                && file.hasSuffix("\r\nSchöne Grüße\r\n\r\n"))
    }

    @Test func `nothing in an address or a subject begins another header`() {
        let text = message(to: "a@example.org>\r\nBcc: <b@example.org", "x\r\nBcc: c@example.org")
        let lines = text.components(separatedBy: "\r\n")
        #expect(!lines.contains { $0.hasPrefix("Bcc") })
        #expect(lines.contains("To: <a@example.orgBcc:b@example.org>"))
    }

    @Test func `a file says by a mark whom it is for`() {
        let mail = Mail(recipient: "a@example.org", subject: "", body: "")
        let text = mail.message(from: "x", id: id, at: now, tag: "mark")
        #expect(text.contains("\r\n\(Mail.tagHeader): mark\r\n"))
    }

    @Test func `a mail in the queue opens with the key of its person, under its own id`() throws {
        let person = PersonKey(owner: "ada" as ID<Account>)
        let mail = Mail(recipient: "a@example.org", subject: "s", body: "b")
        let queued = try QueuedMail(mail, to: person, id: id, at: now)
        let open = try queued.open(person)
        #expect(open.recipient == mail.recipient && open.subject == "s" && open.body == "b")
        #expect(queued.account == "ada" && queued.tries == 0)
        #expect(throws: SealBroken.self) { try queued.open(PersonKey(owner: "ada" as ID<Account>)) }
        let moved = QueuedMail(id: "other", account: "ada", message: queued.message, madeAt: now, tries: 0)
        #expect(throws: SealBroken.self) { try moved.open(person) }
    }

    @Test(arguments: [(0, 60), (1, 120), (2, 240), (5, 1920), (6, 3600), (50, 3600)] as [(Int, Int64)])
    func `waits double up to an hour`(_ tries: Int, _ seconds: Int64) {
        #expect(QueuedMail(id: id, account: "a", message: [], madeAt: now, tries: tries).wait == seconds)
    }

    @Test func `after a day a mail is given up`() {
        let mail = QueuedMail(id: id, account: "a", message: [], madeAt: now, tries: 1)
        #expect(!mail.isHopeless(at: now.adding(seconds: 86_399)) && mail.isHopeless(at: now.adding(days: 1)))
    }
}
