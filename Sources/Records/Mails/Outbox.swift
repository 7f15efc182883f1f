import Database
import SMTP
import Synchronization
import Wire

/// Where mails go: a mail server, or files in `outbox/`, mode 600, with no address in their names.
package enum Outbox: Sendable {
    case folder(String)
    case relay(Relay)

    /// Returns once the server has taken the mail, or the file is in the folder as a whole.
    /// - Throws: `RelayError`, or a file error.
    /// - Parameter tag: the mark of the recipient, to find the file when their account is erased.
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

    /// Names sort in the order the mails were sent, even within one second.
    private static func name(_ id: ID<Mail>, at now: Instant) -> String {
        let number = String(sent.add(1, ordering: .relaxed).newValue % 1_000_000)
        let place = String(repeating: "0", count: 6 - number.utf8.count) + number
        return "\(now.text.filter { $0.isNumber })-\(place)-\(id.text.prefix(8)).eml"
    }

    private static let sent = Atomic<Int>(0)

    /// The reason of a failure without address or text of the mail.
    static func reason(_ error: any Error) -> String {
        (error as? RelayError)?.description ?? String(describing: type(of: error))
    }
}
