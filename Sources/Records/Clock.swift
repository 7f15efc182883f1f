import Foundation
import Locks
import Secrets
import Wire

/// The source of the present time; tests pass their own.
package struct Clock: Sendable {
    package let read: @Sendable () -> Instant

    package init(_ read: @escaping @Sendable () -> Instant) { self.read = read }

    package static let system = Clock {
        Instant(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
    }

    package var now: Instant { read() }

    /// For simulations: milliseconds since 1970 as decimal text, read anew each time. Writing the file moves the time.
    /// - Throws: `StartError` when the file cannot be opened.
    package static func file(_ path: String) throws -> Clock {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StartError("the clock \(path) cannot be read") }
        let last = Lock(Instant(milliseconds: 0))
        return Clock {
            var bytes = [UInt8](repeating: 0, count: 20)
            let count = pread(descriptor, &bytes, bytes.count, 0)
            let text = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
            return last.withLock { last in
                // Caught while the file was being written: keep the time before.
                if let read = Int64(text.trimmingCharacters(in: .whitespacesAndNewlines)) {
                    last = Instant(milliseconds: read)
                }
                return last
            }
        }
    }
}

/// The source of randomness and new ids; the demonstration clinic passes its own, so that it is always the same.
package struct Randomness: Sendable {
    package let bytes: @Sendable (Int) -> [UInt8]

    package init(_ bytes: @escaping @Sendable (Int) -> [UInt8]) { self.bytes = bytes }

    package static let system = Randomness { SecureRandom.bytes($0) }

    /// A random UUID (version 4) in lower case.
    package func uuid() -> String { Self.uuid(bytes(16), version: 4) }

    package func id<Entity>() -> ID<Entity> { ID(uuid()) }

    /// Sixteen bytes as a UUID of a version (RFC 9562).
    package static func uuid(_ bytes: [UInt8], version: UInt8) -> String {
        var bytes = bytes
        bytes[6] = bytes[6] & 0x0f | version << 4
        bytes[8] = bytes[8] & 0x3f | 0x80
        return String(unsafeUninitializedCapacity: 36) { text in
            var place = 0
            for index in 0..<16 {
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    text[place] = UInt8(ascii: "-")
                    place += 1
                }
                text[place] = hexDigit(bytes[index] >> 4)
                text[place + 1] = hexDigit(bytes[index] & 15)
                place += 2
            }
            return 36
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// Many ids at the price of one draw, in the order of time (version 7): rows stored by the thousand then lie side
    /// by side, instead of all over the index.
    package func ids<Entity>(_ count: Int, at now: Instant) -> [ID<Entity>] {
        let random = bytes(count * 8)
        return (0..<count).map { index in
            var bytes = (0..<6).map { UInt8(truncatingIfNeeded: now.milliseconds >> (40 - 8 * $0)) }
            // Twelve bits count within the millisecond, to keep the order.
            bytes += [UInt8(truncatingIfNeeded: index >> 8), UInt8(truncatingIfNeeded: index)]
            bytes += random[(index * 8)..<(index * 8 + 8)]
            return ID(Self.uuid(bytes, version: 7))
        }
    }

    /// Any number, each equally likely.
    package func number() -> UInt64 { bytes(8).reduce(0) { $0 << 8 | UInt64($1) } }

    /// Random decimal digits, each equally likely: bytes that would favour some are drawn again.
    package func digits(_ count: Int) -> String {
        var text = ""
        while text.utf8.count < count {
            for byte in bytes(16) where byte < 250 && text.utf8.count < count { text += String(byte % 10) }
        }
        return text
    }
}

/// The UUID in lower case; nil for any other text.
package func uuid(_ text: String) -> String? {
    UUID(uuidString: text).map { $0.uuidString.lowercased() }
}
