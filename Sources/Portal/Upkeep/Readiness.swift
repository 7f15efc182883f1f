import Dispatch
import Locks
import Records
import Rules
import Synchronization
import Web

/// Whether requests can be served: the database reads and takes writes, and the server is not about to end. Migrations are
/// done before there is a server at all.
final class Readiness: Part {
    private struct Finding {
        let at: UInt64
        let isWell: Bool
    }

    private let isStopping = Atomic(false)
    private let last = Lock<Finding?>(nil)
    /// A finding counts so long, or anybody could make the disk busy by asking.
    private static let nanoseconds: UInt64 = 2_000_000_000

    /// From now on balancers are sent elsewhere.
    func stop() { isStopping.store(true, ordering: .relaxed) }

    func isReady(_ records: Records) -> Bool {
        if isStopping.load(ordering: .relaxed) { return false }
        return last.withLock { last in
            let now = DispatchTime.now().uptimeNanoseconds
            if let last, now < last.at + Self.nanoseconds { return last.isWell }
            let isWell = Self.works(records)
            last = Finding(at: DispatchTime.now().uptimeNanoseconds, isWell: isWell)
            return isWell
        }
    }

    private static func works(_ records: Records) -> Bool {
        do {
            guard try records.read({ try InstallationStore.keyFingerprint($0) }) != nil else { return false }
            try records.writeUnaudited(.installation) { try InstallationStore.touch($0) }
            return true
        } catch {
            return false
        }
    }
}
