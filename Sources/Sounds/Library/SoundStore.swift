import Database
import Records
import SoundFiles
import Web
import Wire

/// Every statement about sounds.
package enum SoundStore {
    private static let columns: SQL = """
        SELECT sounds.*, sound_categories.title_de AS category_de, sound_categories.title_en AS category_en,
            sound_categories.title_other AS category_other, sound_categories.position AS category_position,
            CASE WHEN sound_categories.archived_at IS NULL THEN 0 ELSE 1 END AS category_archived
        FROM sounds JOIN sound_categories ON sound_categories.id = sounds.category_id
        """
    private static let order: SQL = """
        ORDER BY sound_categories.position, sound_categories.id, sounds.position, sounds.id
        """

    /// All sounds ever added, in order of category and position.
    package static func all(_ connection: borrowing Connection) throws -> [SoundRecord] {
        try connection.all("\(sql: columns) \(sql: order)")
    }

    /// The sounds that are public now.
    package static func offered(_ connection: borrowing Connection) throws -> [SoundRecord] {
        try connection.all(
            """
            \(sql: columns) WHERE sounds.published_at IS NOT NULL AND sounds.archived_at IS NULL
            AND sound_categories.archived_at IS NULL \(sql: order)
            """)
    }

    package static func find(_ id: ID<Sound>, _ connection: borrowing Connection) throws -> SoundRecord? {
        try connection.first("\(sql: columns) WHERE sounds.id = \(id)")
    }

    /// Adds it as the last of its category.
    package static func insert(
        _ sound: NewSound, id: ID<Sound>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        let title = sound.title.columns
        let file = sound.file.measure
        try connection.run(
            """
            INSERT INTO sounds (id, category_id, title_de, title_en, title_other, credits, licence, position,
                picture_hash, audio_hash, media_type, bytes, length_ms, sample_rate, channels, loudness_lufs,
                true_peak_db, gain_db, loop_start, loop_end, made_at, changed_at, published_at)
            VALUES (\(id), \(sound.categoryID), \(title.german), \(title.english), \(title.others),
                \(sound.credits), \(sound.licence),
                (SELECT coalesce(max(position), 0) + 1 FROM sounds WHERE category_id = \(sound.categoryID)),
                \(sound.pictureHash), \(sound.file.hash), \(file.mediaType), \(file.bytes),
                \(file.lengthMilliseconds),
                \(file.sampleRate), \(file.channels), \(file.loudness), \(file.truePeak),
                \(file.gain),
                \(sound.loop?.lowerBound), \(sound.loop?.upperBound), \(now), \(now), \(sound.publishedAt))
            """)
    }

    package static func update(
        _ sound: SoundRecord, at now: Instant, _ connection: borrowing Connection
    ) throws {
        let title = sound.title.columns
        try connection.run(
            """
            UPDATE sounds SET category_id = \(sound.categoryID), title_de = \(title.german),
                title_en = \(title.english), title_other = \(title.others), credits = \(sound.credits),
                licence = \(sound.licence), position = \(sound.position),
                loop_start = \(sound.loop?.lowerBound), loop_end = \(sound.loop?.upperBound),
                published_at = \(sound.publishedAt), archived_at = \(sound.archivedAt), changed_at = \(now)
            WHERE id = \(sound.id)
            """)
    }

    /// Only sounds that were never heard.
    package static func delete(_ id: ID<Sound>, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM sounds WHERE id = \(id)")
    }

    package static let revision: RevisionOf = { places, _, connection in
        guard let id = ID<Sound>(uuid: places["sound"]) else { return nil }
        return try connection.revision(
            """
            SELECT category_id, title_de, title_en, title_other, credits, licence, position, loop_start, loop_end,
                published_at, archived_at FROM sounds WHERE id = \(id)
            """)
    }
}
