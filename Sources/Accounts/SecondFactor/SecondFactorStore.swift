import Database
import Records
import Wire

/// Every statement about second factors and recovery codes.
package enum SecondFactorStore {
    package static func find(_ account: ID<Account>, _ connection: borrowing Connection) throws
        -> SecondFactorRecord?
    {
        try connection.first("SELECT * FROM second_factors WHERE account_id = \(account)")
    }

    /// - Returns: false when there is one already.
    package static func insert(
        _ sealed: [UInt8], for account: ID<Account>, step: Int64, at now: Instant,
        _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.run(
            """
            INSERT INTO second_factors (account_id, secret, last_step, made_at)
            VALUES (\(account), \(sealed), \(step), \(now)) ON CONFLICT (account_id) DO NOTHING
            """) > 0
    }

    /// Counts a wrong code.
    /// - Returns: how many came in a row.
    static func countFailure(of account: ID<Account>, _ connection: borrowing Connection) throws -> Int {
        try connection.run(
            "UPDATE second_factors SET failures = failures + 1 WHERE account_id = \(account)")
        return try connection.value(
            "SELECT failures FROM second_factors WHERE account_id = \(account)") ?? 0
    }

    /// Resets the count of wrong codes, after a right code or a new password.
    static func forgive(_ account: ID<Account>, _ connection: borrowing Connection) throws {
        try connection.run("UPDATE second_factors SET failures = 0 WHERE account_id = \(account)")
    }

    /// - Returns: false when this step was used meanwhile.
    static func spend(step: Int64, of account: ID<Account>, _ connection: borrowing Connection) throws -> Bool
    {
        try connection.run(
            """
            UPDATE second_factors SET last_step = \(step)
            WHERE account_id = \(account) AND last_step < \(step)
            """) > 0
    }

    package static func remove(_ account: ID<Account>, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM second_factors WHERE account_id = \(account)")
        try connection.run("DELETE FROM recovery_codes WHERE account_id = \(account)")
    }

    // MARK: Recovery codes

    /// New codes; all old ones no longer work.
    static func setCodes(
        _ lookups: [[UInt8]], of account: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try connection.run("DELETE FROM recovery_codes WHERE account_id = \(account)")
        for lookup in lookups {
            try connection.run(
                "INSERT INTO recovery_codes (lookup, account_id) VALUES (\(lookup), \(account))")
        }
    }

    /// - Returns: false for an unknown or used one.
    static func spend(
        code lookup: [UInt8], of account: ID<Account>, at now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.run(
            """
            UPDATE recovery_codes SET spent_at = \(now)
            WHERE lookup = \(lookup) AND account_id = \(account) AND spent_at IS NULL
            """) > 0
    }

    static func isUnspent(
        code lookup: [UInt8], of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.exists(
            """
            SELECT 1 FROM recovery_codes
            WHERE lookup = \(lookup) AND account_id = \(account) AND spent_at IS NULL
            """)
    }

    /// How many are left.
    static func codesLeft(of account: ID<Account>, _ connection: borrowing Connection) throws -> Int {
        try connection.count(
            "SELECT count(*) FROM recovery_codes WHERE account_id = \(account) AND spent_at IS NULL")
    }

    /// Removes all recovery codes.
    static func removeAllCodes(_ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM recovery_codes")
    }
}
