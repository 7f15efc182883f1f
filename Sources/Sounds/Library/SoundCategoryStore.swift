import Database
import Records
import Web
import Wire

/// A category as stored.
package struct SoundCategoryRecord: Sendable, FromRow {
    package let id: ID<SoundCategory>
    package var title: LocalizedText
    package var position: Int
    package var archivedAt: Instant?
    /// The number of its sounds that are not archived.
    package let sounds: Int

    package init(row: borrowing Row) throws {
        id = try row["id"]
        title = try LocalizedText(row: row, "title")
        position = try row["position"]
        archivedAt = try row["archived_at"]
        sounds = try row["sounds"]
    }

    package var wire: SoundCategory {
        SoundCategory(title: title, position: position, sounds: sounds, archivedAt: archivedAt)
    }
}

/// Every statement about categories of sounds.
package enum SoundCategoryStore {
    /// In their order, archived ones too.
    package static func all(_ connection: borrowing Connection) throws -> [SoundCategoryRecord] {
        try connection.all(
            """
            SELECT sound_categories.*, (SELECT count(*) FROM sounds
                WHERE category_id = sound_categories.id AND sounds.archived_at IS NULL) AS sounds
            FROM sound_categories ORDER BY position, id
            """)
    }

    package static func find(
        _ id: ID<SoundCategory>, _ connection: borrowing Connection
    ) throws -> SoundCategoryRecord? {
        try all(connection).first { $0.id == id }
    }

    /// - Parameter position: nil puts it last.
    package static func insert(
        _ title: LocalizedText, position: Int?, id: ID<SoundCategory>, _ connection: borrowing Connection
    ) throws {
        let columns = title.columns
        try connection.run(
            """
            INSERT INTO sound_categories (id, title_de, title_en, title_other, position)
            VALUES (\(id), \(columns.german), \(columns.english), \(columns.others),
                coalesce(\(position), (SELECT coalesce(max(position), 0) + 1 FROM sound_categories)))
            """)
    }

    package static func update(
        _ record: SoundCategoryRecord, _ connection: borrowing Connection
    ) throws {
        let columns = record.title.columns
        try connection.run(
            """
            UPDATE sound_categories SET title_de = \(columns.german), title_en = \(columns.english),
                title_other = \(columns.others), position = \(record.position),
                archived_at = \(record.archivedAt)
            WHERE id = \(record.id)
            """)
    }

    package static func place(
        _ id: ID<SoundCategory>, at position: Int, _ connection: borrowing Connection
    ) throws {
        try connection.run("UPDATE sound_categories SET position = \(position) WHERE id = \(id)")
    }

    package static let revision: RevisionOf = { places, _, connection in
        guard let id = ID<SoundCategory>(uuid: places["category"]) else { return nil }
        return try connection.revision(
            """
            SELECT title_de, title_en, title_other, position, archived_at FROM sound_categories
            WHERE id = \(id)
            """)
    }
}
