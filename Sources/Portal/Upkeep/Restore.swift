import Database
import Foundation
import Secrets
import Wire

/// Puts a backup in the place of the database. No server runs meanwhile.
enum Restore {
    /// - Parameter replaces: whether a database that is there may go; it is kept beside as a backup.
    /// - Throws: `StartError` when the file is not sound or newer than this program, its keys are not here, or a
    ///   database is in the way.
    static func run(_ settings: Settings, from file: String, replaces: Bool) throws {
        guard FileManager.default.fileExists(atPath: file) else {
            throw StartError("there is no file \(file)")
        }
        let problems = try Backup.problems(in: file)
        if let first = problems.first { throw StartError("\(file) is not sound: \(first)") }
        _ = try Migrator(Migrations.all).isCurrent(path: file)
        try requireKeys(settings, for: file)
        try DataFolder.prepareFolders(settings)
        let path = settings.databasePath
        let isThere =
            ((try? FileManager.default.attributesOfItem(atPath: path)[.size]) as? NSNumber)?.intValue ?? 0 > 0
        if isThere && !replaces {
            throw StartError("\(settings.data) holds a database; --replace says that it may go")
        }
        try Backup.copy(from: file, to: path + ".restoring")
        if isThere { try keepOld(settings) }
        for end in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
        guard rename(path + ".restoring", path) == 0 else { throw StartError("\(path) cannot be written") }
        try settle(settings)
    }

    /// Without the fitting keys nothing in it could be read, and a new key would hide that.
    private static func requireKeys(_ settings: Settings, for file: String) throws {
        guard FileManager.default.fileExists(atPath: settings.keyPath) else {
            throw StartError("\(settings.keyPath) is missing: put the keys of this backup there first")
        }
        let problems = try AuditProof.problems(in: file, settings)
        if let first = problems.first { throw StartError("\(file): \(first)") }
    }

    /// What is replaced becomes a backup of its own, and goes with the others when its days are over.
    private static func keepOld(_ settings: Settings) throws {
        let folder = settings.backupPath
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let name = BackupFolder.name(at: Clock.system.now)
        try Backup.copy(from: settings.databasePath, to: "\(folder)/\(name)")
    }

    /// Brings it up to date, and erases again whoever had asked for it since the backup was made.
    private static func settle(_ settings: Settings) throws {
        let services = try Services(settings)
        defer { services.close() }
        try Erasure.repeatAll(services)
        try services.records.write(.backupRestored, by: nil, about: nil, at: services.clock.now) { _ in }
        services.records.truncateLog()
    }
}
