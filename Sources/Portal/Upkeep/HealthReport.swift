import Foundation
import Identity
import Records
import Web
import Wire

/// Whether everything is as it should be, in parts.
struct HealthReport: Sendable {
    /// `database`: it can be read. `writes`: it takes writes. `disk`: there is room for some time to come. `clock`: it has not
    /// jumped, and no backup is dated ahead of it.
    enum Part: String, Sendable, CaseIterable { case database, writes, disk, backup, clock, mail }

    let failing: Set<Part>
    /// Since when each is as it is.
    let since: [Part: Instant]

    var isWell: Bool { failing.isEmpty }

    /// A backup is late an hour after the next one was due.
    static let backupSeconds: Int64 = 25 * 3600
    /// Mail is stuck when the oldest has waited for an hour.
    static let mailSeconds: Int64 = 3600

    init(_ services: Services) {
        let now = services.clock.now
        var failing = services.readiness.failing(services.records)
        if Self.isBackupLate(services, now) { failing.insert(.backup) }
        if Disk.all(services.settings).contains(where: \.isNearlyFull) { failing.insert(.disk) }
        if Self.isClockWrong(services, now) { failing.insert(.clock) }
        let oldest = (try? services.records.read { try MailStore.oldest($0) }) ?? nil
        if let oldest, oldest.adding(seconds: Self.mailSeconds) <= now { failing.insert(.mail) }
        self.failing = failing
        since = services.health.note(failing, of: Part.allCases, services)
    }

    /// What `GET /health` says of each.
    var parts: [Health.Part] {
        Part.allCases.map { part in
            Health.Part(
                name: part.rawValue, status: failing.contains(part) ? "failing" : "ok",
                since: since[part] ?? .distantPast)
        }
    }

    /// A server that has just started has an hour to make its first, also after a long rest, and none once it could not: one that
    /// starts anew every night would be well for ever.
    private static func isBackupLate(_ services: Services, _ now: Instant) -> Bool {
        guard services.settings.backupDays > 0 else { return false }
        // What began in the future began with another clock.
        let age = now.seconds - services.startedAt.seconds
        let hasFailed = services.backups.hasFailed
        if !hasFailed, (0..<3600).contains(age) { return false }
        guard let last = services.backups.folder.files(at: now).first?.madeAt else {
            return hasFailed || !(0..<backupSeconds).contains(age)
        }
        return last.adding(seconds: backupSeconds) <= now
    }

    private static func isClockWrong(_ services: Services, _ now: Instant) -> Bool {
        services.backups.steadiness.hasJumped(at: now, since: services.startedAt)
            || !services.backups.folder.ahead(at: now).isEmpty
    }
}

extension Disk {
    /// Those that a portal writes to.
    static func all(_ settings: Settings) -> [Disk] {
        let folders = [settings.data] + [settings.backups].compactMap(\.self)
        return folders.filter { FileManager.default.fileExists(atPath: $0) }.map { Disk(path: $0) }
    }
}
