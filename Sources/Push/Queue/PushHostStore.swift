import Database
import Records
import Wire

/// Every statement about relays that refuse.
package enum PushHostStore {
    /// So many refusals in a row stop a relay.
    static let mostRefusals = 5

    static func isStopped(_ host: String, _ connection: borrowing Connection) throws -> Bool {
        try connection.count(
            "SELECT count(*) FROM push_hosts WHERE host = \(host) AND stopped_at IS NOT NULL") > 0
    }

    /// - Returns: true when this one stopped it.
    static func noteRefusal(
        by host: String, status: Int, at now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.run(
            """
            INSERT INTO push_hosts (host, refusals, last_status) VALUES (\(host), 1, \(status))
            ON CONFLICT (host) DO UPDATE SET refusals = push_hosts.refusals + 1, last_status = excluded.last_status
            """)
        return try connection.run(
            """
            UPDATE push_hosts SET stopped_at = \(now)
            WHERE host = \(host) AND refusals >= \(mostRefusals) AND stopped_at IS NULL
            """) > 0
    }

    static func noteAccepted(by host: String, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM push_hosts WHERE host = \(host) AND stopped_at IS NULL")
    }

    /// The relay asks for a rest.
    static func pause(
        _ host: String, until: Instant, status: Int, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO push_hosts (host, last_status, paused_until) VALUES (\(host), \(status), \(until))
            ON CONFLICT (host) DO UPDATE SET paused_until = excluded.paused_until, last_status = excluded.last_status
            """)
    }

    package struct Stopped: Sendable {
        package let host: String
        package let status: Int
        package let at: Instant
    }

    package static func stopped(_ connection: borrowing Connection) throws -> [Stopped] {
        try connection.all(
            "SELECT host, last_status, stopped_at FROM push_hosts WHERE stopped_at IS NOT NULL ORDER BY host"
        ) { row in Stopped(host: try row[0], status: try row[1], at: try row[2]) }
    }

    /// Somebody has looked: it is tried again.
    /// - Returns: false when none was stopped.
    package static func resume(_ host: String, _ connection: borrowing Connection) throws -> Bool {
        try connection.run("DELETE FROM push_hosts WHERE host = \(host) AND stopped_at IS NOT NULL") > 0
    }
}
