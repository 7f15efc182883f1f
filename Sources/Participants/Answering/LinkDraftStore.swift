import Database
import Wire

/// Every statement about drafts behind links.
enum LinkDraftStore {
    /// The most browsers with a draft for one link; the oldest drafts are dropped.
    private static let browsers = 20

    static func find(
        _ link: [UInt8], _ browser: [UInt8], _ connection: borrowing Connection
    ) throws -> (answers: [UInt8], updatedAt: Instant)? {
        try connection.first(
            "SELECT answers, updated_at FROM link_drafts WHERE link = \(link) AND browser = \(browser)"
        ) { row in (try row[0], try row[1]) }
    }

    static func save(
        _ answers: [UInt8], _ link: [UInt8], _ browser: [UInt8], at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO link_drafts (link, browser, answers, updated_at)
            VALUES (\(link), \(browser), \(answers), \(now))
            ON CONFLICT (link, browser) DO UPDATE SET answers = excluded.answers,
                updated_at = excluded.updated_at
            """)
        try connection.run(
            """
            DELETE FROM link_drafts WHERE link = \(link) AND browser NOT IN (SELECT browser FROM link_drafts
                WHERE link = \(link) ORDER BY updated_at DESC, browser LIMIT \(browsers))
            """)
    }

    static func removeAll(behind link: [UInt8], _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM link_drafts WHERE link = \(link)")
    }

    /// Removed together with their link: when it ends, expires or is used up.
    static func removeOrphans(now: Instant, _ connection: borrowing Connection) throws {
        try connection.run(
            """
            DELETE FROM link_drafts WHERE link IN (SELECT hash FROM assignment_links
                WHERE ended_at IS NOT NULL OR sent_at IS NOT NULL OR expires_at <= \(now))
            """)
    }
}
