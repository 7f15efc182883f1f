public import Foundation
import Secrets
public import Wire

/// What was written in one intervention.
public struct VaultNote: Codable, Sendable, Equatable {
    public var answer: String?
    public var isDone: Bool?
    public var changedAt: Instant

    public init(answer: String?, isDone: Bool?, changedAt: Instant) {
        self.answer = answer
        self.isDone = isDone
        self.changedAt = changedAt
    }
}

/// Thrown for a wrong vault password, and for bytes that are no vault.
public struct VaultClosed: Error, Equatable {
    public init() {}
}

/// Moves what was written in interventions between the devices of one person. The portal keeps bytes that it cannot read:
/// they are sealed here with a password that the person chose for the vault alone. The login password will not do: the
/// portal gets to see it.
public enum SealedVault {
    /// One byte of version, sixteen of salt, then XChaCha20-Poly1305.
    private static let version: UInt8 = 1
    private static let saltLength = PasswordKey.saltLength

    public static func close(_ notes: [String: VaultNote], password: String) throws -> Data {
        let salt = SecureRandom.bytes(saltLength)
        guard let key = PasswordKey.make(password, salt: salt) else { throw VaultClosed() }
        let sealed = Seal.close(Array(try Client.bytes(of: notes)), with: key, place: "vault/1")
        return Data([version] + salt + sealed)
    }

    /// - Throws: `VaultClosed`.
    public static func open(_ bytes: Data, password: String) throws -> [String: VaultNote] {
        let bytes = Array(bytes)
        guard bytes.count > 1 + saltLength, bytes[0] == version,
            let key = PasswordKey.make(password, salt: Array(bytes[1...saltLength])),
            let plain = try? Seal.open(Array(bytes[(1 + saltLength)...]), with: key, place: "vault/1"),
            let notes = try? JSONDecoder().decode([String: VaultNote].self, from: Data(plain))
        else { throw VaultClosed() }
        return notes
    }

    /// Brings this device and the vault together; of two notes on one intervention the later stands.
    /// - Throws: `VaultClosed` for a wrong password, `ClientError`.
    public static func exchange(_ store: LocalStore, _ client: Client, password: String) async throws {
        // Another device may put its own in between; each time there is less to bring together.
        for _ in 0..<5 {
            let vault = try await client.vault()
            let theirs = try vault.ciphertext.map { text in
                guard let bytes = Data(base64Encoded: text) else { throw VaultClosed() }
                return try open(bytes, password: password)
            }
            try store.take(notes: theirs ?? [:])
            let notes = try store.notes()
            if notes == theirs ?? [:] { return }
            do {
                _ = try await client.putVault(try close(notes, password: password), seen: vault.revision)
                return
            } catch let error as ClientError where error.refusal?.status == 412 {
                continue
            }
        }
    }
}
