import Database
import Records
import Wire

/// Every statement about listening.
package enum ListeningStore {
    package static func find(
        _ id: ID<ListeningSession>, of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> ListeningRecord? {
        try connection.first(
            "SELECT * FROM listening_sessions WHERE account_id = \(account) AND id = \(id)")
    }

    /// The newest first.
    package static func all(
        of account: ID<Account>, from: Instant = .distantPast, until: Instant = .distantFuture,
        _ connection: borrowing Connection
    ) throws -> [ListeningRecord] {
        try connection.all(
            """
            SELECT * FROM listening_sessions WHERE account_id = \(account)
            AND started_at >= \(from) AND started_at < \(until) ORDER BY started_at DESC, id
            """)
    }

    /// Some of the last ones, the newest first.
    static func latest(
        of account: ID<Account>, limit: Int, _ connection: borrowing Connection
    ) throws -> [ListeningRecord] {
        try connection.all(
            """
            SELECT * FROM listening_sessions WHERE account_id = \(account)
            ORDER BY started_at DESC, id LIMIT \(limit)
            """)
    }

    package static func insert(
        _ record: ListeningRecord, of account: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO listening_sessions (account_id, id, sound_id, audio_hash, started_at, listened_seconds,
                loop_minutes, rating, rating_state, received_at)
            VALUES (\(account), \(record.id), \(record.soundID), \(record.audioHash), \(record.startedAt),
                \(record.listenedSeconds), \(record.loopMinutes), \(record.rating), \(record.ratingState),
                \(record.receivedAt))
            """)
    }

    package static func isHeard(_ sound: ID<Sound>, _ connection: borrowing Connection) throws -> Bool {
        try connection.count("SELECT count(*) FROM listening_sessions WHERE sound_id = \(sound)") > 0
    }

    // MARK: All listeners

    /// How often each sound was heard, and its ratings.
    package static func uses(_ connection: borrowing Connection) throws -> [ID<Sound>: SoundUse] {
        let rows = try connection.all(
            """
            SELECT sound_id, count(CASE WHEN listened_seconds >= \(ListeningSession.shortestPlay) THEN 1 END),
                count(rating), coalesce(sum(rating), 0) FROM listening_sessions GROUP BY sound_id
            """
        ) { row -> (ID<Sound>, SoundUse) in
            (try row[0], SoundUse(plays: try row[1], rated: try row[2], ratingSum: try row[3]))
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    package static func use(of sound: ID<Sound>, _ connection: borrowing Connection) throws -> SoundUse {
        try connection.first(
            """
            SELECT count(CASE WHEN listened_seconds >= \(ListeningSession.shortestPlay) THEN 1 END), count(rating),
                coalesce(sum(rating), 0) FROM listening_sessions WHERE sound_id = \(sound)
            """
        ) { row in SoundUse(plays: try row[0], rated: try row[1], ratingSum: try row[2]) } ?? SoundUse()
    }
}

/// Every statement about favourite sounds.
package enum FavouriteStore {
    /// The newest first.
    package static func all(
        of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> [(sound: ID<Sound>, addedAt: Instant)] {
        try connection.all(
            """
            SELECT sound_id, added_at FROM sound_favourites WHERE account_id = \(account)
            ORDER BY added_at DESC, sound_id
            """
        ) { row in (try row[0], try row[1]) }
    }

    package static func add(
        _ sound: ID<Sound>, of account: ID<Account>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO sound_favourites (account_id, sound_id, added_at) VALUES (\(account), \(sound), \(now))
            ON CONFLICT (account_id, sound_id) DO NOTHING
            """)
    }

    package static func remove(
        _ sound: ID<Sound>, of account: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "DELETE FROM sound_favourites WHERE account_id = \(account) AND sound_id = \(sound)")
    }
}
