import Synchronization
import Wire

/// Counts in fixed windows of time, in memory: who restarts the server forgives.
final class Limiter: Sendable {
    private struct Window {
        var ends: Instant
        var count: Int
    }

    private let windows = Mutex<[String: Window]>([:])
    private static let capacity = 100_000

    /// Counts one more and throws when the window is over its limit.
    func count(_ key: String, limit: Int, seconds: Int64, now: Instant) throws(Problem) {
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

    /// How often a key was counted in its running window.
    func value(_ key: String, now: Instant) -> Int {
        windows.withLock { windows in
            guard let window = windows[key], window.ends > now else { return 0 }
            return window.count
        }
    }

    func forget(_ key: String) { windows.withLock { $0[key] = nil } }

    private static func wait(until end: Instant, _ now: Instant) -> Int {
        max(1, Int((end.milliseconds - now.milliseconds + 999) / 1000))
    }
}

/// Wrong logins of one account: ten in a quarter of an hour are free, then each costs a wait that doubles, up
/// to a quarter of an hour. Never a lock-out.
final class LoginThrottle: Sendable {
    private struct Record {
        var wrong = 0
        var lastWrong: Instant
        var waitUntil: Instant
    }

    private let records = Mutex<[[UInt8]: Record]>([:])
    private static let free = 10
    private static let memory: Int64 = 15 * 60

    func check(_ account: [UInt8], now: Instant) throws(Problem) {
        let wait = records.withLock { records in records[account].map { $0.waitUntil.milliseconds - now.milliseconds } }
        if let wait, wait > 0 { throw .tooManyRequests(retryAfter: Int((wait + 999) / 1000)) }
    }

    func wrong(_ account: [UInt8], now: Instant) {
        records.withLock { records in
            if records.count > 50_000 {
                records = records.filter { $0.value.lastWrong.adding(seconds: Self.memory) > now }
            }
            var record = records[account] ?? Record(lastWrong: now, waitUntil: now)
            if record.lastWrong.adding(seconds: Self.memory) <= now { record.wrong = 0 }
            record.wrong += 1
            record.lastWrong = now
            let over = record.wrong - Self.free
            if over >= 0 { record.waitUntil = now.adding(seconds: min(Self.memory, Int64(2) << min(over, 20))) }
            records[account] = record
        }
    }

    func right(_ account: [UInt8]) { records.withLock { $0[account] = nil } }
}
