import Foundation
import Secrets

/// The installation's keys, all made from the master key, which never enters the database.
struct Keyring: Sendable {
    private let wrapping: SecretKey
    private let lookups: SecretKey
    private let codes: SecretKey
    private let forms: SecretKey
    /// Tells whether a database belongs to this key.
    let fingerprint: [UInt8]

    init(master: SecretKey) {
        wrapping = master.derived(for: "wrapping")
        lookups = master.derived(for: "look-ups")
        codes = master.derived(for: "pairing codes")
        forms = master.derived(for: "forms")
        fingerprint = master.derived(for: "fingerprint").bytes
    }

    /// Finds an address without storing it readably. Case and the Unicode form do not matter.
    func lookup(email: String) -> [UInt8] {
        Digest.keyed(lookups, Array(email.lowercased().precomposedStringWithCanonicalMapping.utf8))
    }

    /// Finds a pairing code. A salted password hash could not be looked up by its value; the key that is kept
    /// elsewhere takes the salt's place.
    func lookup(code: String) -> [UInt8] { Digest.keyed(codes, Array(code.utf8)) }

    /// What a form must bring along, bound to the browser's cookie.
    func formToken(for cookie: String) -> String {
        Token.base64url(Digest.keyed(forms, Array(cookie.utf8)))
    }

    /// Wraps a person's key for storage.
    func wrap(_ key: PersonKey) -> [UInt8] {
        Seal.close(key.key.bytes, with: wrapping, place: "keys/\(key.owner)")
    }

    /// - Throws: `SealBroken` when the key belongs to somebody else or to another installation.
    func unwrap(_ bytes: [UInt8], owner: String) throws -> PersonKey {
        guard let key = SecretKey(try Seal.open(bytes, with: wrapping, place: "keys/\(owner)")) else {
            throw SealBroken()
        }
        return PersonKey(owner: owner, key: key)
    }
}

/// The key of one account or one therapy. Destroying its wrapped form makes everything under it unreadable.
struct PersonKey: Sendable {
    let owner: String
    let key: SecretKey

    init(owner: String, key: SecretKey = .random()) {
        self.owner = owner
        self.key = key
    }

    func seal(_ text: String, for place: Place) -> [UInt8] { seal(bytes: Array(text.utf8), for: place) }

    func seal(bytes: [UInt8], for place: Place) -> [UInt8] { Seal.close(bytes, with: key, place: place.text) }

    /// - Throws: `SealBroken` when the bytes were changed or come from another place.
    func open(_ sealed: [UInt8], from place: Place) throws -> String {
        String(decoding: try openBytes(sealed, from: place), as: UTF8.self)
    }

    func openBytes(_ sealed: [UInt8], from place: Place) throws -> [UInt8] {
        try Seal.open(sealed, with: key, place: place.text)
    }
}

/// Where a sealed field belongs; moved elsewhere it does not open.
struct Place: Sendable {
    let text: String

    init(_ table: StaticString, _ row: String, _ column: StaticString) { text = "\(table)/\(row)/\(column)" }
}
