import Database
import Scheduling
import Wire

/// Zone data as they were first read, kept for the days that were planned by them.
package struct KeptZones: Sendable, FromRow {
    /// Counts up.
    let number: Int
    package let version: String
    let text: String
    package let readAt: Instant
    /// Whether nothing was planned before them.
    let isFirst: Bool
    /// Whether what people planned has its local times by these.
    package let isSettled: Bool
    /// How many appointments got another moment then.
    package let moved: Int

    package init(row: borrowing Row) throws {
        number = try row["number"]
        version = try row["version"]
        text = try row["data"]
        readAt = try row["read_at"]
        isFirst = try row["is_first"]
        isSettled = try row["settled_at"] as Instant? != nil
        moved = try row["moved"]
    }
}

/// Every statement about kept zone data.
package enum ZoneHistoryStore {
    /// The first that were read first.
    package static func all(_ connection: borrowing Connection) throws -> [KeptZones] {
        try connection.all("SELECT * FROM zone_data ORDER BY number")
    }

    /// Of several portals that start at once one keeps them.
    static func keep(
        _ data: ZoneData, _ text: String, number: Int, isFirst: Bool, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO zone_data (number, version, data, read_at, is_first, settled_at)
            VALUES (\(number), \(data.version), \(text), \(now), \(isFirst), \(isFirst ? now : nil))
            ON CONFLICT (number) DO NOTHING
            """)
    }

    /// - Parameter moved: how many appointments have got another moment.
    package static func settle(moved: Int, at now: Instant, _ connection: borrowing Connection) throws {
        try connection.run(
            "UPDATE zone_data SET settled_at = \(now), moved = \(moved) WHERE settled_at IS NULL")
    }
}
