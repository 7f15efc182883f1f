import Identity
import Records
import Wire
import Wording

/// By what tries of an account's password or code are counted.
package struct TrySource: Sendable, Equatable {
    fileprivate let name: String
    /// Whether the account signed in from there before, or is signed in: tries from elsewhere cost it no wait.
    package let isKnown: Bool
    /// Whether it is a browser or an app of the account, not an address that it shares with others.
    package let isDevice: Bool

    private init(_ name: String, isKnown: Bool, isDevice: Bool) {
        self.name = name
        self.isKnown = isKnown
        self.isDevice = isDevice
    }

    package static func address(_ address: String, isKnown: Bool = false) -> TrySource {
        TrySource(address, isKnown: isKnown, isDevice: false)
    }

    /// A browser that signed in to the account before, by what its cookie holds.
    package static func browser(_ id: String) -> TrySource {
        TrySource("browser \(id)", isKnown: true, isDevice: true)
    }

    /// A session or token of the account, in force or, of an app, run out by time.
    package static func credential(_ id: ID<Credential>) -> TrySource {
        TrySource("credential \(id)", isKnown: true, isDevice: true)
    }
}

/// Slows down wrong logins: ten of an account from one source are free, then each costs a wait that doubles, up to a
/// quarter of an hour. Fifty from sources that the account never signed in from cost all such sources a wait. Never a
/// lock-out: where the account signed in before, only what was tried there counts.
package final class LoginThrottle: Sendable {
    private struct Record: Remembered {
        var wrong = 0
        var lastTry: Instant
        var waitUntil: Instant

        var until: Instant { lastTry.adding(seconds: memorySeconds) }
    }

    private let memory: ShortMemory
    private static let freeFromOneSource = 10
    private static let freeAltogether = 50
    private static let longestWait: Int64 = 15 * 60
    /// Longer than the longest wait: otherwise waiting would earn ten new tries.
    private static let memorySeconds: Int64 = 2 * longestWait

    package init(_ memory: ShortMemory) { self.memory = memory }

    /// When the account's waits were forgiven, then what the source counts in: its own tries, and those of all strangers
    /// where it is one.
    private static func names(_ account: [UInt8], _ source: TrySource) -> [String] {
        let account = hex(account)
        let own = [forgiven(account), "login \(account) \(source.name)"]
        return source.isKnown ? own : own + ["login \(account)"]
    }

    private static func hex(_ bytes: [UInt8]) -> String { bytes.map { String($0, radix: 16) }.joined() }

    private static func forgiven(_ account: String) -> String { "login forgiven \(account)" }

    /// Counts a try before its password is checked, so that many at once do not slip through together.
    /// - Throws: `Problem.tooManyRequests` while a wait runs.
    package func begin(_ account: [UInt8], from source: TrySource, now: Instant) throws {
        let wait = try memory.change(Self.names(account, source), now: now) {
            (records: inout [Record?]) -> Int64 in
            let counts = records.indices.dropFirst()
            if let forgiven = records[0]?.lastTry {
                for index in counts where (records[index]?.lastTry ?? now) < forgiven { records[index] = nil }
            }
            let waits = counts.map { (records[$0]?.waitUntil.milliseconds ?? 0) - now.milliseconds }
            if let longest = waits.max(), longest > 0 { return longest }
            for (index, free) in zip(counts, [Self.freeFromOneSource, Self.freeAltogether]) {
                records[index] = Self.counted(records[index], free, now)
            }
            return 0
        }
        if wait > 0 { throw Problem.tooManyRequests(retryAfter: Int((wait + 999) / 1000)) }
    }

    private static func counted(_ old: Record?, _ free: Int, _ now: Instant) -> Record {
        // No wait begins with the epoch and not now: another portal's clock may be behind.
        var record = old ?? Record(lastTry: now, waitUntil: Instant(milliseconds: 0))
        record.wrong += 1
        record.lastTry = now
        let over = record.wrong - free
        if over >= 0 { record.waitUntil = now.adding(seconds: min(longestWait, Int64(2) << min(over, 20))) }
        return record
    }

    /// The password was right: what its source counts in begins anew.
    package func right(_ account: [UInt8], from source: TrySource, now: Instant) throws {
        try memory.change(Self.names(account, source), now: now) { (records: inout [Record?]) in
            for index in records.indices.dropFirst() { records[index] = nil }
        }
    }

    /// Ends all waits and counts of an account, from whatever source they came: its owner has proved the mailbox.
    package func forgive(_ account: [UInt8], now: Instant) throws {
        try memory.change(Self.forgiven(Self.hex(account)), now: now) { (record: inout Record?) in
            record = Record(lastTry: now, waitUntil: Instant(milliseconds: 0))
        }
    }
}
