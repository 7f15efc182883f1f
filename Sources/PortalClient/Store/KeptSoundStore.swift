import Database
import Wire

// The sounds whose files are on the device.
extension LocalStore {
    func keptSounds() throws -> [KeptSound] {
        try read { connection in
            try connection.all("SELECT sound_id, hash, bytes, body FROM kept_sounds ORDER BY rowid") { row in
                KeptSound(
                    id: try row[0], hash: try row[1], bytes: try row[2],
                    sound: try Self.value(Sound.self, try row[3]))
            }
        }
    }

    func keep(_ kept: KeptSound) throws {
        let body = try Self.text(kept.sound)
        try write { connection in
            try connection.run(
                """
                INSERT INTO kept_sounds (sound_id, hash, bytes, body)
                VALUES (\(kept.id), \(kept.hash), \(kept.bytes), \(body))
                ON CONFLICT (sound_id) DO UPDATE SET
                    hash = excluded.hash, bytes = excluded.bytes, body = excluded.body
                """)
        }
    }

    /// - Returns: whether no sound is left that needs the file.
    func forgetSound(_ id: String) throws -> Bool {
        try write { connection in
            let hash: String? = try connection.value("SELECT hash FROM kept_sounds WHERE sound_id = \(id)")
            try connection.run("DELETE FROM kept_sounds WHERE sound_id = \(id)")
            guard let hash else { return false }
            return try !connection.exists("SELECT 1 FROM kept_sounds WHERE hash = \(hash)")
        }
    }
}
