import Foundation
import Secrets
import Wire

/// The installation's keys, all derived from the master key, which never enters the database.
package struct Keyring: Sendable {
    private let wrapping: SecretKey
    private let lookups: SecretKey
    private let codes: SecretKey
    private let forms: SecretKey
    /// For data that belongs to no account: messages to the operators.
    private let messages: SecretKey
    /// For the chain of the audit log.
    package let audit: SecretKey
    /// Tells whether a database belongs to this key.
    package let fingerprint: [UInt8]

    /// - Parameter kept: keys that outlive a change of the master key, as `kept` gave them; nil before the first.
    /// - Throws: `SealBroken` when they belong to another master key.
    package init(master: SecretKey, kept: [UInt8]? = nil) throws {
        let old = try kept.map { try Self.open($0, master.derived(for: "wrapping")) }
        wrapping = master.derived(for: "wrapping")
        lookups = old?.lookups ?? master.derived(for: "look-ups")
        codes = old?.codes ?? master.derived(for: "pairing codes")
        audit = old?.audit ?? master.derived(for: "audit log")
        forms = master.derived(for: "forms")
        // Derived from a key that outlives a change of the master key.
        messages = lookups.derived(for: "messages")
        fingerprint = master.derived(for: "fingerprint").bytes
    }

    /// Finds an address without storing it readably. Case and the Unicode form do not matter.
    package func lookup(email: String) -> [UInt8] {
        Digest.keyed(lookups, Array(email.lowercased().precomposedStringWithCanonicalMapping.utf8))
    }

    /// Finds a pairing code. A salted password hash could not be looked up by its value; this key, which is kept
    /// elsewhere, takes the place of the salt.
    package func lookup(code: String) -> [UInt8] { Digest.keyed(codes, Array(code.utf8)) }

    /// Finds a code for connecting another device of the same person.
    package func lookup(deviceCode: String) -> [UInt8] {
        Digest.keyed(codes, Array("device \(deviceCode)".utf8))
    }

    /// Finds the errand of an account, without disclosing which account has one.
    package func lookup(errandOf account: ID<Account>) -> [UInt8] {
        Digest.keyed(lookups, Array("errand \(account)".utf8))
    }

    /// Finds an address from which an account signed in: another one than of any other account there.
    package func lookup(address: String, of account: ID<Account>) -> [UInt8] {
        Digest.keyed(lookups, Array("address \(account) \(address)".utf8))
    }

    /// Finds an invitation to a study.
    package func lookup(invitation: String) -> [UInt8] {
        Digest.keyed(codes, Array("invitation \(invitation)".utf8))
    }

    /// Finds the link named by a provider's hook, without storing the provider's id of the person.
    package func lookup(wearableUser: String) -> [UInt8] {
        Digest.keyed(lookups, Array("wearable \(wearableUser)".utf8))
    }

    /// The mark of an account on the files of its mails, which does not disclose the account.
    package func mailTag(for account: ID<Account>) -> String {
        Token.base64url(Digest.keyed(lookups, Array("mail \(account)".utf8)))
    }

    /// The mark of an account in a browser's own store, which separates the data of several people there.
    package func deviceTag(for account: ID<Account>) -> String {
        String(Token.base64url(Digest.keyed(lookups, Array("device \(account)".utf8))).prefix(22))
    }

    /// The secret shown to a sign-in while a second factor is set up: always the same for it, and no other's.
    package func pendingSecret(for credential: String) -> [UInt8] {
        Array(Digest.keyed(forms, Array("second factor \(credential)".utf8)).prefix(20))
    }

    /// Finds a recovery code as it was shown or as people type it.
    package func lookup(recoveryCode: String) -> [UInt8] {
        let plain = TypedCode.letters(recoveryCode).uppercased()
        return Digest.keyed(codes, Array("recovery \(plain)".utf8))
    }

    /// The name of a questionnaire over all of its versions, which files give it that leave this installation.
    package func name(ofQuestionnaire key: String) -> String {
        Self.uuid(lookups, "questionnaire \(key)")
    }

    /// Names what is in the files of one study. Another study has another name for the same, and none leads back to the database.
    package func names(in study: ID<Study>) -> FileNames {
        FileNames(key: lookups.derived(for: "files of study \(study)"))
    }

    /// The UUID (version 8) that the holder of the key alone can make.
    fileprivate static func uuid(_ key: SecretKey, _ text: String) -> String {
        Randomness.uuid(Array(Digest.keyed(key, Array(text.utf8)).prefix(16)), version: 8)
    }

    /// The token that a form must send, bound to the browser's cookie.
    package func formToken(for cookie: String) -> String {
        Token.base64url(Digest.keyed(forms, Array(cookie.utf8)))
    }

    /// The same under a random pad, another in every page: the length of a compressed page tells nothing about the token
    /// (BREACH).
    package func maskedFormToken(for cookie: String) -> String {
        let pad = SecureRandom.bytes(32)
        return Token.base64url(pad + Self.mask(Digest.keyed(forms, Array(cookie.utf8)), pad))
    }

    /// The same with a name of the page behind it, which all forms of one page send and no other page does.
    package func pageToken(for cookie: String) -> String {
        maskedFormToken(for: cookie) + "." + Token.base64url(SecureRandom.bytes(Self.pageLength))
    }

    private static let pageLength = 12

    /// The name of the page that a token was drawn in; nil for one without.
    package static func page(ofToken sent: String) -> String? {
        guard let dot = sent.utf8.firstIndex(of: UInt8(ascii: ".")) else { return nil }
        let page = String(sent[sent.utf8.index(after: dot)...])
        return Base64URL.bytes(page)?.count == pageLength ? page : nil
    }

    /// Whether a form sent the token, as it is or under its pad. The name of its page proves nothing.
    package func isFormToken(_ sent: String, for cookie: String) -> Bool {
        let proof = String(sent.utf8.prefix { $0 != UInt8(ascii: ".") }) ?? ""
        guard let bytes = Base64URL.bytes(proof) else { return false }
        let token = Digest.keyed(forms, Array(cookie.utf8))
        switch bytes.count {
        case token.count: return equalInConstantTime(bytes, token)
        case token.count * 2:
            let pad = Array(bytes.prefix(token.count))
            return equalInConstantTime(Self.mask(Array(bytes.dropFirst(token.count)), pad), token)
        default: return false
        }
    }

    private static func mask(_ bytes: [UInt8], _ pad: [UInt8]) -> [UInt8] { zip(bytes, pad).map { $0 ^ $1 } }

    /// Finds what portals remember together, without storing its name, which may hold an address.
    package func lookup(remembered name: String) -> String {
        Token.base64url(Digest.keyed(lookups, Array("remembered \(name)".utf8)))
    }

    /// The keys of stored values without seals (look-ups, the audit log's chain), wrapped for a new master key.
    package func kept(for master: SecretKey) -> [UInt8] {
        let bytes = lookups.bytes + codes.bytes + audit.bytes
        return Seal.close(bytes, with: master.derived(for: "wrapping"), place: Self.keptPlace)
    }

    private static let keptPlace = "keys/kept"

    private static func open(
        _ kept: [UInt8], _ wrapping: SecretKey
    ) throws -> (lookups: SecretKey, codes: SecretKey, audit: SecretKey) {
        let bytes = try Seal.open(kept, with: wrapping, place: keptPlace)
        let length = SecretKey.length
        let parts = stride(from: 0, to: bytes.count, by: length).map { start in
            SecretKey(Array(bytes[start..<min(start + length, bytes.count)]))
        }
        guard parts.count == 3, let lookups = parts[0], let codes = parts[1], let audit = parts[2] else {
            throw SealBroken()
        }
        return (lookups, codes, audit)
    }

    /// Seals data that belongs to no account.
    package func seal(_ bytes: [UInt8], for place: SealContext) -> [UInt8] {
        Seal.close(bytes, with: messages, place: place.text)
    }

    /// - Throws: `SealBroken` when the bytes were changed or come from another place.
    package func open(_ sealed: [UInt8], from place: SealContext) throws -> [UInt8] {
        try Seal.open(sealed, with: messages, place: place.text)
    }

    /// Wraps a person's key for storage.
    package func wrap(_ key: PersonKey) -> [UInt8] {
        Seal.close(key.key.bytes, with: wrapping, place: "keys/\(key.owner)")
    }

    /// - Throws: `SealBroken` when the key has another owner or comes from another installation.
    package func unwrap(_ bytes: [UInt8], owner: ID<some KeyHolder>) throws -> PersonKey {
        guard let key = SecretKey(try Seal.open(bytes, with: wrapping, place: "keys/\(owner)")) else {
            throw SealBroken()
        }
        return PersonKey(owner: owner, key: key)
    }
}

/// The names of things in the files of one study: the same in each export.
package struct FileNames: Sendable {
    fileprivate let key: SecretKey

    package func uuid(_ text: String) -> String { Keyring.uuid(key, text) }
}

/// The key of one account or one therapy. Destroying its wrapped form makes everything sealed with it unreadable.
package struct PersonKey: Sendable {
    /// The id of the account or the therapy.
    package let owner: String
    package let key: SecretKey

    package init(owner: ID<some KeyHolder>, key: SecretKey = .random()) {
        self.owner = owner.text
        self.key = key
    }

    package func seal(_ text: String, for place: SealContext) -> [UInt8] {
        seal(bytes: Array(text.utf8), for: place)
    }

    package func seal(bytes: [UInt8], for place: SealContext) -> [UInt8] {
        Seal.close(bytes, with: key, place: place.text)
    }

    /// - Throws: `SealBroken` when the bytes were changed or come from another place.
    package func open(_ sealed: [UInt8], from place: SealContext) throws -> String {
        String(decoding: try openBytes(sealed, from: place), as: UTF8.self)
    }

    package func openBytes(_ sealed: [UInt8], from place: SealContext) throws -> [UInt8] {
        try Seal.open(sealed, with: key, place: place.text)
    }
}

/// The place of a sealed field; moved elsewhere it does not open.
package struct SealContext: Sendable {
    package let text: String

    package init(_ table: StaticString, _ row: String, _ column: StaticString) {
        text = "\(table)/\(row)/\(column)"
    }

    package init(_ table: StaticString, _ row: ID<some Any>, _ column: StaticString) {
        self.init(table, row.text, column)
    }
}
