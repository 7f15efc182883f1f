import Foundation
import Secrets
import Wire

/// Where the present comes from; tests pass their own.
struct Clock: Sendable {
    let read: @Sendable () -> Instant

    init(_ read: @escaping @Sendable () -> Instant) { self.read = read }

    static let system = Clock {
        Instant(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
    }

    var now: Instant { read() }
}

/// Where chance and new ids come from; the demonstration clinic passes its own, so that it is always the same.
struct Chance: Sendable {
    let bytes: @Sendable (Int) -> [UInt8]

    init(_ bytes: @escaping @Sendable (Int) -> [UInt8]) { self.bytes = bytes }

    static let system = Chance { SecureRandom.bytes($0) }

    /// A random UUID (version 4) in lower case.
    func id() -> String { Self.uuid(bytes(16), version: 4) }

    /// Sixteen bytes as a UUID of a version (RFC 9562).
    static func uuid(_ bytes: [UInt8], version: UInt8) -> String {
        var bytes = bytes
        bytes[6] = bytes[6] & 0x0f | version << 4
        bytes[8] = bytes[8] & 0x3f | 0x80
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
            text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Random decimal digits, each equally likely: bytes that would favour one are drawn again.
    func digits(_ count: Int) -> String {
        var text = ""
        while text.utf8.count < count {
            for byte in bytes(16) where byte < 250 && text.utf8.count < count { text += String(byte % 10) }
        }
        return text
    }
}

/// A UUID in lower case, nil when the text is none.
func uuid(_ text: String) -> String? {
    UUID(uuidString: text).map { $0.uuidString.lowercased() }
}
