import Database
import Wire

/// Every statement about the versions by which moments of prompts are drawn.
enum DrawingVersionStore {
    /// What counts from a moment on.
    enum Version: Int, CaseIterable {
        /// The latest version of drawing.
        case drawing = 2
        /// That prompts in a pause could not be seen; nothing is drawn anew.
        case pauses = 3
    }

    /// Since when a version counts; nil before the first start with it.
    static func since(_ version: Version, _ connection: borrowing Connection) throws -> Instant? {
        try connection.value("SELECT since FROM prompt_drawings WHERE version = \(version.rawValue)")
    }

    /// A version counts from now on, and always where nothing was drawn before. Of several portals that start at
    /// once one notes it.
    static func begin(_ version: Version, at now: Instant, _ connection: borrowing Connection) throws {
        try connection.run(
            """
            INSERT INTO prompt_drawings (version, since)
            VALUES (\(version.rawValue), CASE WHEN EXISTS (SELECT 1 FROM enrolments) THEN CAST(\(now) AS BIGINT) ELSE 0 END)
            ON CONFLICT (version) DO NOTHING
            """)
    }
}
