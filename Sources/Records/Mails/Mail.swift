import Foundation
import SMTP
import Scheduling
import Wire
import Wording

/// A mail without clinical content.
package struct Mail: Sendable, Codable {
    package let recipient: String
    package let subject: String
    package let body: String

    package init(recipient: String, subject: String, body: String) {
        self.recipient = recipient
        self.subject = subject
        self.body = body
    }

    package static let tagHeader = "X-Intersession-Account"
    /// As mail headers name them, in every language.
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The message after RFC 5322. Header values cannot hold line ends: `InputReader.email` refuses them in
    /// addresses, any left are dropped here, and the subject is encoded.
    /// - Parameter tag: the mark of the recipient on a file, whose text people read as it stands; nil for mails that are sent.
    package func message(from sender: String, id: ID<Mail>, at now: Instant, tag: String? = nil) -> String {
        let local = LocalTime(now, Zone("UTC"))
        let weekday = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][local.date.weekday - 1]
        let month = Self.months[local.date.month - 1]
        let clock = String(format: "%02d:%02d:%02d", local.hour, local.minute, local.second)
        let sender = MailAddress.plain(sender)
        let address = MailAddress.plain(
            String(recipient.unicodeScalars.filter { $0.value > 0x20 && $0 != "<" && $0 != ">" }))
        let host = sender.split(separator: "@").last.map(String.init) ?? "localhost"
        let headers =
            [
                "From: Intersession <\(sender)>",
                "To: <\(address)>",
                MailText.header("Subject", subject),
                "Date: \(weekday), \(local.date.day) \(month) \(local.date.year) \(clock) +0000",
                "Message-ID: <\(id)@\(host)>",
                "Auto-Submitted: auto-generated",
                "MIME-Version: 1.0",
                "Content-Type: text/plain; charset=utf-8",
                "Content-Transfer-Encoding: \(tag == nil ? "quoted-printable" : "8bit")",
            ] + (tag.map { ["\(Self.tagHeader): \($0)"] } ?? [])
        let text = tag == nil ? MailText.quotedPrintable(body) : Self.filed(body) + "\r\n"
        return headers.joined(separator: "\r\n") + "\r\n\r\n" + text
    }

    private static let filed = Escaping(["\r": "", "\n": "\r\n"])
}

/// A queued mail, sealed under its recipient's key: it holds links that open accounts.
package struct QueuedMail: Sendable {
    package let id: ID<Mail>
    package let account: ID<Account>
    package let message: [UInt8]
    package let madeAt: Instant
    package let tries: Int

    package init(_ mail: Mail, to person: PersonKey, id: ID<Mail>, at now: Instant) throws {
        let bytes = Array(try JSONEncoder().encode(mail))
        message = person.seal(bytes: bytes, for: Self.place(id))
        self.id = id
        account = ID(person.owner)
        madeAt = now
        tries = 0
    }

    package init(id: ID<Mail>, account: ID<Account>, message: [UInt8], madeAt: Instant, tries: Int) {
        self.id = id
        self.account = account
        self.message = message
        self.madeAt = madeAt
        self.tries = tries
    }

    /// - Throws: `SealBroken` when the row was tampered with.
    package func open(_ key: PersonKey) throws -> Mail {
        let bytes = try key.openBytes(message, from: Self.place(id))
        return try JSONDecoder().decode(Mail.self, from: Data(bytes))
    }

    private static func place(_ id: ID<Mail>) -> SealContext { SealContext("mails", id, "message") }

    /// For how many hours a mail is retried. The pauses are a minute, two, four and so on, at most an hour.
    static let hours: Int64 = 24
    package var wait: Int64 { min(3600, 60 << Int64(min(tries, 6))) }
    func isHopeless(at now: Instant) -> Bool { madeAt.adding(seconds: Self.hours * 3600) <= now }
}
