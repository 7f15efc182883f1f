import Database
import Records
import Wire

/// Every statement about refusing relays.
package enum PushHostStore {
    /// The number of refusals in a row that stops a relay.
    static let mostRefusals = 5

    static func isStopped(_ host: String, _ connection: borrowing Connection) throws -> Bool {
        try connection.count(
            "SELECT count(*) FROM push_hosts WHERE host = \(host) AND stopped_at IS NOT NULL") > 0
    }

    /// Refusals to one account alone may be its device's fault, and stop a relay only when no other account uses it.
    /// - Parameter isOfSeveral: whether others were refused as well, in a row.
    /// - Returns: true when this one stopped it.
    static func noteRefusal(
        by host: String, of account: ID<Account>, isOfSeveral: Bool, status: Int, at now: Instant,
        _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.run(
            """
            INSERT INTO push_hosts (host, refusals, last_status) VALUES (\(host), 1, \(status))
            ON CONFLICT (host) DO UPDATE SET refusals = push_hosts.refusals + 1, last_status = excluded.last_status
            """)
        let isEnough = try connection.exists(
            """
            SELECT 1 FROM push_hosts WHERE host = \(host) AND refusals >= \(mostRefusals) AND stopped_at IS NULL
            """)
        guard isEnough else { return false }
        if try !isOfSeveral && serves(others: account, host, connection) { return false }
        return try connection.run(
            "UPDATE push_hosts SET stopped_at = \(now) WHERE host = \(host) AND stopped_at IS NULL") > 0
    }

    /// Whether a relay has devices of other people.
    private static func serves(
        others account: ID<Account>, _ host: String, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.exists(
            """
            SELECT 1 FROM push_subscriptions WHERE host = \(host) AND account_id <> \(account)
            AND ended_at IS NULL LIMIT 1
            """)
    }

    /// A requested rest continues: messages accepted now were sent before.
    static func noteAccepted(by host: String, at now: Instant, _ connection: borrowing Connection) throws {
        try connection.run(
            "UPDATE push_hosts SET refusals = 0 WHERE host = \(host) AND refusals > 0 AND stopped_at IS NULL")
        try connection.run(
            """
            DELETE FROM push_hosts WHERE host = \(host) AND stopped_at IS NULL
            AND (paused_until IS NULL OR paused_until <= \(now))
            """)
    }

    /// The relay asks for a rest: nothing is sent to it, for any account.
    static func pause(_ host: String, until: Instant, _ connection: borrowing Connection) throws {
        // Stored refusals stay: they are shown when they stop it.
        try connection.run(
            """
            INSERT INTO push_hosts (host, last_status, paused_until) VALUES (\(host), 503, \(until))
            ON CONFLICT (host) DO UPDATE SET paused_until = excluded.paused_until
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

    /// Resumes a relay after an administrator's check.
    /// - Returns: false when none was stopped.
    package static func resume(_ host: String, _ connection: borrowing Connection) throws -> Bool {
        try connection.run("DELETE FROM push_hosts WHERE host = \(host) AND stopped_at IS NOT NULL") > 0
    }
}
