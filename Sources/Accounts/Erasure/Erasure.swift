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
        let account = c.proof.account.id
        let laidAside = try c.services.features.map { try $0.beforeErasure(account, c.services, c.now) }
        try erase(account, .accountErased, by: .nobody, c) { connection in
            for write in laidAside { try write(connection) }
        }
    }

    /// For so long therapists may take the file of somebody who has gone (PR-26).
    package static let fileDays: Int64 = 14

    /// Whether there is a file to be taken: somebody was, or is, in a therapy.
    package static func leavesFile(_ account: ID<Account>, _ c: Context<Member>) throws -> Bool {
        try c.read { try !TherapyStore.all(of: account, $0).isEmpty }
    }

    /// What is true of backups, before it is done: for how long they hold what is gone here.
    package static func aboutBackups(_ settings: Settings, _ texts: Texts) -> String {
        texts["own_settings.delete_backups", ["days": String(settings.backupsKeptDays)]]
    }

    /// - Parameter object: what the line in the audit log names instead of the person, who is in it no more.
    package static func erase<P>(
        _ account: ID<Account>, _ action: AuditAction, by author: Context<P>.Author,
        object: (any CustomStringConvertible)? = nil,
        _ c: Context<P>, beforehand: @escaping @Sendable (borrowing Connection) throws -> Void = { _ in }
    ) throws {
        let others = try c.services.records.read { connection in
            try TherapyStore.all(of: account, connection).map(\.id.text)
                + TherapyHolderStore.holders(of: account, connection).map(\.text)
        }
        try noted([account.text] + others, c) { features in
            try c.write(action, by: author, object: object) { connection in
                try beforehand(connection)
                try erase(account, features, connection)
            }
        }
        removeMails(tagged: c.services.keys.mailTag(for: account), c.services.settings)
    }

    /// Erases somebody whom nobody is paired with, and all that was filled in on paper or behind a link. Who is paired
    /// erases themselves.
    /// - Throws: `Problem.conflict` for somebody who is paired, or was when the therapy ended.
    package static func erase(_ therapy: Therapy, _ action: AuditAction, _ c: Context<some Sendable>) throws {
        let ids = [therapy.id.text] + [therapy.holderID?.text].compactMap(\.self)
        try noted(ids, c) { features in
            try c.write(action) { connection in
                // As it is now: somebody may have paired, or paper may have come in for the first time.
                guard let now = try TherapyStore.find(therapy.id, connection) else { throw Problem.notFound }
                guard now.accountID == nil, now.holderID == therapy.holderID else {
                    throw Problem.conflict(Message("ending.has_account"))
                }
                try TherapyStore.erase(now.id, connection)
                if let holder = now.holderID { try erase(holder, features, connection) }
            }
        }
    }

    /// Notes who is erased before they are: if the power goes between the two, the next start erases what was asked to be
    /// erased.
    private static func noted(
        _ ids: [String], _ c: Context<some Sendable>, _ write: ([Feature]) throws -> Void
    ) throws {
        // One at a time: who fails takes back the lines noted for them and no others.
        turn.lock()
        defer { turn.unlock() }
        let length = try note(ids, c.services.settings, at: c.now)
        do {
            try write(c.services.features)
        } catch {
            try? unnote(c.services.settings, to: length)
            throw error
        }
        // What was overwritten may still stand in the log that is written ahead.
        c.services.records.truncateLog()
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
        let holders = try TherapyHolderStore.holders(of: account, connection)
        for feature in features { try feature.eraseAccount(account, connection) }
        try TherapyStore.erase(of: account, connection)
        try AccountStore.erase(account, connection)
        for holder in holders { try erase(holder, features, connection) }
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
            guard (try? DurableFile.synchroniseFolder(of: path)) != nil else {
                throw Problem.unavailable(retryAfter: 60)
            }
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
