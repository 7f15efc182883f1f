import Database
import Foundation
import Locks
import Records
import Web
import Wire
import Wording

/// Makes scheduled and requested backups, and deletes old ones once there is a newer sound one.
package final class BackupScheduler: Part {
    let folder: BackupFolder
    let steadiness: ClockWatch
    private let settings: Settings
    private let records: Records
    private let log: Log
    /// One at a time: the button may be pressed during a scheduled one.
    private let turn = NSLock()
    /// Backups found sound since the start; checking a large copy every hour would keep the disk busy.
    private let proved = Lock<Set<String>>([])
    private let known = Lock<Set<String>>([])
    /// Whether the last scheduled one failed; since the start.
    private let failed = Lock(false)
    var hasFailed: Bool { failed.withLock { $0 } }

    init(_ settings: Settings, _ records: Records, _ log: Log) {
        self.settings = settings
        self.records = records
        self.log = log
        folder = BackupFolder(path: settings.backupPath)
        steadiness = ClockWatch(records, log)
    }

    static let everySeconds: Int64 = 24 * 3600

    /// The folder of backups, and their former folder.
    private var folders: [BackupFolder] {
        let standard = BackupFolder(path: settings.data + "/backups")
        return standard.path == folder.path ? [folder] : [folder, standard]
    }

    /// Called every hour: makes one when the last is a day old, and only then deletes expired ones.
    func tick(at now: Instant) {
        let last = folder.files(at: now).first?.madeAt
        let isSteady = steadiness.isSteady(at: now, lastKnown: last)
        tellAhead(at: now)
        if settings.backupDays > 0, (last ?? .distantPast).adding(seconds: Self.everySeconds) <= now {
            do {
                try make(by: nil, at: now)
                failed.withLock { $0 = false }
            } catch {
                failed.withLock { $0 = true }
                log.line("error", "backup failed", [("detail", Log.detail(of: error))], at: now)
            }
        }
        guard turn.try() else { return }
        defer { turn.unlock() }
        for folder in folders { folder.clearHalfMade() }
        // After a jump of the clock all ages are unknown.
        if isSteady { sweep(at: now) }
    }

    /// Before the first request, when the folder's lock excludes other writers.
    package func clearHalfMade() {
        turn.withLock { for folder in folders { folder.clearHalfMade() } }
    }

    private func tellAhead(at now: Instant) {
        for folder in folders {
            folder.noteAhead(at: now)
            for file in folder.ahead(at: now) where known.withLock({ $0.insert(file.path).inserted }) {
                log.line(
                    "warning", "a backup is dated ahead and counts as none", [("file", file.name)], at: now)
            }
        }
    }

    /// Keeps the newest sound one, however old: without it there would be none.
    private func sweep(at now: Instant) {
        let isOver = { [self] (file: BackupFolder.File, folder: BackupFolder) in
            let most = folder.path == self.folder.path ? settings.backupsKeptDays : Settings.mostBackupDays
            return file.age(at: now) >= Int64(most) * 86_400
        }
        for folder in folders {
            for file in folder.replaced() where isOver(file, folder) { remove(file) }
        }
        let over = folders.flatMap { folder in folder.files().filter { isOver($0, folder) } }
        guard !over.isEmpty else { return }
        guard let newest = newestSound(at: now) else {
            log.line("error", "no backup is sound, and none is deleted", at: now)
            return
        }
        for file in over where file.path != newest.path { remove(file) }
    }

    private func remove(_ file: BackupFolder.File) {
        try? FileManager.default.removeItem(atPath: file.path)
    }

    /// Checks from the newest on, those dated in the past first.
    private func newestSound(at now: Instant) -> BackupFolder.File? {
        let all = folders.flatMap { $0.files() }.sorted {
            ($0.madeAt <= now ? 1 : 0, $0.madeAt) > ($1.madeAt <= now ? 1 : 0, $1.madeAt)
        }
        return all.first { file in
            if proved.withLock({ $0.contains(file.path) }) { return true }
            guard let damage = try? Operations.damage(settings, copy: file.path) else { return false }
            if damage.isEmpty { proved.withLock { _ = $0.insert(file.path) } }
            return damage.isEmpty
        }
    }

    /// Copies the database, checks the copy as a restore would, and only then gives it its name.
    /// - Parameter actor: the account that asked for it; nil for the clock.
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
        let erased = try ErasedList.note(settings, at: now)
        try DatabaseCopy(Migrator(Migrations.all)).write(settings.database, to: unchecked, adding: [erased])
        let damage = try Operations.damage(settings, copy: unchecked)
        if let first = damage.first { throw StartError("the copy is not sound: \(first)") }
        for line in try Migrator(Migrations.all).differences(.file(unchecked)) {
            log.line("warning", "schema differs", [("detail", line)], at: now)
        }
        try folder.keep(unchecked, at: now)
        // The backup has the list in it, and is kept.
        do {
            try ErasedList.layBeside(settings, at: now)
        } catch {
            let facts = [("detail", Log.detail(of: error))]
            log.line("warning", "list of the erased not copied to the backups", facts, at: now)
        }
        proved.withLock { _ = $0.insert(name) }
        try records.write(.backupMade, by: actor, about: nil, at: now) { _ in }
        log.line("info", "backup made", at: now)
    }
}

extension AuditAction {
    static let backupMade = AuditAction(name: "backup.made")
    static let backupRestored = AuditAction(name: "backup.restored")
}
