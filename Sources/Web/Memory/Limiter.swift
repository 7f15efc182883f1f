import Locks
import Wire
import Wording

/// Counts in fixed windows of time. What protects this portal from load is counted in its process; what protects people (wrong codes,
/// mails) is counted by all portals together.
package final class Limiter: Sendable {
    private struct Window: Remembered {
        var until: Instant
        var count: Int
    }

    private let windows = Lock<[String: Window]>([:])
    private let memory: ShortMemory?
    private static let capacity = 100_000

    /// - Parameter memory: where all portals count together; nil counts in the process.
    package init(_ memory: ShortMemory? = nil) { self.memory = memory }

    /// Counts one more and throws when the window is over its limit.
    package func count(_ key: String, limit: Int, seconds: Int64, now: Instant) throws(Problem) {
        guard limit > 0 else { return }
        let window = try change(key, now: now) { found in
            var window = found ?? Window(until: now.adding(seconds: seconds), count: 0)
            window.count += 1
            found = window
            return window
        }
        if window.count > limit { throw .tooManyRequests(retryAfter: Self.wait(until: window.until, now)) }
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

    /// Throws where the running window has reached its limit; counts nothing.
    package func check(_ key: String, limit: Int, now: Instant) throws(Problem) {
        guard let window = try window(key, now: now), window.count >= limit else { return }
        throw .tooManyRequests(retryAfter: Self.wait(until: window.until, now))
    }

    /// How often a key was counted in its running window.
    package func value(_ key: String, now: Instant) throws(Problem) -> Int {
        try window(key, now: now)?.count ?? 0
    }

    private func window(_ key: String, now: Instant) throws(Problem) -> Window? {
        guard let memory else {
            return windows.withLock { windows in windows[key].flatMap { $0.until > now ? $0 : nil } }
        }
        do {
            return try memory.read(Self.name(key), as: Window.self, now: now)
        } catch {
            throw Self.away
        }
    }

    private func change(
        _ key: String, now: Instant, _ body: @escaping @Sendable (inout Window?) -> Window
    ) throws(Problem) -> Window {
        guard let memory else {
            return windows.withLock { windows in
                if windows.count > Self.capacity { windows = windows.filter { $0.value.until > now } }
                var window = windows[key].flatMap { $0.until > now ? $0 : nil }
                let result = body(&window)
                windows[key] = window
                return result
            }
        }
        do {
            return try memory.change(Self.name(key), now: now, body)
        } catch {
            throw Self.away
        }
    }

    private static func name(_ key: String) -> String { "count \(key)" }

    /// What cannot be counted is not let through.
    private static let away = Problem.unavailable(retryAfter: 5)

    private static func wait(until end: Instant, _ now: Instant) -> Int {
        max(1, Int((end.milliseconds - now.milliseconds + 999) / 1000))
    }
}
