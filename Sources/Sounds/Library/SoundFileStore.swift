import Database
import JSON
import SoundFiles
import Wire

/// A sound's file with its measurements.
package struct AudioFile: Sendable, Equatable {
    /// SHA-256, in lower case.
    package let hash: String
    package let measure: SoundMeasure

    package init(hash: String, measure: SoundMeasure) {
        self.hash = hash
        self.measure = measure
    }

    /// From the column that `keep` filled.
    fileprivate init?(hash: String, measures: String) {
        guard let json = try? JSON.parse(Array(measures.utf8), allowsNull: true),
            let measure = SoundMeasure(json)
        else { return nil }
        self.init(hash: hash, measure: measure)
    }
}

/// Every statement about the files in the folder of sounds.
package enum SoundFileStore {
    package struct Stored: Sendable {
        package let mediaType: String
        package let bytes: Int
    }

    /// Any file by its hash.
    package static func find(_ hash: String, _ connection: borrowing Connection) throws -> Stored? {
        try connection.first("SELECT media_type, bytes FROM sound_files WHERE hash = \(hash)") { row in
            Stored(mediaType: try row[0], bytes: try row[1])
        }
    }

    package static func audio(_ hash: String, _ connection: borrowing Connection) throws -> AudioFile? {
        try connection.first(
            "SELECT measures FROM sound_files WHERE hash = \(hash) AND kind = 'audio'"
        ) { row in AudioFile(hash: hash, measures: try row[0]) }.flatMap(\.self)
    }

    /// The same bytes twice are one file.
    package static func keep(
        _ file: AudioFile, at now: Instant, _ connection: borrowing Connection
    ) throws {
        let measure = file.measure
        let measures = String(decoding: try JSONWriter.bytes(of: measure), as: UTF8.self)
        try connection.run(
            """
            INSERT INTO sound_files (hash, bytes, kind, media_type, measures, stored_at)
            VALUES (\(file.hash), \(measure.bytes), 'audio', \(measure.mediaType), \(measures), \(now))
            ON CONFLICT (hash) DO NOTHING
            """)
    }

    package static func keep(
        picture hash: String, mediaType: String, bytes: Int, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO sound_files (hash, bytes, kind, media_type, stored_at)
            VALUES (\(hash), \(bytes), 'picture', \(mediaType), \(now)) ON CONFLICT (hash) DO NOTHING
            """)
    }

    /// Removes rows of files without a sound or upload. The files themselves stay in the folder.
    package static func removeUnused(before moment: Instant, _ connection: borrowing Connection) throws {
        try connection.run(
            """
            DELETE FROM sound_files WHERE stored_at < \(moment)
            AND NOT EXISTS (SELECT 1 FROM sounds WHERE audio_hash = hash OR picture_hash = hash)
            AND NOT EXISTS (SELECT 1 FROM sound_uploads WHERE audio_hash = hash OR picture_hash = hash)
            """)
    }
}
