import Secrets
import Testing
import Wire

@testable import Records

/// Keys, and what they seal.
@Suite struct KeyringTests {
    private let master = SecretKey.random()
    private let owner: ID<Account> = "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11"
    private let place = SealContext("notes", "1", "text")

    private func keyring(_ kept: [UInt8]? = nil) throws -> Keyring { try Keyring(master: master, kept: kept) }

    @Test func `an address is found whatever its case and form, and by no other installation`() throws {
        let keys = try keyring()
        #expect(keys.lookup(email: "Ju\u{308}rg@Example.org") == keys.lookup(email: "j\u{FC}rg@example.org"))
        #expect(keys.lookup(email: "a@example.org") != keys.lookup(email: "b@example.org"))
        let other = try Keyring(master: .random())
        #expect(keys.lookup(email: "a@example.org") != other.lookup(email: "a@example.org"))
        #expect(try keys.fingerprint != other.fingerprint && keys.fingerprint == keyring().fingerprint)
    }

    @Test func `the same text is another thing as another kind of code`() throws {
        let keys = try keyring()
        let all = [
            keys.lookup(code: "12345678"), keys.lookup(deviceCode: "12345678"),
            keys.lookup(invitation: "12345678"), keys.lookup(recoveryCode: "12345678"),
            keys.lookup(wearableUser: "12345678"), keys.lookup(email: "12345678"),
        ]
        #expect(Set(all).count == all.count)
    }

    @Test(arguments: ["abcd-efgh", "ABCD EFGH", " aBcD–eFgH "])
    func `a recovery code is found as people type it`(_ typed: String) throws {
        let keys = try keyring()
        #expect(keys.lookup(recoveryCode: typed) == keys.lookup(recoveryCode: "ABCDEFGH"))
    }

    @Test func `a form's word belongs to one cookie, a secret to one sign-in, and marks to one account`()
        throws
    {
        let keys = try keyring()
        #expect(keys.formToken(for: "a") == keys.formToken(for: "a"))
        #expect(keys.formToken(for: "a") != keys.formToken(for: "b"))
        #expect(keys.pendingSecret(for: "a").count == 20)
        #expect(keys.pendingSecret(for: "a") != keys.pendingSecret(for: "b"))
        #expect(keys.deviceTag(for: owner).count == 22 && !keys.mailTag(for: owner).contains(owner.text))
        #expect(!keys.mailTag(for: owner).hasPrefix(keys.deviceTag(for: owner)))
    }

    @Test func `what is kept outlives a change of the master key, wrapped keys do not`() throws {
        let old = try keyring()
        let next = SecretKey.random()
        let new = try Keyring(master: next, kept: old.kept(for: next))
        #expect(new.lookup(email: "a@example.org") == old.lookup(email: "a@example.org"))
        #expect(new.lookup(code: "1") == old.lookup(code: "1") && new.audit.bytes == old.audit.bytes)
        #expect(new.fingerprint != old.fingerprint)
        let person = PersonKey(owner: owner)
        #expect(throws: SealBroken.self) { try new.unwrap(old.wrap(person), owner: owner) }
        // Kept for another master key, or cut short.
        #expect(throws: SealBroken.self) { try Keyring(master: master, kept: old.kept(for: next)) }
        let cut = Seal.close(
            Array(repeating: 1, count: 64), with: next.derived(for: "wrapping"), place: "keys/kept")
        #expect(throws: SealBroken.self) { try Keyring(master: next, kept: cut) }
    }

    @Test func `a wrapped key opens for its owner alone`() throws {
        let keys = try keyring()
        let person = PersonKey(owner: owner)
        let wrapped = keys.wrap(person)
        #expect(try keys.unwrap(wrapped, owner: owner).key.bytes == person.key.bytes)
        let other: ID<Account> = "11111111-2222-4333-8444-555555555555"
        #expect(throws: SealBroken.self) { try keys.unwrap(wrapped, owner: other) }
        #expect(throws: SealBroken.self) { try Keyring(master: .random()).unwrap(wrapped, owner: owner) }
    }

    @Test func `a sealed field opens in its own table, row and column alone`() throws {
        let key = PersonKey(owner: owner)
        let sealed = key.seal("sehr müde", for: place)
        #expect(try key.open(sealed, from: place) == "sehr müde")
        let others = [
            SealContext("drafts", "1", "text"), SealContext("notes", "2", "text"),
            SealContext("notes", "1", "more"),
        ]
        for other in others {
            #expect(throws: SealBroken.self) { try key.open(sealed, from: other) }
        }
        #expect(throws: SealBroken.self) { try PersonKey(owner: owner).open(sealed, from: place) }
        #expect(SealContext("notes", owner, "text").text == "notes/\(owner)/text")
    }

    @Test
    func `what is nobody's own opens with the installation's key, after a change of the master key too`()
        throws
    {
        let keys = try keyring()
        let sealed = keys.seal([1, 2, 3], for: place)
        let next = SecretKey.random()
        #expect(try Keyring(master: next, kept: keys.kept(for: next)).open(sealed, from: place) == [1, 2, 3])
        #expect(throws: SealBroken.self) { try keys.open(sealed, from: SealContext("notes", "2", "text")) }
    }
}
