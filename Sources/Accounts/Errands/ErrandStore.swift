import Database
import Records
import Wire

/// Every statement about visitors' errands: on their way with a form, and of an account. The column `browser` is the hash that
/// finds one: of a ticket with a browser's cookie, or of an account.
enum ErrandStore {
    static func find(
        _ hash: [UInt8], now: Instant, _ connection: borrowing Connection
    ) throws -> [UInt8]? {
        try connection.value("SELECT errand FROM errands WHERE browser = \(hash) AND expires_at > \(now)")
    }

    static func save(
        _ sealed: [UInt8], at hash: [UInt8], until expiry: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO errands (browser, errand, expires_at) VALUES (\(hash), \(sealed), \(expiry))
            ON CONFLICT (browser) DO UPDATE SET errand = excluded.errand, expires_at = excluded.expires_at
            """)
    }

    static func remove(_ hash: [UInt8], _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM errands WHERE browser = \(hash)")
    }

    static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM errands WHERE expires_at <= \(now)")
    }

    static func removeAll(_ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM errands")
    }
}
