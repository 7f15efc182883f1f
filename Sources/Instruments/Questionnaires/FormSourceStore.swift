import Database
import JSON
import Questionnaires
import Records
import Wire
import Wording

/// Every statement about the forms that questionnaires came from.
enum FormSourceStore {
    /// The questionnaire that a form became; nil for one that is not known.
    static func key(of identity: FormIdentity, _ connection: borrowing Connection) throws -> String? {
        for mark in identity.deciding {
            let key: String? = try connection.value(
                "SELECT key FROM form_sources WHERE kind = \(mark.kind.rawValue) AND value = \(mark.value)")
            if let key { return key }
        }
        return nil
    }

    /// The address that a questionnaire came with first, by which files name all of its versions; nil where it had none.
    static func url(of key: String, _ connection: borrowing Connection) throws -> String? {
        try connection.value(
            "SELECT value FROM form_sources WHERE key = \(key) AND kind = 'url' ORDER BY noted_at, value LIMIT 1"
        )
    }

    /// Whether it is known where a questionnaire came from.
    static func isKnown(_ key: String, _ connection: borrowing Connection) throws -> Bool {
        try connection.exists("SELECT 1 FROM form_sources WHERE key = \(key) LIMIT 1")
    }

    /// A later answer counts.
    static func note(
        _ marks: [FormIdentity.Mark], of key: String, at now: Instant, _ connection: borrowing Connection
    ) throws {
        for mark in marks {
            try connection.run(
                """
                INSERT INTO form_sources (kind, value, key, noted_at)
                VALUES (\(mark.kind.rawValue), \(mark.value), \(key), \(now))
                ON CONFLICT (kind, value) DO UPDATE SET key = excluded.key, noted_at = excluded.noted_at
                """)
        }
    }
}
