import Locks
import Records
import Wire

/// Whether the clock has run hour by hour for some days. After a jump, and after a long stop, which looks the same,
/// it must prove itself before anything is deleted for its age.
final class ClockWatch: Sendable {
    private struct Memory {
        /// The last moment that this process has seen.
        var seen: Instant?
        /// The last moment before a jump in this process, until the clock has proved itself.
        var jumpedFrom: Instant?
    }

    private let records: Records
    private let log: Log
    private let memory = Lock(Memory())

    init(_ records: Records, _ log: Log) {
        self.records = records
        self.log = log
    }

    /// The seconds between two checks from which on it counts as a jump.
    static let jumpSeconds: Int64 = 2 * 86_400
    /// In seconds, long enough for a clock that jumped on a Friday to be corrected on Monday.
    static let proofSeconds: Int64 = 3 * 86_400

    /// Called every hour.
    /// - Parameter lastKnown: a past moment, for an installation that was not watched before.
    func isSteady(at now: Instant, lastKnown: Instant?) -> Bool {
        let jumpedFrom = memory.withLock { memory -> Instant? in
            defer { memory.seen = now }
            guard let seen = memory.seen, Self.isJump(from: seen, to: now) else { return nil }
            memory.jumpedFrom = seen
            return seen
        }
        if let jumpedFrom {
            log.line(
                "warning", "the clock jumped, and no backup is deleted for its age",
                [("from", jumpedFrom.text)], at: now)
        }
        guard let since = try? noteSeen(now, lastKnown: lastKnown) else { return false }
        let isSteady = since.adding(seconds: Self.proofSeconds) <= now
        if isSteady { memory.withLock { $0.jumpedFrom = nil } }
        return isSteady
    }

    /// Whether the clock of this process jumped and has not proved itself yet.
    /// - Parameter startedAt: earlier moments belong to another process, with a stop in between.
    func hasJumped(at now: Instant, since startedAt: Instant) -> Bool {
        memory.withLock { memory in
            if let from = memory.jumpedFrom { return from >= startedAt }
            // As the next check will find it in a minute.
            guard let seen = memory.seen, seen >= startedAt else { return false }
            return Self.isJump(from: seen, to: now)
        }
    }

    private static func isJump(from seen: Instant, to now: Instant) -> Bool {
        now > seen.adding(seconds: jumpSeconds) || now < seen.adding(seconds: -BackupFolder.slackSeconds)
    }

    /// Stores this moment in the database, for the time after a stop.
    /// - Returns: since when the clock has run without a jump.
    private func noteSeen(_ now: Instant, lastKnown: Instant?) throws -> Instant {
        try records.writeUnaudited(.installation) { connection in
            let known = try InstallationStore.clock(connection)
            let last = known?.seen ?? lastKnown ?? now
            let isJump = Self.isJump(from: last, to: now)
            let since = isJump ? now : known?.steadySince ?? Instant(milliseconds: 0)
            try InstallationStore.setClock(seen: now, steadySince: since, connection)
            return since
        }
    }
}
