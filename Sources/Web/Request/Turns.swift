import Dispatch
import Locks
import Wording

/// Lets what has the same name go on one after the other. A few of a name wait; when another one comes, the one that has
/// waited longest is refused: a browser that sends a form again does not look at the earlier answer any more.
final class Turns: Sendable {
    private final class Turn: Sendable {
        let signal = DispatchSemaphore(value: 0)
        let isRefused = Lock(false)
    }

    /// How many of a name wait at most, each with a thread.
    static let most = 3

    /// Those that wait for their turn, by name; no entry where none is under way.
    private let waiting = Lock<[String: [Turn]]>([:])

    /// How many of a name wait.
    func waitingCount(_ name: String) -> Int { waiting.withLock { $0[name]?.count ?? 0 } }

    /// - Throws: `Problem.unavailable` for one of too many, beside what the body throws.
    func take<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
        if let turn = line(up: name) {
            turn.signal.wait()
            if turn.isRefused.withLock({ $0 }) { throw Problem.unavailable(retryAfter: 5) }
        }
        defer { pass(name) }
        return try body()
    }

    /// - Returns: nil where none of the name is under way.
    private func line(up name: String) -> Turn? {
        waiting.withLock { waiting in
            guard var line = waiting[name] else {
                waiting[name] = []
                return nil
            }
            let turn = Turn()
            line.append(turn)
            if line.count > Self.most {
                let oldest = line.removeFirst()
                oldest.isRefused.withLock { $0 = true }
                oldest.signal.signal()
            }
            waiting[name] = line
            return turn
        }
    }

    private func pass(_ name: String) {
        waiting.withLock { waiting in
            guard let next = waiting[name]?.first else { return waiting[name] = nil }
            waiting[name]?.removeFirst()
            next.signal.signal()
        }
    }
}
