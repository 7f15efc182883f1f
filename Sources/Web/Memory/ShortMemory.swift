import Database
import Foundation
import Locks
import Records
import Secrets
import Wire

/// Something that is remembered for minutes, and need not outlive the program.
package protocol Remembered: Codable, Sendable {
    /// When it is forgotten.
    var until: Instant { get }
}

/// What is remembered for minutes, by names: counts, codes that are shown once, forms that were interrupted. Where several portals
/// serve from one database it lies there, sealed and under names that disclose nothing; else in the memory of the process, and is lost
/// with it.
package final class ShortMemory: Sendable {
    fileprivate struct Entry: Sendable {
        let bytes: [UInt8]
        let until: Instant
    }

    private struct Kept {
        var entries: [String: Entry] = [:]
        var bytes = 0
    }

    private let kept = Lock(Kept())
    private let shared: (records: Records, keys: Keyring)?
    /// Beyond so many bytes together, nothing is remembered that needs more than a count does.
    private static let capacity = 16 * 1024 * 1024
    private static let small = 4_096
    /// How many there may be before those that are over are looked for.
    private static let many = 10_000

    package init(_ records: Records, _ keys: Keyring) {
        shared = records.isShared ? (records, keys) : nil
    }

    /// In the process alone.
    package init() { shared = nil }

    /// What is remembered under a name.
    package func read<V: Remembered>(_ name: String, as type: V.Type, now: Instant) throws -> V? {
        if let shared {
            return try shared.records.read { try Self.value(Self.stored(name, shared.keys, $0), now) }
        }
        return try Self.value(kept.withLock { $0.entries[name] }, now)
    }

    /// Changes what is remembered under a name as one step, against every other portal; nil forgets it.
    @discardableResult
    package func change<V: Remembered, R: Sendable>(
        _ name: String, now: Instant, _ body: @escaping @Sendable (_ value: inout V?) throws -> R
    ) throws -> R {
        try change([name], now: now) { try body(&$0[0]) }
    }

    /// The same for several names together.
    @discardableResult
    package func change<V: Remembered, R: Sendable>(
        _ names: [String], now: Instant, _ body: @escaping @Sendable (_ values: inout [V?]) throws -> R
    ) throws -> R {
        if let shared {
            return try shared.records.writeUnaudited(.shortMemory) { connection in
                let keys = shared.keys
                var values: [V?] = try names.map { try Self.value(Self.stored($0, keys, connection), now) }
                let result = try body(&values)
                for (name, value) in zip(names, values) {
                    try Self.store(value, under: name, keys, connection)
                }
                return result
            }
        }
        return try kept.withLock { kept in
            var values: [V?] = try names.map { try Self.value(kept.entries[$0], now) }
            let result = try body(&values)
            for (name, value) in zip(names, values) { try Self.put(value, under: name, at: now, &kept) }
            return result
        }
    }

    private static func value<V: Remembered>(_ entry: Entry?, _ now: Instant) throws -> V? {
        guard let entry, entry.until > now else { return nil }
        return try JSONDecoder().decode(V.self, from: Data(entry.bytes))
    }

    private static func put<V: Remembered>(
        _ value: V?, under name: String, at now: Instant, _ kept: inout Kept
    ) throws {
        if let old = kept.entries.removeValue(forKey: name) { kept.bytes -= old.bytes.count }
        guard let value else { return }
        if kept.entries.count >= many {
            kept.entries = kept.entries.filter { $0.value.until > now }
            kept.bytes = kept.entries.values.reduce(0) { $0 + $1.bytes.count }
        }
        let bytes = Array(try JSONEncoder().encode(value))
        guard bytes.count <= small || kept.bytes + bytes.count <= capacity else { return }
        kept.entries[name] = Entry(bytes: bytes, until: value.until)
        kept.bytes += bytes.count
    }

    // MARK: In the database

    private static func place(_ hidden: String) -> SealContext {
        SealContext("short_memory", hidden, "value")
    }

    private static func stored(
        _ name: String, _ keys: Keyring, _ connection: borrowing Connection
    ) throws -> Entry? {
        let hidden = keys.lookup(remembered: name)
        guard let found = try ShortMemoryStore.find(hidden, connection),
            let bytes = try? keys.open(found.value, from: place(hidden))
        else { return nil }
        return Entry(bytes: bytes, until: found.until)
    }

    private static func store<V: Remembered>(
        _ value: V?, under name: String, _ keys: Keyring, _ connection: borrowing Connection
    ) throws {
        let hidden = keys.lookup(remembered: name)
        guard let value else { return try ShortMemoryStore.remove(hidden, connection) }
        let sealed = keys.seal(Array(try JSONEncoder().encode(value)), for: place(hidden))
        if sealed.count > small {
            let used = try ShortMemoryStore.bytes(connection)
            guard used + sealed.count <= capacity else {
                return try ShortMemoryStore.remove(hidden, connection)
            }
        }
        try ShortMemoryStore.set(hidden, sealed, until: value.until, connection)
    }
}
