import Database
import Locks
import Records
import Wire

/// Whether the clock has gone on hour by hour for some days. After a jump, and after a long rest, which looks the same, it
/// has to prove itself before anything is deleted for its age.
final class ClockWatch: Sendable {
    private struct Memory {
        /// The last moment that this process has seen.
        var seen: Instant?
        /// The last moment before a jump that this process has seen happen, until the clock has proved itself.
        var jumpedFrom: Instant?
    }

    private let records: Records
    private let log: Log
    private let memory = Lock(Memory())

    init(_ records: Records, _ log: Log) {
        self.records = records
        self.log = log
    }

    /// Further apart two looks are no hour's.
    static let jumpSeconds: Int64 = 2 * 86_400
    /// Long enough for a clock that jumped on a Friday to be put right on Monday.
    static let proofSeconds: Int64 = 3 * 86_400

    /// Told every hour.
    /// - Parameter lastKnown: a moment that had come, for an installation that has not been watched yet.
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
    /// - Parameter startedAt: what was seen before is of another process, which rested in between.
    func hasJumped(at now: Instant, since startedAt: Instant) -> Bool {
        memory.withLock { memory in
            if let from = memory.jumpedFrom { return from >= startedAt }
            // As it will be found in a minute.
            guard let seen = memory.seen, seen >= startedAt else { return false }
            return Self.isJump(from: seen, to: now)
        }
    }

    private static func isJump(from seen: Instant, to now: Instant) -> Bool {
        now > seen.adding(seconds: jumpSeconds) || now < seen.adding(seconds: -BackupFolder.slackSeconds)
    }

    /// Notes in the database that this moment was seen, for what comes after a rest.
    /// - Returns: since when the clock has gone on without a jump.
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
