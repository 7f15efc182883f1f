import Wire
import Wording

/// Slows down wrong logins: ten of an account from one address are free, then each costs a wait that doubles, up to a
/// quarter of an hour. Never a lock-out: the owner still gets in from elsewhere, until fifty wrong ones came from
/// anywhere.
package final class LoginThrottle: Sendable {
    private struct Record: Remembered {
        var wrong = 0
        var lastTry: Instant
        var waitUntil: Instant

        var until: Instant { lastTry.adding(seconds: memorySeconds) }
    }

    private let memory: ShortMemory
    private static let freeFromOneAddress = 10
    private static let freeAltogether = 50
    private static let longestWait: Int64 = 15 * 60
    /// Longer than the longest wait: otherwise waiting would earn ten new tries.
    private static let memorySeconds: Int64 = 2 * longestWait

    package init(_ memory: ShortMemory) { self.memory = memory }

    private static func names(_ account: [UInt8], _ address: String) -> [String] {
        let account = account.map { String($0, radix: 16) }.joined()
        return ["login \(account) \(address)", "login \(account)", forgiven(account)]
    }

    private static func forgiven(_ account: String) -> String { "login forgiven \(account)" }

    /// Counts a try before its password is checked, so that many at once do not slip through together.
    /// - Throws: `Problem.tooManyRequests` while a wait runs.
    package func begin(_ account: [UInt8], from address: String, now: Instant) throws {
        let wait = try memory.change(Self.names(account, address), now: now) {
            (records: inout [Record?]) -> Int64 in
            if let forgiven = records[2]?.lastTry {
                for index in 0..<2 where (records[index]?.lastTry ?? now) < forgiven { records[index] = nil }
            }
            let waits = records.prefix(2).map { ($0?.waitUntil.milliseconds ?? 0) - now.milliseconds }
            if let longest = waits.max(), longest > 0 { return longest }
            for (index, free) in [Self.freeFromOneAddress, Self.freeAltogether].enumerated() {
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

    /// The password was right: the counts of its address are reset, and the try does not count elsewhere.
    package func right(_ account: [UInt8], from address: String, now: Instant) throws {
        try memory.change(Self.names(account, address), now: now) { (records: inout [Record?]) in
            records = [nil, nil, records[2]]
        }
    }

    /// Ends all waits and counts of an account, from whatever address they came: its owner has proved the mailbox.
    package func forgive(_ account: [UInt8], now: Instant) throws {
        let name = Self.forgiven(account.map { String($0, radix: 16) }.joined())
        try memory.change(name, now: now) { (record: inout Record?) in
            record = Record(lastTry: now, waitUntil: Instant(milliseconds: 0))
        }
    }
}
