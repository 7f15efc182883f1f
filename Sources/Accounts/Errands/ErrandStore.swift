import Database
import Records
import Secrets
import Wire

/// Every statement about visitors' errands.
package enum ErrandStore {
    static func find(_ browser: Token, now: Instant, _ connection: borrowing Connection) throws -> Errand? {
        let sealed: [UInt8]? = try connection.value(
            "SELECT errand FROM errands WHERE browser = \(browser.hash) AND expires_at > \(now)")
        return try sealed.map { try Errand(opening: $0, of: browser) }
    }

    static func save(
        _ sealed: [UInt8], for browser: Token, until expiry: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO errands (browser, errand, expires_at) VALUES (\(browser.hash), \(sealed), \(expiry))
            ON CONFLICT (browser) DO UPDATE SET errand = excluded.errand, expires_at = excluded.expires_at
            """)
    }

    package static func remove(of browser: Token, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM errands WHERE browser = \(browser.hash)")
    }

    static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM errands WHERE expires_at <= \(now)")
    }

    static func removeAll(_ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM errands")
    }
}
