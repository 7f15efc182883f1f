import Foundation
import Secrets
import Wire

/// A mail without clinical content.
struct Mail: Sendable {
    let recipient: String
    let subject: String
    let body: String
}

/// Where mails go: one file each, mode 600, its name without an address.
struct Outbox: Sendable {
    let folder: String

    /// Writes the mail and returns once it is in the folder as a whole.
    /// - Throws: `Problem.unavailable` when it cannot be written.
    func send(_ mail: Mail, from origin: String, id: String, at now: Instant) throws {
        let name = now.text.filter { $0.isNumber } + "-" + id.prefix(8)
        let path = "\(folder)/\(name).eml"
        let text = Self.message(mail, host: URL(string: origin)?.host ?? "localhost", id: id, at: now)
        let made = FileManager.default.createFile(
            atPath: path + ".partial", contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
        guard made, rename(path + ".partial", path) == 0 else { throw Problem.unavailable(retryAfter: 60) }
    }

    /// The message after RFC 5322. Header values cannot hold line ends: `Fields.email` refuses them in addresses,
    /// and the subject is encoded.
    static func message(_ mail: Mail, host: String, id: String, at now: Instant) -> String {
        let local = LocalTime(now, Zone("UTC"))
        let weekday = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][local.date.weekday - 1]
        let month = DateFormat.englishMonths[local.date.month - 1].prefix(3)
        let clock = String(format: "%02d:%02d:%02d", local.hour, local.minute, local.second)
        let headers = [
            "From: Intersession <noreply@\(host)>",
            "To: <\(mail.recipient)>",
            "Subject: =?utf-8?B?\(Data(mail.subject.utf8).base64EncodedString())?=",
            "Date: \(weekday), \(local.date.day) \(month) \(local.date.year) \(clock) +0000",
            "Message-ID: <\(id)@\(host)>",
            "Auto-Submitted: auto-generated",
            "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8",
            "Content-Transfer-Encoding: 8bit",
        ]
        let body = mail.body.replacingOccurrences(of: "\n", with: "\r\n")
        return headers.joined(separator: "\r\n") + "\r\n\r\n" + body + "\r\n"
    }
}
