import Database
import Foundation
import Wire

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

    func remove(_ file: File) throws { try FileManager.default.removeItem(atPath: path + "/" + file.name) }
}

/// Makes the scheduled backups.
final class BackupKeeper: Sendable {
    private let services: Services
    let folder: BackupFolder
    /// One at a time: the button may be pressed while the clock strikes.
    private let turn = NSLock()

    init(_ services: Services) {
        self.services = services
        folder = BackupFolder(path: services.settings.backupPath)
    }

    static let everySeconds: Int64 = 24 * 3600

    /// Told every hour: makes one when the last is a day old, and deletes those whose days are over.
    func tick() {
        let now = services.clock.now
        guard services.settings.backupDays > 0 else { return }
        do {
            let last = folder.files().first?.madeAt ?? .distantPast
            if last.adding(seconds: Self.everySeconds) <= now { try make() }
            // However old the newest is: erased people must not outlive their time in an old copy.
            for file in folder.files()
            where file.madeAt.adding(days: Int64(services.settings.backupDays)) <= now {
                try folder.remove(file)
            }
        } catch {
            services.log.line("error", "backup failed", [("detail", Pipeline.detail(of: error))], at: now)
        }
    }

    /// Copies the database, tries the copy as a restore would, and only then gives it its name.
    func make() throws {
        turn.lock()
        defer { turn.unlock() }
        let (settings, now) = (services.settings, services.clock.now)
        try FileManager.default.createDirectory(
            atPath: folder.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let name = folder.path + "/" + BackupFolder.name(at: now)
        let unchecked = name + ".unchecked"
        defer {
            for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: unchecked + end) }
        }
        try Backup.copy(from: settings.databasePath, to: unchecked)
        let problems = try Operations.verify(settings, file: unchecked)
        if let first = problems.first { throw StartError("the copy is not sound: \(first)") }
        guard rename(unchecked, name) == 0 else { throw CocoaError(.fileWriteUnknown) }
        try services.records.write(.backupMade, by: nil, about: nil, at: now) { _ in }
        services.log.line("info", "backup made", at: now)
    }
}

extension AuditAction {
    static let backupMade = AuditAction(name: "backup.made")
    static let backupRestored = AuditAction(name: "backup.restored")
}

extension Services {
    var backupFolder: BackupFolder { BackupFolder(path: settings.backupPath) }
}
