import Database
import Foundation
import Secrets

/// Proves that the audit log of a database file is as it was written.
enum AuditProof {
    /// Empty when the chain is whole, and when the keys to look at it are not there: a copy alone cannot be judged.
    static func problems(in path: String, _ settings: Settings) throws -> [String] {
        guard FileManager.default.fileExists(atPath: settings.keyPath) else { return [] }
        let master = try KeyFile.load(settings.keyPath)
        let database = try SQLiteDatabase(path: path, readers: 1)
        defer { database.close() }
        return try database.read { connection in
            guard let stored = try InstallationStore.keyFingerprint(connection),
                let keys = try? Keyring(master: master, kept: InstallationStore.keptKeys(connection)),
                equalInConstantTime(stored, keys.fingerprint)
            else { return ["the keys in \(settings.data)/keys do not belong to this database"] }
            let broken = try AuditChain(key: keys.audit).firstBroken(connection)
            return broken.map { ["the audit log was changed: line \($0) is not as it was written"] } ?? []
        }
    }
}
