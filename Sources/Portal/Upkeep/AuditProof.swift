import Database
import Foundation
import Records

/// Proves that the audit log of a database was not changed.
enum AuditProof {
    /// Empty when the chain is whole, and when its keys are missing: a copy alone cannot be judged.
    static func problems(in place: DatabasePlace, _ settings: Settings) throws -> [String] {
        guard FileManager.default.fileExists(atPath: settings.keyPath) else { return [] }
        let anchor = AuditAnchor.read(settings)
        // A copy is older than the anchor; only the database itself must reach that far.
        let isOriginal = place == settings.database
        return try place.look { connection in
            guard let keys = try Installation.keyring(of: connection, settings) else {
                return ["the keys in \(settings.data)/keys do not belong to this database"]
            }
            let chain = AuditChain(key: keys.audit)
            if let broken = try chain.firstBroken(since: anchor?.first ?? 1, connection) {
                return ["the audit log was changed: line \(broken) is not as it was written"]
            }
            guard let anchor, try !anchor.holds(isOriginal: isOriginal, connection) else { return [] }
            return ["the audit log was changed: line \(anchor.last) is missing or another one"]
        }
    }
}
