import Database
import Identity
import Records
import Wire
import Wording

/// Every statement about codes for further devices.
package enum DeviceCodeStore {
    /// The valid code of an account.
    package static func find(
        of account: ID<Account>, now: Instant, _ connection: borrowing Connection
    ) throws -> DeviceCodeRecord? {
        try connection.first(
            "SELECT * FROM device_codes WHERE account_id = \(account) AND expires_at > \(now)")
    }

    static func find(
        lookup: [UInt8], now: Instant, _ connection: borrowing Connection
    ) throws -> DeviceCodeRecord? {
        try connection.first("SELECT * FROM device_codes WHERE lookup = \(lookup) AND expires_at > \(now)")
    }

    /// Whether the device with this token still waits for approval.
    static func isWaiting(
        _ hash: [UInt8], now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        let found: DeviceCodeRecord? = try connection.first(
            "SELECT * FROM device_codes WHERE claim_hash = \(hash) AND expires_at > \(now)")
        return found != nil
    }

    /// The earlier code no longer works, even with a device waiting for it.
    static func replace(
        of account: ID<Account>, lookup: [UInt8], sealed: [UInt8], until expiry: Instant,
        _ connection: borrowing Connection
    ) throws {
        try remove(of: account, connection)
        try connection.run(
            """
            INSERT INTO device_codes (account_id, lookup, code, expires_at)
            VALUES (\(account), \(lookup), \(sealed), \(expiry))
            """)
    }

    /// - Throws: `Problem.gone` when another device was first, or the code has ended.
    static func claim(
        _ lookup: [UInt8], by claim: DeviceCodeRecord.Claim, now: Instant, _ connection: borrowing Connection
    ) throws {
        let taken = try connection.run(
            """
            UPDATE device_codes SET claim_id = \(claim.id), claim_hash = \(claim.hash), claim_kind = \(claim.kind),
                claim_name = \(claim.name), claim_platform = \(claim.platform),
                claim_os_version = \(claim.osVersion), claim_app_version = \(claim.appVersion),
                claim_at = \(now), claim_browser = \(claim.traits.browser),
                claim_system = \(claim.traits.system), claim_stays = \(claim.stays)
            WHERE lookup = \(lookup) AND claim_id IS NULL AND expires_at > \(now)
            """)
        guard taken == 1 else { throw Problem.gone(Message("device_codes.used")) }
    }

    @discardableResult
    static func remove(of account: ID<Account>, _ connection: borrowing Connection) throws -> Bool {
        try connection.run("DELETE FROM device_codes WHERE account_id = \(account)") > 0
    }

    static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM device_codes WHERE expires_at <= \(now)")
    }

    static func removeAll(_ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM device_codes")
    }
}
