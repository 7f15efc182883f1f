import Identity
import Locks
import Records
import Wording

/// A line that the next page shows, once.
struct Flash: Sendable {
    let message: Message
    /// Where a form of one button is sent to undo what the line tells; nil for what cannot be undone.
    var undo: String?
}

/// The lines that wait for the next page of a session. Kept in memory: worth no write, gone with a restart.
final class FlashMessages: Sendable {
    private let waiting = Lock<[ID<Credential>: Flash]>([:])

    func put(_ flash: Flash, for session: ID<Credential>) {
        waiting.withLock { waiting in
            if waiting.count > 10_000 { waiting = [:] }
            waiting[session] = flash
        }
    }

    func take(for session: ID<Credential>) -> Flash? {
        waiting.withLock { $0.removeValue(forKey: session) }
    }
}
