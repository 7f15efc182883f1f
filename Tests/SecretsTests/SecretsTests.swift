import Foundation
import Secrets
import Testing

@Suite struct SealTests {
    let key = SecretKey.random()

    @Test func `E3 sealed bytes open only in their own place`() throws {
        let sealed = Seal.close(Array("a note".utf8), with: key, place: "therapies/1/note")
        #expect(throws: SealBroken.self) { try Seal.open(sealed, with: key, place: "therapies/2/note") }
        #expect(throws: SealBroken.self) { try Seal.open(sealed, with: .random(), place: "therapies/1/note") }
        try #expect(Seal.open(sealed, with: key, place: "therapies/1/note") == Array("a note".utf8))
    }

    @Test func `any changed or missing byte is noticed`() throws {
        let sealed = Seal.close([1, 2, 3], with: key, place: "p")
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(throws: SealBroken.self) { try Seal.open(changed, with: key, place: "p") }
        }
        for count in 0..<sealed.count {
            #expect(throws: SealBroken.self) {
                try Seal.open(Array(sealed.prefix(count)), with: key, place: "p")
            }
        }
    }

    @Test func `nothing and much can be sealed, twice never the same`() throws {
        for message in [[], [UInt8](repeating: 7, count: 100_000)] {
            let one = Seal.close(message, with: key, place: "")
            let two = Seal.close(message, with: key, place: "")
            #expect(one != two)
            try #expect(Seal.open(two, with: key, place: "") == message)
        }
    }
}

@Suite struct PasswordHashTests {
    @Test func `C1 hashes are argon2id with 19 MiB and two passes`() throws {
        let hash = try #require(PasswordHash.make("correct horse battery staple"))
        #expect(hash.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
        #expect(!PasswordHash.isOutdated(hash))
        #expect(PasswordHash.isOutdated("$argon2id$v=19$m=8192,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$abc"))
    }

    @Test func `C2 a long password is not cut, and blanks and umlauts count`() throws {
        let long = String(repeating: "ä b", count: 40)
        let hash = try #require(PasswordHash.make(long))
        #expect(!PasswordHash.verify(String(long.dropLast()), against: hash))
        #expect(!PasswordHash.verify(long + "c", against: hash))
        #expect(PasswordHash.verify(long, against: hash))
        #expect(!PasswordHash.verify(long, against: "no hash at all"))
    }
}

@Suite struct TokenTests {
    @Test func `C10 tokens are long, all different, and stored as something else`() {
        let tokens = (0..<10_000).map { _ in Token() }
        #expect(Set(tokens.map(\.text)).count == 10_000)
        #expect(tokens.allSatisfy { $0.text.utf8.count == 43 })
        #expect(tokens[0].hash != Array(tokens[0].text.utf8))
        #expect(Token(tokens[0].text)?.hash == tokens[0].hash)
    }

    @Test(arguments: [
        "", "short", String(repeating: "a", count: 44), String(repeating: "a", count: 42) + "=",
    ])
    func `what cannot be a token is none`(text: String) { #expect(Token(text) == nil) }

    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
    ])
    func `base64url follows the vectors of RFC 4648`(text: String, expected: String) {
        #expect(Token.base64url(Array(text.utf8)) == expected)
    }
}

@Suite struct KeyTests {
    @Test func `keys for different purposes differ and stay the same`() {
        let key = SecretKey.random()
        #expect(key.derived(for: "a").bytes != key.derived(for: "b").bytes)
        #expect(key.derived(for: "a").bytes == key.derived(for: "a").bytes)
        #expect(Digest.keyed(key, [1]) != Digest.keyed(.random(), [1]))
    }

    @Test func `comparison in constant time says the same as ==`() {
        #expect(equalInConstantTime([], []))
        #expect(equalInConstantTime([1, 2], [1, 2]))
        #expect(!equalInConstantTime([1, 2], [1, 3]))
        #expect(!equalInConstantTime([1, 2], [1]))
    }

    @Test func `the key file is made once, readable by its owner only, and a damaged one is refused`() throws
    {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/keys/master.key"
        let key = try KeyFile.loadOrCreate(path)
        try #expect(KeyFile.loadOrCreate(path).bytes == key.bytes)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path))
        #expect(throws: KeyFileError.self) { try KeyFile.loadOrCreate(path) }
    }
}

@Suite struct DigestTests {
    /// RFC 4231, test cases 1, 2 and 6.
    @Test func `HMAC with SHA-256 is what others come to`() {
        let cases: [(key: [UInt8], message: String, code: String)] = [
            (
                Array(repeating: 0x0b, count: 20), "Hi There",
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), "what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                Array(repeating: 0xaa, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ]
        for one in cases {
            #expect(hexadecimalDigits(Digest.hmacSHA256(key: one.key, Array(one.message.utf8))) == one.code)
        }
    }
}
