import Database
import Records
import Wire

/// The versions by which moments of prompts are drawn, each with the moment from which it counts. The second (RP-122, RP-125)
/// spreads over real minutes and keeps the number of a day on which own times are moved; with it came the present rule for sheets that name
/// no prompt (RP-104).
package enum DrawingVersions {
    /// Notes since when each version counts, once, at a start.
    package static func begin(_ records: Records, at now: Instant) throws {
        let new = try records.read { connection in
            try DrawingVersionStore.Version.allCases.filter {
                try DrawingVersionStore.since($0, connection) == nil
            }
        }
        if new.isEmpty { return }
        try records.writeUnaudited(.plan) { connection in
            for version in new { try DrawingVersionStore.begin(version, at: now, connection) }
        }
    }

    /// Since when the latest version counts; nil where nothing was asked before.
    package static func since(_ connection: borrowing Connection) throws -> Instant? {
        try since(.drawing, connection)
    }

    /// Since when prompts in a pause are told as ones that could not be seen; nil where nothing was asked before.
    package static func pausesSince(_ connection: borrowing Connection) throws -> Instant? {
        try since(.pauses, connection)
    }

    private static func since(
        _ version: DrawingVersionStore.Version, _ connection: borrowing Connection
    ) throws -> Instant? {
        try DrawingVersionStore.since(version, connection).flatMap { $0.milliseconds == 0 ? nil : $0 }
    }
}
