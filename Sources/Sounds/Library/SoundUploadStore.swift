import Database
import Records
import Wire

/// A measured file that waits for a title.
package struct SoundUpload: Sendable, FromRow {
    package let id: ID<SoundUpload>
    /// The original name of the file.
    package let name: String
    package let audioHash: String
    package let pictureHash: String?

    package init(row: borrowing Row) throws {
        id = try row["id"]
        name = try row["name"]
        audioHash = try row["audio_hash"]
        pictureHash = try row["picture_hash"]
    }
}

/// Every statement about waiting uploads.
package enum SoundUploadStore {
    /// The account's own.
    package static func find(
        _ id: ID<SoundUpload>, of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> SoundUpload? {
        try connection.first("SELECT * FROM sound_uploads WHERE id = \(id) AND account_id = \(account)")
    }

    package static func insert(
        _ id: ID<SoundUpload>, name: String, audio: String, picture: String?, of account: ID<Account>,
        at now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO sound_uploads (id, account_id, name, audio_hash, picture_hash, made_at)
            VALUES (\(id), \(account), \(name), \(audio), \(picture), \(now))
            """)
    }

    package static func remove(_ id: ID<SoundUpload>, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM sound_uploads WHERE id = \(id)")
    }

    package static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM sound_uploads WHERE made_at < \(now.adding(days: -1))")
    }
}
