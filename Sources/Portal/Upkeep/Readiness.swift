import Dispatch
import Locks
import Records
import Synchronization
import Web

/// Whether requests can be served: the database reads and writes, its disk has room, and the server is not about to
/// end. Migrations are done before the server starts.
final class Readiness: Part {
    private struct Finding {
        let at: UInt64
        let failing: Set<HealthReport.Part>
    }

    private let isStopping = Atomic(false)
    private let last = Lock<Finding?>(nil)
    private let disk: Disk
    /// A finding is reused for so long, so that requests cannot keep the disk busy.
    private static let nanoseconds: UInt64 = 2_000_000_000

    init(_ disk: Disk) { self.disk = disk }

    /// Tells balancers to go elsewhere.
    func stop() { isStopping.store(true, ordering: .relaxed) }

    func isReady(_ services: Services) -> Bool {
        if isStopping.load(ordering: .relaxed) { return false }
        let failing = failing(services.records)
        services.health.note(failing, of: [.database, .writes], services)
        return failing.isEmpty
    }

    /// The failing ones of database and writes.
    func failing(_ records: Records) -> Set<HealthReport.Part> {
        last.withLock { last in
            let now = DispatchTime.now().uptimeNanoseconds
            if let last, now < last.at + Self.nanoseconds { return last.failing }
            let failing = look(records)
            last = Finding(at: DispatchTime.now().uptimeNanoseconds, failing: failing)
            return failing
        }
    }

    private func look(_ records: Records) -> Set<HealthReport.Part> {
        let hasKey = try? records.read { try InstallationStore.keyFingerprint($0) != nil }
        guard hasKey == true else { return [.database] }
        let touched: Void? = try? records.writeUnaudited(.installation) { try InstallationStore.touch($0) }
        return touched != nil && disk.takesWrites() ? [] : [.writes]
    }
}
