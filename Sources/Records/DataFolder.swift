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

    /// Throws away what uploads left behind when a server before was killed: what has not grown for an hour is nobody's.
    package static func clearIncoming(_ settings: Settings) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: settings.incomingPath)) ?? []
        for name in names {
            var facts = stat()
            let path = settings.incomingPath + "/" + name
            guard stat(path, &facts) == 0, facts.st_mtim.tv_sec < time(nil) - 3_600 else { continue }
            unlink(path)
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
