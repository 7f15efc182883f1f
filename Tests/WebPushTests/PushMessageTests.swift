import Foundation
import Secrets
import Testing

@testable import WebPush

/// RFC 8291, appendix A, byte for byte (PW-8, A7).
struct PushMessageTests {
    private let text = Array("When I grow up, I want to be a watermelon".utf8)
    private let point =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    private let secret = "BTBZMqHH6r4Tts7J_aSIgg"
    private let sealed =
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8"
        + "wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"

    private func bytes(_ text: String) throws -> [UInt8] { try #require(Base64URL.bytes(text)) }

    private func receiver() throws -> PushReceiver {
        try #require(PushReceiver(point: try bytes(point), secret: try bytes(secret)))
    }

    @Test func `the example of RFC 8291 comes out byte for byte`() throws {
        let own = try bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
        let sender = try #require(EllipticKey(secret: own))
        let made = try PushMessage.seal(
            text, for: try receiver(), sender: sender, salt: try bytes("DGv6ra1nlYgDCS1FRnbzlw"))
        #expect(Base64URL.text(made) == sealed)
    }

    @Test func `messages of every length look alike from outside, and no two are the same`() throws {
        let receiver = try receiver()
        let all = try [0, 1, 17, 200, 299, 300].map { count in
            try PushMessage.seal([UInt8](repeating: 65, count: count), for: receiver, padded: 300)
        }
        #expect(Set(all.map(\.count)) == [16 + 4 + 1 + 65 + 300 + 1 + 16])
        #expect(Set(all).count == all.count)
        #expect(throws: PushMessage.Unsealable.self) {
            try PushMessage.seal([UInt8](repeating: 65, count: 301), for: receiver, padded: 300)
        }
    }

    @Test func `the longest body is what every relay has to take, and not a byte more`() throws {
        let receiver = try receiver()
        #expect(PushMessage.longestText == 3993)
        #expect(try PushMessage.seal([], for: receiver, padded: 3993).count == 4096)
        #expect(throws: PushMessage.Unsealable.self) { try PushMessage.seal([], for: receiver, padded: 3994) }
    }

    @Test func `what the receiver opens is the text and its padding`() throws {
        let own = try #require(
            EllipticKey(secret: try bytes("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94")))
        #expect(Base64URL.text(own.publicPoint) == point)
        let made = try PushMessage.seal(text, for: try receiver(), padded: 100)
        #expect(
            try open(made, by: own, secret: try bytes(secret)) == text + [2]
                + [UInt8](repeating: 0, count: 100 - text.count))
        var changed = made
        changed[made.count - 1] ^= 1
        #expect(try open(changed, by: own, secret: try bytes(secret)) == nil)
    }

    /// bin/faults participants names a file: there another implementation opens ten thousand of them.
    @Test func `payloads of every kind are opened by whom they are for`() throws {
        let file = ProcessInfo.processInfo.environment["INTERSESSION_SEALED"]
        let own = EllipticKey.random()
        let secret = SecureRandom.bytes(16)
        let receiver = try #require(PushReceiver(point: own.publicPoint, secret: secret))
        var lines: [String] = [Base64URL.text(own.secret) + " " + Base64URL.text(secret)]
        for _ in 0..<(file == nil ? 50 : 10_000) {
            let plain = SecureRandom.bytes(Int.random(in: 0...768))
            let made = try PushMessage.seal(plain, for: receiver, padded: 768)
            let opened = try #require(try open(made, by: own, secret: secret))
            #expect(Array(opened.prefix(plain.count)) == plain && opened.count == 769)
            lines.append(Base64URL.text(made) + " " + Base64URL.text(plain))
        }
        if let file {
            try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
        }
    }

    /// As a browser does it.
    private func open(_ message: [UInt8], by own: EllipticKey, secret: [UInt8]) throws -> [UInt8]? {
        let (salt, sender) = (Array(message[..<16]), Array(message[21..<86]))
        let point = try #require(EllipticPoint(sender))
        let shared = try #require(own.agree(with: point))
        let whose = Array("WebPush: info\0".utf8) + own.publicPoint + sender
        let base = KeyDerivation.hkdf(secret: shared, salt: secret, info: whose, length: 32)
        let key = KeyDerivation.hkdf(
            secret: base, salt: salt, info: Array("Content-Encoding: aes128gcm\0".utf8), length: 16)
        let nonce = KeyDerivation.hkdf(
            secret: base, salt: salt, info: Array("Content-Encoding: nonce\0".utf8), length: 12)
        return SealedGCM.open(Array(message[86...]), key: key, nonce: nonce)
    }

    @Test func `keys that are none are refused`() throws {
        let good = try bytes(point)
        var off = good
        off[64] ^= 1
        let secret = try bytes(self.secret)
        #expect(PushReceiver(point: off, secret: secret) == nil)
        #expect(PushReceiver(point: Array(good.dropLast()), secret: secret) == nil)
        #expect(PushReceiver(point: [UInt8](repeating: 0, count: 65), secret: secret) == nil)
        #expect(PushReceiver(point: good, secret: secret + [0]) == nil)
        #expect(Base64URL.bytes("ab+c") == nil)
        #expect(Base64URL.bytes("_-8=") == [255, 239] && Base64URL.bytes("_-8") == [255, 239])
    }

    @Test func `a relay can tell who sends, and for how long that holds (RFC 8292)`() throws {
        let key = EllipticKey.random()
        let value = SenderToken.authorization(
            for: "https://push.example.org", subject: "mailto:team@example.org", until: 1_795_400_000, by: key
        )
        let parts = try #require(value.wholeMatch(of: /vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)/))
        let point = try #require(EllipticPoint(try bytes(String(parts.4))))
        let signature = try bytes(String(parts.3))
        #expect(point.bytes == key.publicPoint)
        #expect(point.verifies(signature, of: Array("\(parts.1).\(parts.2)".utf8)))
        #expect(!point.verifies(signature, of: Array("\(parts.1).\(parts.2)x".utf8)))
        #expect(
            String(decoding: try bytes(String(parts.2)), as: UTF8.self)
                == #"{"aud":"https://push.example.org","exp":1795400000,"sub":"mailto:team@example.org"}"#)
    }
}
