import Database
import Records
import Wire

/// The versions by which moments of prompts are drawn, each with the moment from which it counts. The second (RP-122, RP-125)
/// spreads over real minutes and keeps the number of a day on which own times are moved; with it came the present rule for sheets that name
/// no prompt (RP-104).
package enum DrawingVersions {
    /// Notes since when the latest version counts, once, at a start.
    package static func begin(_ records: Records, at now: Instant) throws {
        if try records.read({ try DrawingVersionStore.since($0) }) != nil { return }
        try records.writeUnaudited(.plan) { try DrawingVersionStore.begin(at: now, $0) }
    }

    /// Since when the latest version counts; nil where nothing was asked before.
    package static func since(_ connection: borrowing Connection) throws -> Instant? {
        try DrawingVersionStore.since(connection).flatMap { $0.milliseconds == 0 ? nil : $0 }
    }
}
