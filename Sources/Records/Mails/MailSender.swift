import Database
import Dispatch
import Foundation
import SMTP
import Synchronization
import Wire

/// Delivers mails from the queue. A mail is written into the queue in the transaction that causes it, so it is sent
/// if that was committed, and only then; after a crash it may come twice, but always comes.
package final class MailSender: Sendable {
    package let outbox: Outbox
    /// The sender of all mails.
    private let sender: String?
    private let records: Records
    private let keys: Keyring
    /// Finds the wrapped key of a mail's recipient.
    private let wrappedKey: WrappedKey
    private let chance: Randomness
    private let log: Log
    /// Whether a server has taken a mail since the start: it needs to be noted once.
    private let hasWorked = Atomic(false)
    private let wake = DispatchSemaphore(value: 0)
    /// Allows one round at a time: two would send the same mails.
    private let round = NSLock()

    /// Finds the wrapped key of an account; nil when the account is gone. Accounts stand above mails.
    package typealias WrappedKey = @Sendable (_ account: ID<Account>, borrowing Connection) throws -> [UInt8]?

    package init(
        _ settings: Settings, _ records: Records, _ keys: Keyring, _ chance: Randomness, _ log: Log,
        wrappedKey: @escaping WrappedKey
    ) {
        self.wrappedKey = wrappedKey
        outbox = settings.relay.map(Outbox.relay) ?? .folder(settings.outboxPath)
        sender = settings.sender
        self.records = records
        self.keys = keys
        self.chance = chance
        self.log = log
    }

    package func envelope(_ mail: Mail, to account: PersonKey, at now: Instant) throws -> QueuedMail {
        try QueuedMail(mail, to: account, id: chance.id(), at: now)
    }

    /// Called after the transaction. A file is there when this returns; a mail server is not waited for.
    package func deliver(from origin: String, at now: Instant) {
        switch outbox {
        case .folder: run(from: origin, at: now)
        case .relay: wake.signal()
        }
    }

    /// Waits for a new mail, or for the next retry.
    package func wait(seconds: Int) { _ = wake.wait(timeout: .now() + .seconds(seconds)) }

    package func stop() { wake.signal() }

    /// Sends the mails that are due.
    package func run(from origin: String, at now: Instant) {
        round.lock()
        defer { round.unlock() }
        do {
            let due = try records.read { connection in
                try MailStore.due(at: now, connection).compactMap { mail in
                    try wrappedKey(mail.account, connection).map { (mail: mail, wrappedKey: $0) }
                }
            }
            for (mail, wrappedKey) in due {
                do {
                    try send(mail, wrappedKey, origin, now)
                } catch {
                    // A mail whose result cannot be noted must not hold up the others.
                    log.line("error", "mail not noted", [("detail", Log.detail(of: error))], at: now)
                }
            }
        } catch {
            log.line("error", "mail queue failed", [("detail", Log.detail(of: error))], at: now)
        }
    }

    private func send(_ mail: QueuedMail, _ wrappedKey: [UInt8], _ origin: String, _ now: Instant) throws {
        // Claimed before it is sent: if that cannot be written, it would be sent again and again. The claim also
        // fails when the account was erased meanwhile.
        let next = now.adding(seconds: mail.wait)
        guard try records.writeUnaudited(.mail, { try MailStore.claim(mail, until: next, $0) }) else {
            return
        }
        do {
            let open = try mail.open(try keys.unwrap(wrappedKey, owner: mail.account))
            try hand(open, mail.id, mail.account, origin, now)
        } catch {
            let reason = Outbox.reason(error)
            let isOver = mail.isHopeless(at: now) || (error as? RelayError)?.isAddressRefused == true
            log.line("error", isOver ? "mail given up" : "mail not sent", [("reason", reason)], at: now)
            return try records.writeUnaudited(.mail) { connection in
                if isOver {
                    try MailStore.giveUp(mail.id, at: now, because: reason, connection)
                } else {
                    try MailStore.noteFailure(mail.id, because: reason, connection)
                }
            }
        }
        try records.writeUnaudited(.mail) { connection in
            try MailStore.remove(mail.id, connection)
            try self.noteWorking(connection)
        }
    }

    // MARK: Whether mail goes out

    /// Whether the configured mail server has ever taken a mail; false where mail goes to files.
    package func isProved(_ connection: borrowing Connection) throws -> Bool {
        guard case .relay(let relay) = outbox else { return false }
        return try InstallationStore.provedRelay(connection) == Array(relay.place.utf8)
    }

    /// Sends one mail and waits for the server's answer.
    /// - Returns: why it was not taken; nil when it was.
    package func trial(_ mail: Mail, for account: ID<Account>, from origin: String, at now: Instant) throws
        -> String?
    {
        do {
            try hand(mail, chance.id(), account, origin, now)
        } catch {
            log.line("error", "mail not sent", [("reason", Outbox.reason(error))], at: now)
            return Outbox.reason(error)
        }
        try records.writeUnaudited(.mail) { try self.noteWorking($0) }
        return nil
    }

    private func hand(
        _ mail: Mail, _ id: ID<Mail>, _ account: ID<Account>, _ origin: String, _ now: Instant
    ) throws {
        let host = URL(string: origin)?.host ?? "localhost"
        try outbox.send(
            mail, from: sender ?? "noreply@\(host)", id: id, tag: keys.mailTag(for: account), at: now)
    }

    private func noteWorking(_ connection: borrowing Connection) throws {
        guard case .relay(let relay) = outbox, !hasWorked.load(ordering: .relaxed) else { return }
        try InstallationStore.setProvedRelay(Array(relay.place.utf8), connection)
        hasWorked.store(true, ordering: .relaxed)
    }
}
