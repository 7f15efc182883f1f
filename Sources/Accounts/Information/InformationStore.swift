import Database
import Records
import Web
import Wire
import Wording

/// Every statement about information pages. Versions are added, never changed: people have agreed to them.
package enum InformationStore {
    static let revision: RevisionOf = { places, _, connection in
        guard let key = places["page"] else { return nil }
        if let shipped = ShippedPage(rawValue: key) {
            return try version(of: InformationPage(shipped), connection)
        }
        return try isAdded(key, connection) ? version(of: InformationPage(added: key), connection) : nil
    }

    /// The version in force; the shipped one until another is published, 0 for an unknown page.
    package static func version(of page: InformationPage, _ connection: borrowing Connection) throws -> Int {
        let own: Int? = try connection.value(
            "SELECT version FROM info_pages WHERE page = \(page.key) ORDER BY version DESC LIMIT 1")
        return own ?? (page.shipped == nil ? 0 : InformationPage.shippedVersion)
    }

    package static func text(
        of page: InformationPage, _ language: Language, version: Int, _ connection: borrowing Connection
    ) throws -> InformationText? {
        try connection.first(
            """
            SELECT title, body FROM info_pages
            WHERE page = \(page.key) AND language = \(language) AND version = \(version)
            """
        ) { row in InformationText(title: try row[0], body: try row[1]) }
    }

    /// - Returns: the new version.
    static func publish(
        _ draft: InformationDraft, as page: InformationPage, by account: ID<Account>, at now: Instant,
        _ connection: borrowing Connection
    ) throws -> Int {
        let version = try version(of: page, connection) + 1
        for (language, text) in draft.texts {
            try connection.run(
                """
                INSERT INTO info_pages (page, language, version, title, body, published_at, published_by)
                VALUES (\(page.key), \(language), \(version), \(text.title), \(text.body), \(now), \(account))
                """)
        }
        return version
    }

    /// When each of the clinic's versions was published, the newest first.
    static func history(
        of page: InformationPage, _ connection: borrowing Connection
    ) throws -> [(version: Int, at: Instant)] {
        try connection.all(
            """
            SELECT DISTINCT version, published_at FROM info_pages WHERE page = \(page.key)
            ORDER BY version DESC
            """
        ) { row in (version: try row[0], at: try row[1]) }
    }

    // MARK: Pages beside the shipped ones

    /// The keys of the added pages, the oldest first; with `isRemoved` those that were removed.
    static func added(isRemoved: Bool = false, _ connection: borrowing Connection) throws -> [String] {
        try connection.all(
            """
            SELECT page FROM added_info_pages WHERE (removed_at IS NOT NULL) = \(isRemoved)
            ORDER BY added_at, page
            """
        ) { row in try row[0] }
    }

    static func isAdded(_ key: String, _ connection: borrowing Connection) throws -> Bool {
        try connection.exists("SELECT 1 FROM added_info_pages WHERE page = \(key) AND removed_at IS NULL")
    }

    /// Also brings back a removed one, with its versions.
    package static func add(_ key: String, at now: Instant, _ connection: borrowing Connection) throws {
        try connection.run(
            """
            INSERT INTO added_info_pages (page, added_at) VALUES (\(key), \(now))
            ON CONFLICT (page) DO UPDATE SET removed_at = NULL
            """)
    }

    /// - Returns: false when there is no such page, or it was removed already.
    package static func remove(_ key: String, at now: Instant, _ connection: borrowing Connection) throws
        -> Bool
    {
        try connection.run(
            "UPDATE added_info_pages SET removed_at = \(now) WHERE page = \(key) AND removed_at IS NULL") > 0
    }

    /// - Returns: false when there is no such page, or it is shown already.
    static func bringBack(_ key: String, _ connection: borrowing Connection) throws -> Bool {
        try connection.run(
            "UPDATE added_info_pages SET removed_at = NULL WHERE page = \(key) AND removed_at IS NOT NULL")
            > 0
    }

    /// Titles of the added pages, in their order, for the foot of every page.
    static func addedTitles(
        _ connection: borrowing Connection
    ) throws -> [(key: String, title: LocalizedText)] {
        let rows = try connection.all(
            """
            SELECT added.page, text.language, text.title FROM added_info_pages AS added
            JOIN info_pages AS text ON text.page = added.page
                AND text.version = (SELECT max(version) FROM info_pages WHERE page = added.page)
            WHERE added.removed_at IS NULL ORDER BY added.added_at, added.page
            """
        ) { row in (key: try row[0] as String, language: try row[1] as String, title: try row[2] as String) }
        var titles: [(key: String, title: LocalizedText)] = []
        for row in rows {
            if titles.last?.key != row.key { titles.append((row.key, LocalizedText())) }
            titles[titles.count - 1].title[row.language] = row.title
        }
        return titles
    }
}
