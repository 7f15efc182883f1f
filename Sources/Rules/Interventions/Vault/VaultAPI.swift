import Foundation
import HTTP
import Identity
import JSON
import Records
import Therapies
import Web
import Wire
import Wording

/// Moves a patient's texts in interventions between devices, as opaque ciphertext: its key is never derived from the
/// login password, and never reaches the server (IO-13).
package enum VaultAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/my/vault", .paired, .one("The own vault", Vault.self).revised(VaultStore.revision), show)
        routes.call(
            .put, "/my/vault", .paired,
            .one("Replace the vault, naming the revision that was seen", Vault.self, takes: Vault.sent)
                .revised(
                    VaultStore.revision), put)
        routes.call(
            .delete, "/my/vault", .paired, .nothing("Empty the vault").revised(VaultStore.revision),
            destroy)
    }

    static let largest = 512 * 1024

    @Sendable static func show(_ c: Context<PairedPatient>) throws -> Reply { try .data(One(present(c))) }

    package static func present(_ c: Context<PairedPatient>) throws -> Vault {
        let account = c.proof.account
        let record = try c.read { try VaultStore.find(account.id, $0) }
        return try wire(record, try account.key(c.keys))
    }

    @Sendable static func put(_ c: Context<PairedPatient>) throws -> Reply {
        try .data(One(save(try c.body(), c)))
    }

    /// Replaces the bytes whose revision was seen; for call and pages.
    /// - Throws: `Problem`: 412 when another device was faster.
    package static func save(_ fields: InputReader, _ c: Context<PairedPatient>) throws -> Vault {
        let account = c.proof.account
        let (bytes, seen) = try read(fields)
        let key = try account.key(c.keys)
        let sealed = key.seal(bytes: bytes, for: InterventionPlace.vault(account.id))
        let present = try c.read { try VaultStore.find(account.id, $0) }
        // The same sent twice, because the answer was lost.
        if let present, seen ?? 0 == present.revision - 1, try present.ciphertext(key) == bytes {
            return try wire(present, key)
        }
        try c.write(.vaultChanged, about: account.id) { [now = c.now] connection in
            let revision = try VaultStore.find(account.id, connection)?.revision ?? 0
            if seen == nil && revision > 0 { throw Problem.preconditionRequired }
            guard seen ?? 0 == revision else { throw Problem.preconditionFailed }
            try VaultStore.save(sealed, revision: revision + 1, of: account.id, at: now, connection)
        }
        return Vault(ciphertext: Data(bytes).base64EncodedString(), revision: (seen ?? 0) + 1)
    }

    @Sendable static func destroy(_ c: Context<PairedPatient>) throws -> Reply {
        let account = c.proof.account
        let present = try c.read { try VaultStore.find(account.id, $0) }
        guard let present, try present.ciphertext(try account.key(c.keys)) != nil else {
            return .response(.noContent)
        }
        try c.write(.vaultChanged, about: account.id) { [now = c.now] connection in
            let revision = try VaultStore.find(account.id, connection)?.revision ?? 0
            try VaultStore.save(nil, revision: revision + 1, of: account.id, at: now, connection)
        }
        return .response(.noContent)
    }

    /// - Throws: `Problem.invalid`: no base64, larger than 512 KiB, no revision.
    private static func read(_ fields: InputReader) throws -> (bytes: [UInt8], seen: Int?) {
        // Not read as text: it is long, and not typed by people.
        var bytes: [UInt8]?
        switch fields.value("ciphertext") {
        case .string(let text)?:
            bytes = Data(base64Encoded: text).map { Array($0) }
            if bytes == nil || text.isEmpty { fields.refuse("ciphertext", "interventions.base64") }
        case nil: fields.refuse("ciphertext", "errors.required")
        default: fields.refuse("ciphertext", "errors.text")
        }
        if let bytes, bytes.count > largest { fields.refuse("ciphertext", "interventions.vault_large") }
        let seen = fields.number("revision")
        if let seen, seen.rounded() != seen || !(0...1e9).contains(seen) {
            fields.refuse("revision", "interventions.revision")
        }
        try fields.finish()
        return (bytes ?? [], seen.map { Int($0) })
    }

    static func wire(_ record: VaultRecord?, _ key: PersonKey) throws -> Vault {
        let ciphertext = try record?.ciphertext(key).map { Data($0).base64EncodedString() }
        return Vault(ciphertext: ciphertext, revision: record?.revision ?? 0)
    }
}
