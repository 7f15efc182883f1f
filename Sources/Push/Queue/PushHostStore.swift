import Database
import Records
import Wire

/// Every statement about refusing relays.
package enum PushHostStore {
    static func isStopped(_ host: String, _ connection: borrowing Connection) throws -> Bool {
        try connection.count(
            "SELECT count(*) FROM push_hosts WHERE host = \(host) AND stopped_at IS NOT NULL") > 0
    }

    /// Refusals to one account alone may be for its devices' sake, and stop a relay only when no other account uses it.
    /// - Returns: false when it goes on, or was stopped already.
    static func stop(
        _ host: String, for refused: Set<ID<Account>>, status: Int, at now: Instant,
        _ connection: borrowing Connection
    ) throws -> Bool {
        if refused.count == 1, let account = refused.first, try serves(others: account, host, connection) {
            return false
        }
        return try connection.run(
            """
            INSERT INTO push_hosts (host, last_status, stopped_at) VALUES (\(host), \(status), \(now))
            ON CONFLICT (host) DO UPDATE SET stopped_at = excluded.stopped_at, last_status = excluded.last_status
            WHERE push_hosts.stopped_at IS NULL
            """) > 0
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
            """
            DELETE FROM push_hosts WHERE host = \(host) AND stopped_at IS NULL
            AND (paused_until IS NULL OR paused_until <= \(now))
            """)
    }

    /// The relay asks for a rest: nothing is sent to it, for any account.
    static func pause(_ host: String, until: Instant, _ connection: borrowing Connection) throws {
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
