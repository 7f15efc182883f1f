import Locks
import Templates
import Wire
import Wording

/// Counts in fixed windows of time, in memory: who restarts the server forgives.
package final class Limiter: Sendable {
    private struct Window {
        var ends: Instant
        var count: Int
    }

    private let windows = Lock<[String: Window]>([:])
    private static let capacity = 100_000

    /// Counts one more and throws when the window is over its limit.
    package func count(_ key: String, limit: Int, seconds: Int64, now: Instant) throws(Problem) {
        guard limit > 0 else { return }
        let window = windows.withLock { windows -> Window in
            if windows.count > Self.capacity { windows = windows.filter { $0.value.ends > now } }
            var window = windows[key] ?? Window(ends: now, count: 0)
            if window.ends <= now { window = Window(ends: now.adding(seconds: seconds), count: 0) }
            window.count += 1
            windows[key] = window
            return window
        }
        if window.count > limit { throw .tooManyRequests(retryAfter: Self.wait(until: window.ends, now)) }
    }

    /// Counts, and tells whether it was the first time in the window.
    func isFirst(_ key: String, seconds: Int64, now: Instant) -> Bool {
        do {
            try count(key, limit: 1, seconds: seconds, now: now)
            return true
        } catch {
            return false
        }
    }

    /// How often a key was counted in its running window.
    package func value(_ key: String, now: Instant) -> Int {
        windows.withLock { windows in
            guard let window = windows[key], window.ends > now else { return 0 }
            return window.count
        }
    }

    private static func wait(until end: Instant, _ now: Instant) -> Int {
        max(1, Int((end.milliseconds - now.milliseconds + 999) / 1000))
    }
}

/// Wrong logins: ten of an account from one address are free, then each costs a wait that doubles, up to a quarter
/// of an hour. Never a lock-out: from elsewhere the owner still gets in, until fifty wrong ones came from anywhere.
package final class LoginThrottle: Sendable {
    private struct Record {
        var wrong = 0
        var lastTry: Instant
        var waitUntil: Instant
    }

    private let records = Lock<[String: Record]>([:])
    private static let freeFromOneAddress = 10
    private static let freeAltogether = 50
    private static let longestWait: Int64 = 15 * 60
    /// Longer than the longest wait, or waiting would buy ten new tries.
    private static let memory: Int64 = 2 * longestWait

    /// Counts a try before its password is looked at, so that many at once do not slip through together.
    /// - Throws: `Problem.tooManyRequests` while a wait runs.
    package func begin(_ account: [UInt8], from address: String, now: Instant) throws(Problem) {
        let account = account.map { String($0, radix: 16) }.joined()
        let keys = [(account + " " + address, Self.freeFromOneAddress), (account, Self.freeAltogether)]
        let wait = records.withLock { records -> Int64 in
            if records.count > 50_000 {
                records = records.filter { $0.value.lastTry.adding(seconds: Self.memory) > now }
            }
            let waits = keys.map { key, _ in (records[key]?.waitUntil.milliseconds ?? 0) - now.milliseconds }
            if let longest = waits.max(), longest > 0 { return longest }
            for (key, free) in keys { records[key] = Self.counted(records[key], free, now) }
            return 0
        }
        if wait > 0 { throw .tooManyRequests(retryAfter: Int((wait + 999) / 1000)) }
    }

    private static func counted(_ old: Record?, _ free: Int, _ now: Instant) -> Record {
        var record = old ?? Record(lastTry: now, waitUntil: now)
        if record.lastTry.adding(seconds: memory) <= now { record.wrong = 0 }
        record.wrong += 1
        record.lastTry = now
        let over = record.wrong - free
        if over >= 0 { record.waitUntil = now.adding(seconds: min(longestWait, Int64(2) << min(over, 20))) }
        return record
    }

    /// The password was right: the address it came from is forgiven, and the try does not count elsewhere.
    package func right(_ account: [UInt8], from address: String) {
        let account = account.map { String($0, radix: 16) }.joined()
        records.withLock { records in
            records[account + " " + address] = nil
            records[account] = nil
        }
    }
}
