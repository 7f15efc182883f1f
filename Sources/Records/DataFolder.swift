import Database
import Foundation
import Secrets
import Wire

/// The data folder with its subfolders, readable by its owner only.
package enum DataFolder {
    package static func prepareFolders(_ settings: Settings) throws {
        let all = [
            settings.data, settings.outboxPath, settings.data + "/keys", settings.soundsPath,
            settings.incomingPath,
        ]
        for path in all {
            try DataAccess.makeFolder(path, settings)
        }
    }

    /// Removes half-made files of a server that was killed: uploads, exports, mails, keys, a restore. The lock of the folder
    /// excludes other processes, so their age does not matter.
    package static func clearHalfMade(_ settings: Settings) {
        let all: [(folder: String, isHalfMade: (String) -> Bool)] = [
            (settings.incomingPath, { _ in true }), (settings.exportPath, { _ in true }),
            (settings.outboxPath, { $0.hasSuffix(".partial") }),
            (settings.data + "/keys", { $0.hasSuffix(".partial") }),
            (settings.data, { $0.contains(".sqlite.restoring") || $0 == "probe" }),
        ]
        for (folder, isHalfMade) in all {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            for name in names where isHalfMade(name) { unlink(folder + "/" + name) }
        }
    }

    /// Notes that the database of this folder is on PostgreSQL.
    package static func noteEngine(_ settings: Settings) throws {
        if !FileManager.default.fileExists(atPath: settings.enginePath) {
            try DurableFile.write("postgresql\n".utf8, to: settings.enginePath)
        }
    }

    /// - Throws: `StartError` where the flag was forgotten: an empty database of its own would be made in the folder.
    private static func checkEngine(_ settings: Settings) throws {
        if settings.server == nil, FileManager.default.fileExists(atPath: settings.enginePath) {
            throw StartError(
                """
                the database of \(settings.data) is on PostgreSQL: say where with --database. \
                Where it is not any more, remove \(settings.enginePath)
                """)
        }
    }

    package static func prepare(_ settings: Settings) throws {
        try checkEngine(settings)
        try prepareFolders(settings)
        if settings.server != nil { try noteEngine(settings) }
        // SQLite creates its files with the mode of the database.
        if settings.server == nil, !FileManager.default.fileExists(atPath: settings.databasePath) {
            _ = FileManager.default.createFile(
                atPath: settings.databasePath, contents: nil, attributes: [.posixPermissions: 0o600])
        }
    }
}

extension DataFolder {
    /// Decides by the state of the folder whether a program may work on it, and prepares it.
    /// - Returns: the master key, a new one at the first start.
    /// - Throws: `StartError` where the database or the key is lost: a new one would hide that.
    package static func open(
        _ settings: Settings, _ migrator: Migrator, _ log: Log, at now: Instant,
        hasAccounts: (borrowing Connection) throws -> Bool
    ) throws -> SecretKey {
        try checkEngine(settings)
        var state = try FolderState.look(settings, migrator)
        if settings.beginsAnew {
            try settings.database.alone {
                try NewClinic.prepare(state, settings, log, at: now, hasAccounts: hasAccounts)
            }
            state = try FolderState.look(settings, migrator)
        }
        if case .refuse(let reason) = state.decision { throw StartError(state.sentence(reason, settings)) }
        try prepare(settings)
        if FileManager.default.fileExists(atPath: settings.keyPath) {
            return try KeyFile.load(settings.keyPath)
        }
        // The mark first: a key without it has been in use.
        try DurableFile.write([UInt8](), to: settings.unusedKeyPath)
        return try KeyFile.loadOrCreate(settings.keyPath)
    }

    /// The same for what goes on with a clinic and begins none.
    /// - Throws: `StartError` also where there is no database yet.
    package static func requireClinic(_ settings: Settings, _ migrator: Migrator) throws {
        try checkEngine(settings)
        let state = try FolderState.look(settings, migrator)
        switch state.decision {
        case .serve: return
        case .begin where state.stored == .tables:
            throw StartError(
                "the first start of \(settings.data) did not come to its end: give serve once before")
        case .begin: throw StartError("there is no database \(settings.databaseName)")
        case .refuse(let reason): throw StartError(state.sentence(reason, settings))
        }
    }

    /// Called once the database holds all its tables and the fingerprint of its key.
    /// - Throws: `POSIXError`.
    package static func noteKeyInUse(_ settings: Settings) throws {
        if FileManager.default.fileExists(atPath: settings.unusedKeyPath) {
            try DurableFile.remove([settings.unusedKeyPath])
        }
    }

    /// - Throws: `StartError` when there is no key.
    package static func masterKey(_ settings: Settings) throws -> SecretKey {
        guard FileManager.default.fileExists(atPath: settings.keyPath) else {
            throw StartError("\(settings.keyPath) is missing; without it the database cannot be read")
        }
        return try KeyFile.load(settings.keyPath)
    }
}
