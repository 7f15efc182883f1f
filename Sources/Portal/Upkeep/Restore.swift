import Accounts
import Database
import Foundation
import Records
import Secrets
import Web

/// Puts a backup in the place of the database. No server runs meanwhile.
enum Restore {
    /// - Parameter replaces: whether a database that is there may go; it is kept beside the backups.
    /// - Throws: `StartError` when the file is not sound or newer than this program, its keys are not here, or a
    ///   database is in the way. Then everything is as it was.
    static func run(_ settings: Settings, from file: String, replaces: Bool) throws {
        guard FileManager.default.fileExists(atPath: file) else {
            throw StartError("there is no file \(file)")
        }
        let problems = try Backup.problems(in: file)
        if let first = problems.first { throw StartError("\(file) is not sound: \(first)") }
        guard FileManager.default.fileExists(atPath: settings.keyPath) else {
            throw StartError("\(settings.keyPath) is missing: put the keys of this backup there first")
        }
        let path = settings.databasePath
        let facts = try? FileManager.default.attributesOfItem(atPath: path)
        let isThere = ((facts?[.size] as? NSNumber)?.intValue ?? 0) > 0
        if isThere && !replaces {
            throw StartError("\(settings.data) holds a database; --replace says that it may go")
        }
        let fresh = path + ".restoring"
        try prepare(fresh, from: file, settings)
        try DataFolder.prepareFolders(settings)
        if isThere { try keepOld(settings) }
        try put(fresh, path)
        try settle(settings)
    }

    /// The log of the old one goes before the new one comes, or it would be taken for the new one's; the old one holds by
    /// itself what stood in it.
    private static func put(_ fresh: String, _ path: String) throws {
        do {
            try DurableFile.remove([path + "-wal", path + "-shm"])
            try DurableFile.move(fresh, to: path)
        } catch {
            throw StartError("\(path) cannot be written")
        }
    }

    /// A copy, brought up to date, looked at, and wrapped for the master key of today.
    private static func prepare(_ fresh: String, from file: String, _ settings: Settings) throws {
        sweep(fresh, ["", "-wal", "-shm", ".partial"])
        do {
            try Backup.copy(from: file, to: fresh)
            try Migrator(Migrations.all).migrate(path: fresh)
            let problems = try AuditProof.problems(in: fresh, settings)
            if let first = problems.first { throw StartError("\(file): \(first)") }
            try wrap(fresh, settings)
        } catch {
            sweep(fresh, ["", "-wal", "-shm", ".partial"])
            throw error
        }
        // The database is closed: what was written stands in the file itself.
        sweep(fresh, ["-wal", "-shm"])
    }

    private static func wrap(_ fresh: String, _ settings: Settings) throws {
        let database = try SQLiteDatabase(path: fresh, readers: 1)
        defer { database.close() }
        let master = try KeyFile.load(settings.keyPath)
        guard let keys = try database.read({ try AuditProof.keyring(of: $0, settings) }) else { return }
        if try Keyring(master: master).fingerprint == keys.fingerprint { return }
        try database.write { try KeyRotation.rewrap(from: keys, to: master, $0) }
    }

    private static func sweep(_ path: String, _ ends: [String]) {
        for end in ends { try? FileManager.default.removeItem(atPath: path + end) }
    }

    /// What is replaced is laid aside, sound or not, with its log; it goes when the days of backups are over. Until the new one
    /// is in its place the old one stays where it is: whenever the power goes, one of the two is there, whole.
    private static func keepOld(_ settings: Settings) throws {
        let path = settings.databasePath
        // Folds its log into it, where it opens at all.
        (try? SQLiteDatabase(path: path, readers: 1))?.close()
        let folder = settings.backupPath
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let name = BackupFolder.replacedName(at: Clock.system.now)
        for end in ["-wal", "-shm", ""] where FileManager.default.fileExists(atPath: path + end) {
            try DurableFile.lay(path + end, aside: "\(folder)/\(name)\(end)")
        }
    }

    /// Erases again whoever had asked for it since, and takes back what a backup must not bring to life: everything
    /// that was signed in, links and codes that may have been used, mails that may have been sent.
    private static func settle(_ settings: Settings) throws {
        try? FileManager.default.removeItem(atPath: settings.anchorPath)
        let services = try Services(settings)
        defer { services.close() }
        try Erasure.repeatAll(services)
        try services.records.write(.backupRestored, by: nil, about: nil, at: services.clock.now) {
            [features = services.features, now = services.clock.now] connection in
            for feature in features { try feature.revokeAll(now, connection) }
        }
        try AuditAnchor.set(services.records, settings)
        services.records.truncateLog()
    }
}
