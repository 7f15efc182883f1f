import Database
import Wire

/// Every statement about information pages. Versions are added, never changed: people have agreed to them.
enum InformationStore {
    /// The version in force; the shipped one where nobody has written another.
    static func version(of page: InformationPage, _ connection: borrowing Connection) throws -> Int {
        let own: Int? = try connection.value(
            "SELECT version FROM info_pages WHERE page = \(page.rawValue) ORDER BY version DESC LIMIT 1")
        return own ?? InformationPage.shippedVersion
    }

    static func text(
        of page: InformationPage, _ language: Language, version: Int, _ connection: borrowing Connection
    ) throws -> InformationText? {
        try connection.first(
            """
            SELECT title, body FROM info_pages
            WHERE page = \(page.rawValue) AND language = \(language) AND version = \(version)
            """
        ) { row in InformationText(title: try row[0], body: try row[1]) }
    }

    /// - Returns: the new version.
    static func publish(
        _ draft: InformationDraft, as page: InformationPage, by account: String, at now: Instant,
        _ connection: borrowing Connection
    ) throws -> Int {
        let version = try version(of: page, connection) + 1
        for (language, text) in draft.texts {
            try connection.run(
                """
                INSERT INTO info_pages (page, language, version, title, body, published_at, published_by)
                VALUES (\(page.rawValue), \(language), \(version), \(text.title), \(text.body), \(now), \(account))
                """)
        }
        return version
    }

    /// When each own version was published, the newest first.
    static func history(
        of page: InformationPage, _ connection: borrowing Connection
    ) throws -> [(version: Int, at: Instant)] {
        try connection.all(
            """
            SELECT DISTINCT version, published_at FROM info_pages WHERE page = \(page.rawValue)
            ORDER BY version DESC
            """
        ) { row in (version: try row[0], at: try row[1]) }
    }
}
