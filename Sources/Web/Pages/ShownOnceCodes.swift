import Identity
import Locks
import Records
import Wire

/// Codes that were just made, for the page that shows them: in memory, for ten minutes, so that a page loaded
/// again does not lose what can be had only once.
package final class ShownOnceCodes: Sendable {
    private let slips = Lock<[String: (codes: [String], until: Instant)]>([:])

    /// - Parameters:
    ///   - credential: the sign-in that may see them.
    ///   - what: whose they are, where one sign-in makes several kinds.
    package func put(_ codes: [String], for credential: ID<Credential>, _ what: String = "", now: Instant) {
        slips.withLock { slips in
            slips = slips.filter { $0.value.until > now }
            slips["\(credential)\(what)"] = (codes, now.adding(seconds: 600))
        }
    }

    package func read(_ credential: ID<Credential>, _ what: String = "", now: Instant) -> [String]? {
        slips.withLock { slips in slips["\(credential)\(what)"].flatMap { $0.until > now ? $0.codes : nil } }
    }
}
