import Accounts
import Database
import Foundation
import Records
import Secrets
import Web

/// Replaces the database by a backup. No server runs meanwhile.
enum Restore {
    /// - Parameter replaces: whether an existing database may be replaced; it is kept beside the backups.
    /// - Returns: what is known of erasures since, a line each.
    /// - Throws: `StartError` when the file is not sound or newer than this program, its keys are missing, or a
    ///   database exists. Then nothing was changed.
    static func run(_ settings: Settings, from file: String, replaces: Bool) throws -> [String] {
        guard FileManager.default.fileExists(atPath: file) else {
            throw StartError("there is no file \(file)")
        }
        try Operations.requireTables(in: .file(file), named: file)
        let problems = try Backup.problems(in: file)
        if let first = problems.first { throw StartError("\(file) is not sound: \(first)") }
        guard FileManager.default.fileExists(atPath: settings.keyPath) else {
            throw StartError("\(settings.keyPath) is missing: put the keys of this backup there first")
        }
        let isThere = try settings.hasDatabase()
        if isThere && !replaces {
            throw StartError("there is a database \(settings.databaseName); --replace says that it may go")
        }
        var erasures = try RestoredErasures(settings, file: file)
        if isThere { erasures.compare(withReplaced: settings.database) }
        let fresh = settings.databasePath + ".restoring"
        try prepare(fresh, from: file, settings)
        try DataFolder.prepareFolders(settings)
        if isThere { try keepOld(settings) }
        // Before the old data is there: after a loss of power the next start erases again.
        try erasures.keep(settings, at: Clock.system.now)
        try put(fresh, settings)
        try settle(settings)
        return erasures.lines
    }

    /// The old database's log goes first, or it would be taken for the new one's; the old file contains it already.
    private static func put(_ fresh: String, _ settings: Settings) throws {
        if settings.server != nil {
            defer { sweep(fresh, [""]) }
            try DatabaseCopy(Migrator(Migrations.all)).run(from: .file(fresh), to: settings.database)
            return
        }
        let path = settings.databasePath
        do {
            try DurableFile.remove([path + "-wal", path + "-shm"])
            try DurableFile.move(fresh, to: path)
        } catch {
            throw StartError("\(path) cannot be written")
        }
    }

    /// A copy, migrated, checked, and wrapped for the present master key.
    private static func prepare(_ fresh: String, from file: String, _ settings: Settings) throws {
        sweep(fresh, ["", "-wal", "-shm", ".partial"])
        do {
            try Backup.copy(from: file, to: fresh)
            try Migrator(Migrations.all).migrate(.file(fresh))
            let problems = try AuditProof.problems(in: .file(fresh), settings)
            if let first = problems.first { throw StartError("\(file): \(first)") }
            try wrap(fresh, settings)
        } catch {
            sweep(fresh, ["", "-wal", "-shm", ".partial"])
            throw error
        }
        // The database is closed: all writes are in the file itself.
        sweep(fresh, ["-wal", "-shm"])
    }

    private static func wrap(_ fresh: String, _ settings: Settings) throws {
        let database = try OpenDatabase(.file(fresh), readers: 1)
        defer { database.close() }
        let master = try KeyFile.load(settings.keyPath)
        guard let keys = try database.read({ try Installation.keyring(of: $0, settings) }) else { return }
        if try Keyring(master: master).fingerprint == keys.fingerprint { return }
        try database.write { try KeyRotation.rewrap(from: keys, to: master, $0) }
    }

    private static func sweep(_ path: String, _ ends: [String]) {
        for end in ends { try? FileManager.default.removeItem(atPath: path + end) }
    }

    /// Keeps the replaced database, sound or not, with its log, until backups of its age expire. It stays in its
    /// place until the new one replaces it: after a loss of power one of the two is there, whole.
    static func keepOld(_ settings: Settings) throws {
        let folder = settings.backupPath
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let name = BackupFolder.replacedName(at: Clock.system.now)
        if settings.server != nil {
            return try DatabaseCopy(Migrator(Migrations.all)).write(
                settings.database, to: "\(folder)/\(name)")
        }
        let path = settings.databasePath
        // Folds its log into it, if it can be opened.
        (try? OpenDatabase(.file(path), readers: 1))?.close()
        for end in ["-wal", "-shm", ""] where FileManager.default.fileExists(atPath: path + end) {
            try DurableFile.lay(path + end, aside: "\(folder)/\(name)\(end)")
        }
    }

    /// Erases again what was erased since, and revokes what a backup must not revive: sessions, links and codes that
    /// may have been used, mails that may have been sent.
    private static func settle(_ settings: Settings) throws {
        try? FileManager.default.removeItem(atPath: settings.anchorPath)
        let services = try Services(settings)
        defer { services.close() }
        try Erasure.repeatAll(services)
        try services.records.write(.backupRestored, by: nil, about: nil, at: services.clock.now) {
            [features = services.features, now = services.clock.now] connection in
            for feature in features { try feature.revokeAll(now, connection) }
            try InstallationStore.forgetFolder(connection)
            try InstallationStore.forgetErased(connection)
        }
        try AuditAnchor.set(services.records, settings)
        services.records.tidy()
        Erasure.layBeside(services, at: services.clock.now)
    }
}
