import Foundation
import Testing
import Wire

@testable import PortalClient

/// PW-7: the key as people carry it over, and a vault that a browser has sealed.
struct VaultKeyTests {
    @Test func `a key is read as it was written, also by who writes small and takes a zero for an O`() throws
    {
        for _ in 0..<200 {
            let key = VaultKey.random()
            #expect(key.groups.split(separator: "-").map(\.count) == Array(repeating: 4, count: 14))
            #expect(VaultKey(key.groups) == key && VaultKey(key.code) == key)
            let written = key.groups.lowercased().replacing("-", with: " ").replacing("0", with: "o")
                .replacing("1", with: "l")
            #expect(VaultKey(written) == key)
        }
    }

    @Test func `RP-214 blanks, dashes and signs without a shape are left out, and letters stay`() {
        let key = VaultKey.random()
        for typed in [
            key.groups.replacing("-", with: "\u{2013}"), key.groups.replacing("-", with: "\u{2212}"),
            key.groups.replacing("-", with: "\u{A0}"), "\u{202A}\(key.groups)\u{202C}", "\u{FEFF}\(key.code)",
            key.groups.replacing("-", with: "\u{AD}\u{200B}"), key.code.replacing(":", with: ":\u{2060} "),
        ] { #expect(VaultKey(typed) == key, "\(typed.unicodeScalars.map(\.value))") }
        for typed in [key.groups.replacing("-", with: "."), key.groups + "\u{301}", "x" + key.groups] {
            #expect(VaultKey(typed) == nil)
        }
    }

    @Test func `a slip of the pen is told`() {
        let groups = VaultKey.random().groups
        var caught = 0
        let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        for (place, letter) in groups.enumerated() where letter != "-" {
            for other in letters where other != letter {
                var typed = Array(groups)
                typed[place] = other
                if VaultKey(String(typed)) == nil { caught += 1 }
            }
        }
        // Of 56 × 31 slips one in a million would pass.
        #expect(caught == 56 * 31)
        #expect(
            VaultKey("") == nil && VaultKey(String(groups.dropLast())) == nil && VaultKey(groups + "0") == nil
        )
        #expect(VaultKey(groups.replacing("-", with: "!")) == nil)
    }

    @Test func `a vault opens with its own key alone, and not once it was changed`() throws {
        let key = VaultKey.random()
        let note = VaultNote(answer: "Grüße", isDone: true, changedAt: Instant("2026-11-20T09:00:00Z")!)
        var bytes = try SealedVault.close(["x": note], key: key)
        #expect(try SealedVault.open(bytes, key: key) == ["x": note])
        #expect(throws: VaultClosed.self) { try SealedVault.open(bytes, key: .random()) }
        #expect(throws: VaultClosed.self) { try SealedVault.open(bytes, password: "anders") }
        let old = try SealedVault.close(["x": note], password: "anders")
        #expect(throws: VaultClosed.self) { try SealedVault.open(old, key: key) }
        bytes[bytes.count - 1] ^= 1
        #expect(throws: VaultClosed.self) { try SealedVault.open(bytes, key: key) }
        for length in 0..<29 {
            #expect(throws: VaultClosed.self) { try SealedVault.open(bytes.prefix(length), key: key) }
        }
    }

    @Test func `what a browser has sealed opens here`() throws {
        // Made by static/own/vault.js; the other way round stands in Tests/Browser/test_words.py.
        let key = try #require(
            VaultKey("003G-W58W-4CN3-2E1Z-8S6N-8PV2-D5R7-EZM5-HJ9S-N8D8-NYVB-VH6B-TBCG-WQ41"))
        let sealed = try #require(
            Data(
                base64Encoded:
                    "AvEF7LrnWG+Myvwj0g6nByxOaP9GWWTQml2RFLdaGu6KZ1smnB1iAQeV83hQXsCe5pvfAe1LpKGmA5/qe2B3CfluB1b+i4ic+ELj"
                    + "X7cWXJGVL8Vm5dzpbhIzDQWkEZ/lxqLQ7Jpzkxpj02JqPGZDwSWw8RWJKb8BB7b2wx0jqt67+I8uWzdc4zLc+5C7akZfWFzWS1VQGAc0"
                    + "NuTqH6WwTdZYSTDET7z36/8="))
        let notes = try SealedVault.open(sealed, key: key)
        #expect(notes["7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11"]?.answer == "Grüße aus dem Tunnel")
    }
}
