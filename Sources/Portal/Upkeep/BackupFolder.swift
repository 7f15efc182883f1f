import Database
import Foundation
import Records
import Web
import Wire
import Wording

/// The folder with scheduled backups: one a day, each looked at after it was made, the old ones deleted.
struct BackupFolder: Sendable {
    let path: String

    struct File: Sendable {
        let name: String
        let madeAt: Instant
        let bytes: Int
    }

    /// The newest first; only those that were found sound, because only they get this name.
    func files() -> [File] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.compactMap { name in
            guard let madeAt = Self.time(of: name) else { return nil }
            let facts = try? FileManager.default.attributesOfItem(atPath: path + "/" + name)
            return File(name: name, madeAt: madeAt, bytes: (facts?[.size] as? NSNumber)?.intValue ?? 0)
        }.sorted { $0.madeAt > $1.madeAt }
    }

    static func name(at now: Instant) -> String {
        "intersession-\(now.text.filter { $0.isNumber || $0 == "T" }.prefix(15)).sqlite"
    }

    /// `intersession-20261120T090000.sqlite`.
    private static func time(of name: String) -> Instant? {
        guard let found = name.wholeMatch(of: /intersession-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)\.sqlite/)
        else { return nil }
        return Instant("\(found.1)-\(found.2)-\(found.3)T\(found.4):\(found.5):\(found.6)Z")
    }

    /// What a restore replaced: kept like a backup, and never taken for one.
    static func replacedName(at now: Instant) -> String {
        name(at: now).replacing("intersession-", with: "replaced-")
    }

    /// Deletes whatever is older than its days, and what a crash has left half made.
    func sweep(olderThan days: Int, now: Instant) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
            let plain = name.replacing("replaced-", with: "intersession-").replacing(
                /\.sqlite.+/, with: ".sqlite")
            guard let time = Self.time(of: plain) else { continue }
            let isHalfMade = name.contains(".unchecked") || name.contains(".partial")
            if isHalfMade || time.adding(days: Int64(days)) <= now {
                try? FileManager.default.removeItem(atPath: path + "/" + name)
            }
        }
    }
}

/// Makes the backups, the scheduled ones and those asked for.
package final class BackupScheduler: Part {
    let folder: BackupFolder
    private let settings: Settings
    private let records: Records
    private let log: Log
    /// One at a time: the button may be pressed while the clock strikes.
    private let turn = NSLock()

    init(_ settings: Settings, _ records: Records, _ log: Log) {
        self.settings = settings
        self.records = records
        self.log = log
        folder = BackupFolder(path: settings.backupPath)
    }

    static let everySeconds: Int64 = 24 * 3600
    /// However the days are set: erased people must not outlive their time in an old copy.
    static let mostDays = 35

    /// Told every hour: deletes those whose days are over, and makes one when the last is a day old.
    func tick(at now: Instant) {
        let days = settings.backupDays
        if turn.try() {
            folder.sweep(olderThan: days > 0 ? days : Self.mostDays, now: now)
            let standard = BackupFolder(path: settings.data + "/backups")
            if standard.path != folder.path { standard.sweep(olderThan: Self.mostDays, now: now) }
            turn.unlock()
        }
        let last = folder.files().first?.madeAt ?? .distantPast
        guard days > 0, last.adding(seconds: Self.everySeconds) <= now else { return }
        do {
            try make(by: nil, at: now)
        } catch {
            log.line("error", "backup failed", [("detail", Log.detail(of: error))], at: now)
        }
    }

    /// Copies the database, tries the copy as a restore would, and only then gives it its name.
    /// - Parameter actor: who asked for it; nil for the clock.
    /// - Throws: `Problem.conflict` while one is being made, `StartError` when the copy is not sound.
    func make(by actor: ID<Account>?, at now: Instant) throws {
        guard turn.try() else { throw Problem.conflict(Message("system.backup_running")) }
        defer { turn.unlock() }
        try FileManager.default.createDirectory(
            atPath: folder.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let name = folder.path + "/" + BackupFolder.name(at: now)
        let unchecked = name + ".unchecked"
        defer {
            for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: unchecked + end) }
        }
        try Backup.copy(from: settings.databasePath, to: unchecked)
        let damage = try Operations.damage(settings, copy: unchecked)
        if let first = damage.first { throw StartError("the copy is not sound: \(first)") }
        for line in try Migrator(Migrations.all).differences(path: unchecked) {
            log.line("warning", "schema differs", [("detail", line)], at: now)
        }
        guard rename(unchecked, name) == 0 else { throw CocoaError(.fileWriteUnknown) }
        try records.write(.backupMade, by: actor, about: nil, at: now) { _ in }
        log.line("info", "backup made", at: now)
    }
}

extension AuditAction {
    static let backupMade = AuditAction(name: "backup.made")
    static let backupRestored = AuditAction(name: "backup.restored")
}
