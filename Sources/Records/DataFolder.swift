import Foundation
import Secrets

/// The data folder with what belongs in it, readable by its owner only.
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

    /// Throws away what was half made when a server before was killed: uploads, mails, keys, a restore. With the lock
    /// of the folder no other process is at it, so its age does not matter.
    package static func clearHalfMade(_ settings: Settings) {
        let all: [(folder: String, isHalfMade: (String) -> Bool)] = [
            (settings.incomingPath, { _ in true }),
            (settings.outboxPath, { $0.hasSuffix(".partial") }),
            (settings.data + "/keys", { $0.hasSuffix(".partial") }),
            (settings.data, { $0.contains(".sqlite.restoring") || $0 == "probe" }),
        ]
        for (folder, isHalfMade) in all {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            for name in names where isHalfMade(name) { unlink(folder + "/" + name) }
        }
    }

    package static func prepare(_ settings: Settings) throws {
        try prepareFolders(settings)
        // SQLite makes its files with the mode of the database.
        if !FileManager.default.fileExists(atPath: settings.databasePath) {
            _ = FileManager.default.createFile(
                atPath: settings.databasePath, contents: nil, attributes: [.posixPermissions: 0o600])
        }
    }
}

extension DataFolder {
    /// - Throws: `StartError` when there is a database but no key: a new one could not read it, and would hide
    ///   that the right one is missing.
    package static func masterKey(_ settings: Settings) throws -> SecretKey {
        let attributes = try? FileManager.default.attributesOfItem(atPath: settings.databasePath)
        let hasData = ((attributes?[.size] as? NSNumber)?.intValue ?? 0) > 0
        if hasData && !FileManager.default.fileExists(atPath: settings.keyPath) {
            throw StartError("\(settings.keyPath) is missing; without it the database cannot be read")
        }
        return try KeyFile.loadOrCreate(settings.keyPath)
    }
}
