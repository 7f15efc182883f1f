import Database
import Records
import Wire

/// Pictures of studies.
extension StudyStore {
    static func set(
        _ change: PictureChange, of id: ID<Study>, _ connection: borrowing Connection
    ) throws {
        switch change {
        case .keep: break
        case .remove: try connection.run("DELETE FROM study_pictures WHERE study_id = \(id)")
        case .set(let picture):
            try connection.run(
                """
                INSERT INTO study_pictures (study_id, media_type, bytes, version)
                VALUES (\(id), \(picture.mediaType), \(picture.bytes), \(picture.version))
                ON CONFLICT (study_id) DO UPDATE SET media_type = excluded.media_type, bytes = excluded.bytes,
                    version = excluded.version
                """)
        }
    }

    package static func picture(of id: ID<Study>, _ connection: borrowing Connection) throws -> StudyPicture?
    {
        try connection.all("SELECT media_type, bytes FROM study_pictures WHERE study_id = \(id)") { row in
            StudyPicture(mediaType: try row[0], bytes: try row[1])
        }.first
    }

    /// Every study that has a picture, with it.
    package static func pictures(_ connection: borrowing Connection) throws -> [(
        study: ID<Study>, picture: StudyPicture
    )] {
        try connection.all("SELECT study_id, media_type, bytes FROM study_pictures") { row in
            (try row[0], StudyPicture(mediaType: try row[1], bytes: try row[2]))
        }
    }

    package static func set(
        _ picture: StudyPicture, of id: ID<Study>, instead old: StudyPicture,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE study_pictures SET media_type = \(picture.mediaType), bytes = \(picture.bytes),
                version = \(picture.version)
            WHERE study_id = \(id) AND bytes = \(old.bytes)
            """)
    }
}
