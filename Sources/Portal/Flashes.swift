import Synchronization

/// A line that the next page shows, once. Kept in memory: worth no write, gone with a restart.
final class Flashes: Sendable {
    private let waiting = Mutex<[String: Message]>([:])

    func put(_ message: Message, for session: String) {
        waiting.withLock { waiting in
            if waiting.count > 10_000 { waiting = [:] }
            waiting[session] = message
        }
    }

    func take(for session: String) -> Message? {
        waiting.withLock { $0.removeValue(forKey: session) }
    }
}
