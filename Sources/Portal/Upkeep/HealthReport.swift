import Foundation
import Push
import Records
import Scheduling
import Web
import Wire

/// The health of the installation, in parts.
struct HealthReport: Sendable {
    /// `database`: it can be read. `writes`: it takes writes. `disk`: there is enough free space. `clock`: it has not
    /// jumped, and no backup is dated ahead of it. `log`: its reader takes the lines. `zones`: the system's serve, all of them. `push`: devices in use know the portal's key.
    enum Part: String, Sendable, CaseIterable {
        case database, writes, disk, backup, clock, mail, log, zones, push
    }

    let failing: Set<Part>
    /// Since when each part has its state.
    let since: [Part: Instant]

    var isWell: Bool { failing.isEmpty }

    /// A backup is late an hour after the next one was due, in seconds.
    static let backupSeconds: Int64 = 25 * 3600
    /// Mail is stuck when the oldest has waited for an hour, in seconds.
    static let mailSeconds: Int64 = 3600

    init(_ services: Services) {
        let now = services.clock.now
        var failing = services.readiness.failing(services.records)
        if Self.isBackupLate(services, now) { failing.insert(.backup) }
        if Disk.all(services.settings).contains(where: \.isNearlyFull) { failing.insert(.disk) }
        if Self.isClockWrong(services, now) { failing.insert(.clock) }
        let oldest = (try? services.records.read { try MailStore.oldest($0) }) ?? nil
        if let oldest, oldest.adding(seconds: Self.mailSeconds) <= now { failing.insert(.mail) }
        if services.log.losses.isStalled { failing.insert(.log) }
        if !ZoneData.machine.isWhole { failing.insert(.zones) }
        let strangers = try? services.records.read {
            try services.part(PushSignal.self).strangers(at: now, $0)
        }
        if strangers ?? 0 > 0 { failing.insert(.push) }
        self.failing = failing
        since = services.health.note(failing, of: Part.allCases, services)
    }

    /// The parts of `GET /health`.
    var parts: [Health.Part] {
        Part.allCases.map { part in
            Health.Part(
                name: part.rawValue, status: failing.contains(part) ? "failing" : "ok",
                since: since[part] ?? .distantPast)
        }
    }

    /// After a start the first backup has an hour, also after a long stop, but none once it has failed: otherwise a
    /// server that restarts every night would always count as healthy.
    private static func isBackupLate(_ services: Services, _ now: Instant) -> Bool {
        guard services.settings.backupDays > 0 else { return false }
        // A start in the future was by another clock.
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
    /// The disks that a portal writes to.
    static func all(_ settings: Settings) -> [Disk] {
        let folders = [settings.data] + [settings.backups].compactMap(\.self)
        return folders.filter { FileManager.default.fileExists(atPath: $0) }.map { Disk(path: $0) }
    }
}

extension Health.Zones {
    /// Those of this machine, and the version that counts: another portal, or an earlier start, may have read newer ones.
    static var present: Health.Zones {
        let machine = ZoneData.machine
        return Health.Zones(
            version: ZoneData.current.version, source: machine.folder == nil ? "program" : "system",
            madeAt: machine.madeAt, torn: machine.torn)
    }
}
