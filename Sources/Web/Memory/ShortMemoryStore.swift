import Database
import Wire

/// Every statement about what several portals remember together.
package enum ShortMemoryStore {
    static func find(
        _ name: String, _ connection: borrowing Connection
    ) throws -> (value: [UInt8], until: Instant)? {
        try connection.first("SELECT value, expires_at FROM short_memory WHERE name = \(name)") { row in
            (try row["value"], try row["expires_at"])
        }
    }

    static func bytes(_ connection: borrowing Connection) throws -> Int {
        try connection.count("SELECT coalesce(sum(length(value)), 0) FROM short_memory")
    }

    static func set(
        _ name: String, _ value: [UInt8], until: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO short_memory (name, value, expires_at) VALUES (\(name), \(value), \(until))
            ON CONFLICT (name) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at
            """)
    }

    static func remove(_ name: String, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM short_memory WHERE name = \(name)")
    }

    package static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM short_memory WHERE expires_at <= \(now)")
    }
}
