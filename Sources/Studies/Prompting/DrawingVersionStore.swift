import Database
import Wire

/// Every statement about the versions by which moments of prompts are drawn.
enum DrawingVersionStore {
    private static let latest = 2

    /// Since when the latest version counts; nil before the first start with it.
    static func since(_ connection: borrowing Connection) throws -> Instant? {
        try connection.value("SELECT since FROM prompt_drawings WHERE version = \(latest)")
    }

    /// The latest version counts from now on, and always where nothing was drawn before. Of several portals that start at
    /// once one notes it.
    static func begin(at now: Instant, _ connection: borrowing Connection) throws {
        try connection.run(
            """
            INSERT INTO prompt_drawings (version, since)
            VALUES (\(latest), CASE WHEN EXISTS (SELECT 1 FROM enrolments) THEN CAST(\(now) AS BIGINT) ELSE 0 END)
            ON CONFLICT (version) DO NOTHING
            """)
    }
}
