import Database
import Foundation
import Identity
import Records
import Secrets
import Therapies
import Web

/// Another master key: every person's key is wrapped anew, what they seal stays as it is. No server runs meanwhile.
///
/// The new key lies in `keys/` before the database asks for it, and takes the old one's place after; whatever moment
/// the power goes, one of the two fits, and the next start finds out which.
enum KeyRotation {
    static func run(_ settings: Settings) throws {
        let services = try Services(settings)
        defer { services.close() }
        let new = SecretKey.random()
        try KeyFile.write(new, to: settings.nextKeyPath)
        // When this fails the next key stays: nobody knows yet what the disk holds. The next start looks.
        try services.records.write(.keysRotated, by: nil, about: nil, at: services.clock.now) {
            [old = services.keys] connection in
            try rewrap(from: old, to: new, connection)
        }
        services.records.truncateLog()
        try settings.promoteNextKey()
    }

    /// Wraps every person's key, and the keys that outlive the master key, for another one.
    static func rewrap(
        from old: Keyring, to new: SecretKey, _ connection: borrowing Connection
    ) throws {
        let kept = old.kept(for: new)
        let fresh = try Keyring(master: new, kept: kept)
        for (id, wrapped) in try AccountStore.wrappedKeys(connection) {
            let anew = fresh.wrap(try old.unwrap(wrapped, owner: id))
            try AccountStore.setWrappedKey(anew, of: id, connection)
        }
        for (id, wrapped) in try TherapyStore.wrappedKeys(connection) {
            let anew = fresh.wrap(try old.unwrap(wrapped, owner: id))
            try TherapyStore.setWrappedKey(anew, of: id, connection)
        }
        try InstallationStore.replaceKeys(fingerprint: fresh.fingerprint, kept: kept, connection)
    }
}

extension AuditAction {
    static let keysRotated = AuditAction(name: "keys.rotated")
}
