import Accounts
import Database
import Identity
import Records
import Secrets
import Therapies
import Web

/// Changes the master key while no server runs: people's keys are wrapped again, sealed data stays.
///
/// The new key is in `keys/` before the database needs it, and replaces the old one after; after a loss of power at
/// any moment one of the two fits, and the next start finds out which.
enum KeyRotation {
    static func run(_ settings: Settings) throws {
        let services = try Services(settings)
        defer { services.close() }
        let new = SecretKey.random()
        try KeyFile.write(new, to: settings.nextKeyPath)
        // After a failure the next key stays: it is unknown what the disk holds. The next start checks.
        try services.records.write(.keysRotated, by: nil, about: nil, at: services.clock.now) {
            [old = services.keys] connection in
            try rewrap(from: old, to: new, connection)
        }
        services.records.tidy()
        try settings.promoteNextKey()
        // The copy beside the backups is signed with the new key: the old one may be destroyed.
        Erasure.layBeside(services, at: services.clock.now)
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
