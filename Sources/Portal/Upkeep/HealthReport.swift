import Foundation
import Identity
import Records
import Web
import Wire

/// Whether everything is as it should be, in parts.
struct HealthReport: Sendable {
    enum Part: String, Sendable, CaseIterable { case database, backup, disk, mail }

    let failing: Set<Part>

    var isWell: Bool { failing.isEmpty }

    /// A backup is late an hour after the next one was due.
    static let backupSeconds: Int64 = 25 * 3600
    /// Mail is stuck when the oldest has waited for an hour.
    static let mailSeconds: Int64 = 3600

    init(_ services: Services) {
        let now = services.clock.now
        var failing: Set<Part> = []
        if (try? services.records.read({ try AccountStore.hasAny($0) })) == nil { failing.insert(.database) }
        if Self.isBackupLate(services, now) { failing.insert(.backup) }
        if Self.isDiskNearlyFull(services.settings.data) { failing.insert(.disk) }
        let oldest = (try? services.records.read { try MailStore.oldest($0) }) ?? nil
        if let oldest, oldest.adding(seconds: Self.mailSeconds) <= now { failing.insert(.mail) }
        self.failing = failing
    }

    /// A server that has just started has an hour to make its first, also after a long rest.
    private static func isBackupLate(_ services: Services, _ now: Instant) -> Bool {
        guard services.settings.backupDays > 0, services.startedAt.adding(seconds: 3600) <= now else {
            return false
        }
        let last = services.backups.folder.files().first?.madeAt ?? services.startedAt
        return last.adding(seconds: backupSeconds) <= now
    }

    /// Less than a twentieth free, and less than a gigabyte.
    private static func isDiskNearlyFull(_ path: String) -> Bool {
        guard let facts = try? FileManager.default.attributesOfFileSystem(forPath: path),
            let free = (facts[.systemFreeSize] as? NSNumber)?.int64Value,
            let size = (facts[.systemSize] as? NSNumber)?.int64Value
        else { return true }
        return free < 1_000_000_000 && free * 20 < size
    }
}
