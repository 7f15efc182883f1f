import Database
import Foundation
import Identity
import Records
import Therapies
import Web
import Wire
import Wording

/// Erases a patient's account for good (IO-17): rows, keys, mails that wait. Only an audit line without a name stays,
/// and the ids in `keys/erased`, so that an old backup does not bring anybody back.
package enum Erasure {
    package static func erase(_ c: Context<Member>) throws {
        // Nobody did it to nobody: that is all the log keeps.
        try erase(c.proof.account.id, .accountErased, by: .nobody, c)
    }

    /// - Parameter object: what the line in the audit log names instead of the person, who is in it no more.
    package static func erase<P>(
        _ account: ID<Account>, _ action: AuditAction, by author: Context<P>.Author,
        object: (any CustomStringConvertible)? = nil,
        _ c: Context<P>
    ) throws {
        let services = c.services
        let now = c.now
        let therapies = try services.records.read { try TherapyStore.all(of: account, $0).map(\.id.text) }
        // One at a time: who fails takes back the lines noted for them and no others.
        turn.lock()
        defer { turn.unlock() }
        // Noted first: if the power goes between the two, the next start erases what was asked to be erased.
        let length = try note([account.text] + therapies, services.settings, at: now)
        do {
            try c.write(action, by: author, object: object) { [features = services.features] connection in
                try erase(account, features, connection)
            }
        } catch {
            try? unnote(services.settings, to: length)
            throw error
        }
        removeMails(tagged: services.keys.mailTag(for: account), services.settings)
        // What was overwritten may still stand in the log that is written ahead.
        services.records.truncateLog()
    }

    /// Erases again whoever an old copy of the database brought back.
    /// - Throws: `StartError` when the list cannot be read: then nobody knows who must not come back.
    package static func repeatAll(_ services: Services) throws {
        let ids = try list(services.settings)
        let isAnybodyBack = try services.records.read { connection in
            try ids.contains { try ErasureStore.holds($0, connection) }
        }
        guard isAnybodyBack else { return }
        try services.records.write(.accountErased, by: nil, about: nil, at: services.clock.now) {
            [features = services.features] connection in
            for id in ids {
                // The list does not say which of the two it is.
                try erase(ID(id), features, connection)
                try TherapyStore.erase(ID(id), connection)
            }
        }
        services.records.truncateLog()
    }

    /// The account with everything that hangs on it: its therapies, and by them all answers, appointments, interventions
    /// and alerts. The keys go with their rows. Above the account stand areas that this one does not know: each erases its own.
    static func erase(
        _ account: ID<Account>, _ features: [Feature], _ connection: borrowing Connection
    ) throws {
        for feature in features { try feature.eraseAccount(account, connection) }
        try TherapyStore.erase(of: account, connection)
        try AccountStore.erase(account, connection)
    }

    private static func list(_ settings: Settings) throws -> [String] {
        let path = settings.erasedPath
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw StartError("\(path) cannot be read; it says who must not come back from a backup")
        }
        // A line that was cut short by a power cut names nobody who was told that they are erased.
        return String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap { line in
            line.split(separator: " ").first.flatMap { uuid(String($0)) }
        }
    }

    private static let turn = NSLock()

    /// - Returns: how long the list was before.
    private static func note(_ ids: [String], _ settings: Settings, at now: Instant) throws -> UInt64 {
        let path = settings.erasedPath
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(
                atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        guard let file = FileHandle(forUpdatingAtPath: path) else {
            throw Problem.unavailable(retryAfter: 60)
        }
        defer { try? file.close() }
        let length = try file.seekToEnd()
        // Lines begin where lines begin, also behind one that was cut short.
        let lines = "\n" + ids.map { "\($0) \(now.text)\n" }.joined()
        do {
            try file.write(contentsOf: Data(lines.utf8))
            try file.synchronize()
        } catch {
            try? file.truncate(atOffset: length)
            throw Problem.unavailable(retryAfter: 60)
        }
        return length
    }

    /// Nothing was erased: the lines go again.
    private static func unnote(_ settings: Settings, to length: UInt64) throws {
        guard let file = FileHandle(forWritingAtPath: settings.erasedPath) else { return }
        defer { try? file.close() }
        try file.truncate(atOffset: length)
    }

    /// Mails are files; their names hold no address, and addresses change: each bears a mark of whom it was for.
    private static func removeMails(tagged tag: String, _ settings: Settings) {
        let folder = settings.outboxPath
        let line = Data("\(Mail.tagHeader): \(tag)".utf8)
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            let path = folder + "/" + name
            if FileManager.default.contents(atPath: path)?.range(of: line) != nil {
                try? FileManager.default.removeItem(atPath: path)
            }
        }
    }
}

extension AuditAction {
    static let accountErased = AuditAction(name: "account.erased", endsConsent: true)
}
