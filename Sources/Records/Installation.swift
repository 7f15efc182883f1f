import Database
import Foundation
import Secrets
import Wire

/// Ties a database to its keys: with others nothing in it can be read.
package enum Installation {
    /// The keys of this database. An interrupted change of the master key is completed, or dropped if not yet stored.
    /// - Throws: `StartError` when the keys in the database were wrapped for another master key.
    package static func keyring(
        _ master: SecretKey, _ database: OpenDatabase, _ settings: Settings
    ) throws -> Keyring {
        let (kept, stored) = try database.read { connection in
            (try InstallationStore.keptKeys(connection), try InstallationStore.keyFingerprint(connection))
        }
        if FileManager.default.fileExists(atPath: settings.nextKeyPath) {
            let next = try KeyFile.load(settings.nextKeyPath)
            if let keys = try? Keyring(master: next, kept: kept), keys.fingerprint == stored {
                try settings.promoteNextKey()
                return keys
            }
            try? FileManager.default.removeItem(atPath: settings.nextKeyPath)
        }
        guard let keys = try? Keyring(master: master, kept: kept) else {
            throw StartError("the keys do not belong to this database")
        }
        return keys
    }

    /// The matching keys of a database or a copy, from the present or a former master key.
    package static func keyring(
        of connection: borrowing Connection, _ settings: Settings
    ) throws -> Keyring? {
        let kept = try InstallationStore.keptKeys(connection)
        let stored = try InstallationStore.keyFingerprint(connection)
        for path in [settings.keyPath] + settings.retiredKeyPaths {
            guard let master = try? KeyFile.load(path), let keys = try? Keyring(master: master, kept: kept),
                keys.fingerprint == stored
            else { continue }
            return keys
        }
        return nil
    }

    /// Sounds, exports and the list of the erased lie in the data folder, which all portals on one database share. Does nothing
    /// for a portal that has its database alone.
    /// - Parameter new: the folder's name, where it has none yet.
    /// - Throws: `StartError` for a folder that is not that of the database's other portals.
    package static func checkFolder(_ records: Records, _ settings: Settings, new: String) throws {
        guard settings.programLock == .shared else { return }
        let path = settings.belongsPath
        let found = FileManager.default.contents(atPath: path).map(Array.init)
        let name = try records.writeUnaudited(.installation) { connection in
            if let stored = try InstallationStore.folder(connection) { return stored }
            let name = found ?? Array(new.utf8)
            try InstallationStore.setFolder(name, connection)
            return name
        }
        if found == name { return }
        let text = String(decoding: name, as: UTF8.self)
        guard found == nil, text == new else {
            throw StartError(
                """
                \(settings.data) is not the data folder of this database, in which its sounds and exports lie: all \
                portals share one. Where that one is lost, write \(text) into \(path), without a line end
                """)
        }
        try DurableFile.write(name, to: path)
    }

    /// Reports in the audit log and in the log what migrations repaired in the data.
    package static func tellRepairs(_ records: Records, _ log: Log, at now: Instant) throws {
        for repair in try records.read({ try InstallationStore.untoldRepairs($0) }) {
            let words = "\(repair.count) \(repair.what)"
            try records.write(.dataRepaired, by: nil, about: nil, object: words, at: now) { connection in
                try InstallationStore.noteTold(repair, at: now, connection)
            }
            log.line("warning", "data repaired", [("removed", words)], at: now)
        }
    }

    /// Ties an empty database to its keys, which are in use from then on.
    /// - Throws: `StartError` when the database belongs to other keys.
    package static func check(_ keys: Keyring, _ records: Records) throws {
        let stored = try records.read { connection in try InstallationStore.keyFingerprint(connection) }
        if let stored {
            guard equalInConstantTime(stored, keys.fingerprint) else {
                throw StartError("the keys do not belong to this database")
            }
            return
        }
        let fingerprint = keys.fingerprint
        try records.writeUnaudited(.installation) { connection in
            try InstallationStore.setKeyFingerprint(fingerprint, connection)
        }
    }
}

extension AuditAction {
    /// A migration removed the remains of a defect; the object says which.
    static let dataRepaired = AuditAction(name: "installation.repaired")
}
