import Database
import Foundation
import Identity
import Records
import Therapies
import Web
import Wire
import Wording

/// Erases a patient's account for good (IO-17): rows, keys, queued mails. Only an audit line without a name stays,
/// and the ids in `keys/erased`, so that an old backup does not restore the account.
package enum Erasure {
    package static func erase(_ c: Context<Member>) throws {
        // The line names neither actor nor subject.
        let account = c.proof.account.id
        let laidAside = try c.services.features.map { try $0.beforeErasure(account, c.services, c.now) }
        try erase(account, .accountErased, by: .nobody, c) { connection in
            for write in laidAside { try write(connection) }
        }
    }

    /// How many days therapists may still take the file of an erased patient (PR-26).
    package static let fileDays: Int64 = 14

    /// Whether there is a file to take: the account was, or is, in a therapy.
    package static func leavesFile(_ account: ID<Account>, _ c: Context<Member>) throws -> Bool {
        try c.read { try !TherapyStore.all(of: account, $0).isEmpty }
    }

    /// The hint before an erasure: for how long backups still hold the data.
    package static func aboutBackups(_ settings: Settings, _ texts: Texts) -> String {
        texts["own_settings.delete_backups", ["days": String(settings.backupsKeptDays)]]
    }

    /// - Parameter object: named by the line in the audit log instead of the erased account.
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

    /// Erases a patient without an account, with all paper and link sheets; others erase their account.
    /// - Throws: `Problem.conflict` for a patient who is paired, or was when the therapy ended.
    package static func erase(_ therapy: Therapy, _ action: AuditAction, _ c: Context<some Sendable>) throws {
        let ids = [therapy.id.text] + [therapy.holderID?.text].compactMap(\.self)
        try noted(ids, c) { features in
            try c.write(action) { connection in
                // Read again: pairing may have happened, or paper may have come in for the first time.
                guard let now = try TherapyStore.find(therapy.id, connection) else { throw Problem.notFound }
                guard now.accountID == nil, now.holderID == therapy.holderID else {
                    throw Problem.conflict(Message("ending.has_account"))
                }
                try TherapyStore.erase(now.id, connection)
                if let holder = now.holderID { try erase(holder, features, connection) }
            }
        }
    }

    /// Notes the ids first: after a loss of power the next start completes the erasure.
    private static func noted(
        _ ids: [String], _ c: Context<some Sendable>, _ write: ([Feature]) throws -> Void
    ) throws {
        // One at a time, also of several portals: on a failure exactly the lines of this erasure are taken back.
        let file = try openList(c.services.settings)
        do {
            defer { try? file.close() }
            let length = try note(ids.map { "\($0) \(c.now.text)\n" }.joined(), in: file)
            do {
                try write(c.services.features)
            } catch {
                // A commit that was cut off may have come through: then the lines stay.
                let isThere = try? c.services.records.read { connection in
                    try ids.contains { try ErasureStore.holds($0, connection) }
                }
                if isThere == true { try? file.truncate(atOffset: length) }
                throw error
            }
        }
        layBeside(c.services, at: c.now)
        // Overwritten data may still be in the write-ahead log.
        c.services.records.tidy()
    }

    /// Copies the list to the backups. An erasure does not wait for their disk: the next backup copies it again.
    package static func layBeside(_ services: Services, at now: Instant) {
        do {
            try ErasedList.layBeside(services.settings, at: now)
        } catch {
            let facts = [("detail", Log.detail(of: error))]
            services.log.line("warning", "list of the erased not copied to the backups", facts, at: now)
        }
    }

    /// Erases everything again that an old copy of the database brought back.
    /// - Throws: `StartError` when the list cannot be read: then it is unknown which data must not come back.
    package static func repeatAll(_ services: Services) throws {
        let ids = try known(services)
        let isAnybodyBack = try services.records.read { connection in
            try ids.contains { try ErasureStore.holds($0, connection) }
        }
        guard isAnybodyBack else { return }
        try services.records.write(.erasedAgain, by: nil, about: nil, at: services.clock.now) {
            [features = services.features] connection in
            for id in ids {
                // The list does not tell accounts from therapies.
                try erase(ID(id), features, connection)
                try TherapyStore.erase(ID(id), connection)
            }
        }
        services.records.tidy()
    }

    /// The erased of `keys/`, and of the copy that the database may have been. What the first one lacks is added to it. The list beside
    /// the backups is for `restore` alone: a start that obeyed it would let that disk erase a clinic.
    private static func known(_ services: Services) throws -> [String] {
        let kept = try ErasedList.kept(services.settings)
        var all = kept
        if let bytes = try services.records.read({ try InstallationStore.erased($0) }),
            let own = ErasedList(signed: bytes, services.settings)
        {
            all.add(own)
        }
        let missing = Set(all.ids).subtracting(kept.ids).sorted()
        if !missing.isEmpty {
            let file = try openList(services.settings)
            defer { try? file.close() }
            _ = try note(all.lines(of: missing), in: file)
        }
        return all.ids
    }

    /// Erases the account with all that belongs to it: its therapies, and with them all answers, appointments,
    /// interventions and alerts. The keys go with their rows. Areas above that this one does not know erase their own
    /// data.
    static func erase(
        _ account: ID<Account>, _ features: [Feature], _ connection: borrowing Connection
    ) throws {
        let holders = try TherapyHolderStore.holders(of: account, connection)
        for feature in features { try feature.eraseAccount(account, connection) }
        try TherapyStore.erase(of: account, connection)
        try AccountStore.erase(account, connection)
        for holder in holders { try erase(holder, features, connection) }
    }

    /// The list, locked against every other erasure until it is closed.
    private static func openList(_ settings: Settings) throws -> FileHandle {
        guard let file = try? ErasedList.locked(settings, LOCK_EX) else {
            throw Problem.unavailable(retryAfter: 60)
        }
        return file
    }

    /// - Parameter lines: an id and its moment each.
    /// - Returns: the former length of the list.
    private static func note(_ lines: String, in file: FileHandle) throws -> UInt64 {
        let length = try file.seekToEnd()
        do {
            // Starts with a line end, in case the last line was cut short.
            try file.write(contentsOf: Data("\n\(lines)".utf8))
            try file.synchronize()
        } catch {
            try? file.truncate(atOffset: length)
            throw Problem.unavailable(retryAfter: 60)
        }
        return length
    }

    /// Mails are files whose names hold no address; each bears the mark of its account.
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
    /// What an old copy of the database brought back; its erasures are in the log, or in the one of the copy's origin.
    static let erasedAgain = AuditAction(name: "account.erased_again", endsConsent: true)
}
