import Database
import Wire

/// Every statement about second factors and recovery codes.
enum SecondFactorStore {
    static func find(_ account: String, _ connection: borrowing Connection) throws -> SecondFactorRecord? {
        try connection.first("SELECT * FROM second_factors WHERE account_id = \(account)")
    }

    /// A new secret that does not count yet; one that was begun and never confirmed is replaced.
    static func begin(
        _ sealed: [UInt8], for account: String, at now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO second_factors (account_id, secret, made_at) VALUES (\(account), \(sealed), \(now))
            ON CONFLICT (account_id) DO UPDATE SET secret = excluded.secret, made_at = excluded.made_at
            WHERE confirmed_at IS NULL
            """)
    }

    static func confirm(
        _ account: String, step: Int64, at now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE second_factors SET confirmed_at = \(now), last_step = \(step)
            WHERE account_id = \(account) AND confirmed_at IS NULL
            """)
    }

    /// - Returns: false when this step was used meanwhile.
    static func spend(step: Int64, of account: String, _ connection: borrowing Connection) throws -> Bool {
        try connection.run(
            """
            UPDATE second_factors SET last_step = \(step)
            WHERE account_id = \(account) AND last_step < \(step)
            """) > 0
    }

    static func remove(_ account: String, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM second_factors WHERE account_id = \(account)")
        try connection.run("DELETE FROM recovery_codes WHERE account_id = \(account)")
    }

    // MARK: Recovery codes

    /// New codes; all old ones are dead.
    static func setCodes(
        _ lookups: [[UInt8]], of account: String, _ connection: borrowing Connection
    ) throws {
        try connection.run("DELETE FROM recovery_codes WHERE account_id = \(account)")
        for lookup in lookups {
            try connection.run(
                "INSERT INTO recovery_codes (lookup, account_id) VALUES (\(lookup), \(account))")
        }
    }

    /// - Returns: false for an unknown and for a used one.
    static func spend(
        code lookup: [UInt8], of account: String, at now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.run(
            """
            UPDATE recovery_codes SET spent_at = \(now)
            WHERE lookup = \(lookup) AND account_id = \(account) AND spent_at IS NULL
            """) > 0
    }

    /// How many are left.
    static func codesLeft(of account: String, _ connection: borrowing Connection) throws -> Int {
        try connection.count(
            "SELECT count(*) FROM recovery_codes WHERE account_id = \(account) AND spent_at IS NULL")
    }
}
