import Database
import Foundation
import SMTP
import Synchronization
import Wire

/// Where mails go: to a mail server, or, without one, one file each in `outbox/`, mode 600, its name without an address.
package enum Outbox: Sendable {
    case folder(String)
    case relay(Relay)

    /// Returns once the server has taken the mail, or the file is in the folder as a whole.
    /// - Throws: `RelayError`, or a file error.
    /// - Parameter tag: a mark of whom the mail is for, to find its file when their account is erased.
    func send(_ mail: Mail, from sender: String, id: ID<Mail>, tag: String, at now: Instant) throws {
        switch self {
        case .relay(let relay):
            let text = mail.message(from: sender, id: id, at: now)
            try relay.send(Array(text.utf8), from: sender, to: mail.recipient)
        case .folder(let folder):
            let text = mail.message(from: sender, id: id, at: now, tag: tag)
            let path = "\(folder)/\(Self.name(id, at: now))"
            try DurableFile.write(text.utf8, to: path)
        }
    }

    /// Names sort as the mails were sent, also those of one second.
    private static func name(_ id: ID<Mail>, at now: Instant) -> String {
        let number = String(sent.add(1, ordering: .relaxed).newValue % 1_000_000)
        let place = String(repeating: "0", count: 6 - number.utf8.count) + number
        return "\(now.text.filter { $0.isNumber })-\(place)-\(id.text.prefix(8)).eml"
    }

    private static let sent = Atomic<Int>(0)

    /// What may be told of a failure: neither address nor text of the mail.
    static func reason(_ error: any Error) -> String {
        (error as? RelayError)?.description ?? String(describing: type(of: error))
    }
}
