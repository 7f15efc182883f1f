import Testing

@testable import Secrets

struct EllipticKeyTests {
    private func bytes(_ hex: String) -> [UInt8] {
        stride(from: 0, to: hex.count, by: 2).compactMap { start in
            let begin = hex.index(hex.startIndex, offsetBy: start)
            return UInt8(hex[begin..<hex.index(begin, offsetBy: 2)], radix: 16)
        }
    }

    @Test func `both sides agree on one secret, and on another with anybody else`() throws {
        let (one, other, third) = (EllipticKey.random(), EllipticKey.random(), EllipticKey.random())
        let shared = one.agree(with: try #require(EllipticPoint(other.publicPoint)))
        #expect(shared?.count == 32)
        #expect(shared == other.agree(with: try #require(EllipticPoint(one.publicPoint))))
        #expect(shared != third.agree(with: try #require(EllipticPoint(one.publicPoint))))
        #expect(EllipticKey(secret: one.secret)?.publicPoint == one.publicPoint)
    }

    @Test func `secrets out of range are refused: zero, the order of the curve, another length`() {
        let order = bytes("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
        #expect(EllipticKey(secret: [UInt8](repeating: 0, count: 32)) == nil)
        #expect(EllipticKey(secret: order) == nil)
        #expect(EllipticKey(secret: Array(order.dropLast()) + [0x50]) != nil)
        #expect(EllipticKey(secret: Array(order.dropLast())) == nil)
    }

    @Test func `a signature holds for its text and its key alone`() throws {
        let key = EllipticKey.random()
        let point = try #require(EllipticPoint(key.publicPoint))
        let signature = key.sign(Array("text".utf8))
        #expect(signature.count == 64)
        #expect(point.verifies(signature, of: Array("text".utf8)))
        #expect(!point.verifies(signature, of: Array("Text".utf8)))
        #expect(!point.verifies(Array(signature.dropLast()), of: Array("text".utf8)))
        let stranger = try #require(EllipticPoint(EllipticKey.random().publicPoint))
        #expect(!stranger.verifies(signature, of: Array("text".utf8)))
    }

    @Test func `a signature that others made holds (RFC 6979, A.2.5)`() throws {
        let key = try #require(
            EllipticKey(secret: bytes("c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721")))
        #expect(
            key.publicPoint
                == [4] + bytes("60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6")
                + bytes("7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"))
        let signature =
            bytes("efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716")
            + bytes("f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8")
        let point = try #require(EllipticPoint(key.publicPoint))
        #expect(point.verifies(signature, of: Array("sample".utf8)))
        #expect(!point.verifies([UInt8](repeating: 0, count: 64), of: Array("sample".utf8)))
    }

    @Test func `HKDF gives what RFC 5869 says (cases 1, 2 and 3)`() {
        #expect(
            KeyDerivation.hkdf(
                secret: Array(0...0x4f), salt: Array(0x60...0xaf), info: Array(0xb0...0xff), length: 82)
                == bytes("b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c")
                + bytes("59045a99cac7827271cb")
                + bytes("41c65e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87"))
        let secret = [UInt8](repeating: 0x0b, count: 22)
        #expect(
            KeyDerivation.hkdf(
                secret: secret, salt: bytes("000102030405060708090a0b0c"),
                info: bytes("f0f1f2f3f4f5f6f7f8f9"),
                length: 42)
                == bytes(
                    "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"))
        #expect(
            KeyDerivation.hkdf(secret: secret, salt: [], info: [], length: 42)
                == bytes(
                    "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"))
    }

    @Test func `AES-GCM gives what NIST says, and opens nothing that was changed`() {
        // The Galois/Counter Mode of Operation, test case 4 (128 bits) and 16 (256 bits).
        let plain = bytes(
            "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
        )
        let (nonce, about) = (
            bytes("cafebabefacedbaddecaf888"), bytes("feedfacedeadbeeffeedfacedeadbeefabaddad2")
        )
        let half = bytes("feffe9928665731c6d6a8f9467308308")
        let short = SealedGCM.close(plain, key: half, nonce: nonce, about: about)
        #expect(short.suffix(16) == bytes("5bc94fbc3221a5db94fae95ae7121a47")[...])
        let long = SealedGCM.close(plain, key: half + half, nonce: nonce, about: about)
        #expect(long.suffix(16) == bytes("76fc6ece0f4e1768cddf8853bb2d551b")[...])
        #expect(SealedGCM.open(long, key: half + half, nonce: nonce, about: about) == plain)
        #expect(SealedGCM.open(long, key: half + half, nonce: nonce) == nil)
        #expect(SealedGCM.open(Array(long.dropLast()), key: half + half, nonce: nonce, about: about) == nil)
        #expect(SealedGCM.open(SealedGCM.close([], key: half, nonce: nonce), key: half, nonce: nonce) == [])
        #expect(SealedGCM.open([1, 2, 3], key: half, nonce: nonce) == nil)
    }
}
