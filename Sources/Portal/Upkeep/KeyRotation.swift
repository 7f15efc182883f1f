import Database
import Foundation
import Secrets
import Wire

/// Another master key: every person's key is wrapped anew, what they seal stays as it is. No server runs meanwhile.
///
/// The new key lies in `keys/` before the database asks for it, and takes the old one's place after; whatever moment
/// the power goes, one of the two fits.
enum KeyRotation {
    static func run(_ settings: Settings) throws {
        let services = try Services(settings)
        let new = SecretKey.random()
        do {
            try KeyFile.write(new, to: settings.nextKeyPath)
            try rewrap(services, new)
        } catch {
            services.close()
            try? FileManager.default.removeItem(atPath: settings.nextKeyPath)
            throw error
        }
        services.records.truncateLog()
        services.close()
        try settings.promoteNextKey(keepingOldAs: "retired-\(services.clock.now.text.prefix(10)).key")
    }

    private static func rewrap(_ services: Services, _ new: SecretKey) throws {
        let old = services.keys
        let kept = old.kept(for: new)
        let fresh = try Keyring(master: new, kept: kept)
        try services.records.write(.keysRotated, by: nil, about: nil, at: services.clock.now) { connection in
            for (id, wrapped) in try KeyRotationStore.accounts(connection) {
                let anew = fresh.wrap(try old.unwrap(wrapped, owner: id))
                try KeyRotationStore.setKey(anew, ofAccount: id, connection)
            }
            for (id, wrapped) in try KeyRotationStore.therapies(connection) {
                let anew = fresh.wrap(try old.unwrap(wrapped, owner: id))
                try KeyRotationStore.setKey(anew, ofTherapy: id, connection)
            }
            try InstallationStore.replaceKeys(fingerprint: fresh.fingerprint, kept: kept, connection)
        }
    }
}

extension AuditAction {
    static let keysRotated = AuditAction(name: "keys.rotated")
}
