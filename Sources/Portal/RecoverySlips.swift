import Synchronization
import Wire

/// Recovery codes that were just made, for the page that shows them: in memory, for ten minutes, so that a page loaded
/// again does not lose what can be had only once.
final class RecoverySlips: Sendable {
    private let slips = Mutex<[String: (codes: [String], until: Instant)]>([:])

    /// - Parameter credential: the sign-in that may see them.
    func put(_ codes: [String], for credential: String, now: Instant) {
        slips.withLock { slips in
            slips = slips.filter { $0.value.until > now }
            slips[credential] = (codes, now.adding(seconds: 600))
        }
    }

    func read(_ credential: String, now: Instant) -> [String]? {
        slips.withLock { slips in slips[credential].flatMap { $0.until > now ? $0.codes : nil } }
    }
}
