public import Foundation
import Secrets
public import Wire

/// The person's text in one intervention.
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

/// Moves texts in interventions between one person's devices. The portal keeps bytes that it cannot read: they are
/// sealed here with a password that the person chose for the vault alone. The login password would not do: the portal
/// receives it.
public enum SealedVault {
    /// One byte of version, sixteen of salt, then XChaCha20-Poly1305.
    private static let version: UInt8 = 1
    private static let saltLength = PasswordKey.saltLength

    public static func close(_ notes: [String: VaultNote], password: String) throws -> Data {
        let salt = SecureRandom.bytes(saltLength)
        guard let key = PasswordKey.make(password, salt: salt) else { throw VaultClosed() }
        let sealed = Seal.close(try bytes(of: notes), with: key, place: "vault/1")
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

    /// Properties are named as in Swift: so the pages in browsers read them.
    private static func bytes(of notes: [String: VaultNote]) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(notes))
    }

    // MARK: With a key of its own

    /// The format that browsers can open, too: one byte of version, sixteen of salt, twelve of nonce, then
    /// AES-256-GCM with a key derived from the vault's own by HKDF-SHA-256.
    private static let sharedVersion: UInt8 = 2
    private static let sharedPlace = Array("vault/2".utf8)

    public static func close(_ notes: [String: VaultNote], key: VaultKey) throws -> Data {
        let salt = SecureRandom.bytes(saltLength)
        let nonce = SecureRandom.bytes(SealedGCM.nonceLength)
        let sealed = SealedGCM.close(
            try bytes(of: notes), key: derived(key, salt), nonce: nonce, about: sharedPlace)
        return Data([sharedVersion] + salt + nonce + sealed)
    }

    /// - Throws: `VaultClosed`.
    public static func open(_ bytes: Data, key: VaultKey) throws -> [String: VaultNote] {
        let bytes = Array(bytes)
        let begin = 1 + saltLength + SealedGCM.nonceLength
        guard bytes.count > begin, bytes[0] == sharedVersion,
            let plain = SealedGCM.open(
                Array(bytes[begin...]), key: derived(key, Array(bytes[1...saltLength])),
                nonce: Array(bytes[(1 + saltLength)..<begin]), about: sharedPlace),
            let notes = try? JSONDecoder().decode([String: VaultNote].self, from: Data(plain))
        else { throw VaultClosed() }
        return notes
    }

    private static func derived(_ key: VaultKey, _ salt: [UInt8]) -> [UInt8] {
        KeyDerivation.hkdf(
            secret: key.bytes, salt: salt, info: Array("intersession vault/2".utf8), length: 32)
    }

    // MARK: Exchange

    /// Merges this device's texts and the vault's; of two on one intervention the later wins.
    /// - Throws: `VaultClosed` for a wrong password, `ClientError`.
    public static func exchange(_ store: LocalStore, _ client: Client, password: String) async throws {
        try await exchange(
            store, client, open: { try open($0, password: password) },
            close: { try close($0, password: password) })
    }

    /// The same with a key that browsers can use, too.
    /// - Throws: `VaultClosed` for another key, and for a vault sealed with a password; `ClientError`.
    public static func exchange(_ store: LocalStore, _ client: Client, key: VaultKey) async throws {
        try await exchange(
            store, client, open: { try open($0, key: key) }, close: { try close($0, key: key) })
    }

    private static func exchange(
        _ store: LocalStore, _ client: Client, open: (Data) throws -> [String: VaultNote],
        close: ([String: VaultNote]) throws -> Data
    ) async throws {
        // Another device may write in between; each time fewer differences are left.
        for _ in 0..<5 {
            let vault = try await client.vault()
            let theirs = try vault.ciphertext.map { text in
                guard let bytes = Data(base64Encoded: text) else { throw VaultClosed() }
                return try open(bytes)
            }
            try store.take(notes: theirs ?? [:])
            let notes = try store.notes()
            if notes == theirs ?? [:] { return }
            do {
                _ = try await client.putVault(try close(notes), seen: vault.revision)
                return
            } catch let error as ClientError where error.refusal?.status == 412 {
                continue
            }
        }
    }
}
