import Database
import Foundation
import Secrets
import Wire

/// Ties a database to its keys: with others nothing in it could be read.
package enum Installation {
    /// The keys of this database. A change of the master key that was cut short is finished, or forgotten when the
    /// database never took it.
    /// - Throws: `StartError` when the keys in the database were wrapped for another master key.
    package static func keyring(
        _ master: SecretKey, _ database: SQLiteDatabase, _ settings: Settings
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

    /// Says in the audit log and in the log what migrations have mended in the data.
    package static func tellRepairs(_ records: Records, _ log: Log, at now: Instant) throws {
        for repair in try records.read({ try InstallationStore.untoldRepairs($0) }) {
            let words = "\(repair.count) \(repair.what)"
            try records.write(.dataRepaired, by: nil, about: nil, object: words, at: now) { connection in
                try InstallationStore.noteTold(repair, at: now, connection)
            }
            log.line("warning", "data repaired", [("removed", words)], at: now)
        }
    }

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
    /// A migration removed what a defect had left behind; the object says what.
    static let dataRepaired = AuditAction(name: "installation.repaired")
}
