import Database
import Wire

/// Every statement that takes back what an old copy would bring to life.
enum RestoreStore {
    /// Sessions, tokens, links, codes and calendar addresses may have been ended or used since; mails may have been sent.
    static func revoke(at now: Instant, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM credentials")
        try connection.run("DELETE FROM password_resets")
        try connection.run("DELETE FROM mail_tokens")
        try connection.run("DELETE FROM calendar_feeds")
        try connection.run("DELETE FROM mails")
        try connection.run("DELETE FROM recovery_codes")
        try connection.run(
            """
            UPDATE pairing_codes SET replaced_at = \(now), code = NULL
            WHERE used_at IS NULL AND replaced_at IS NULL
            """)
    }
}
