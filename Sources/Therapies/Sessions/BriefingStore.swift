import Database
import Records
import Web
import Wire

/// What a therapist wants to take up, as it is stored.
package struct BriefingQuestions: Sendable, FromRow {
    private let sealed: [UInt8]
    package let changedAt: Instant

    package init(row: borrowing Row) throws {
        sealed = try row["words"]
        changedAt = try row["changed_at"]
    }

    /// One question a line.
    package func words(_ key: PersonKey, therapy: ID<Therapy>) throws -> String {
        try key.open(sealed, from: Self.place(therapy))
    }

    static func place(_ therapy: ID<Therapy>) -> SealContext {
        SealContext("briefing_questions", therapy, "words")
    }
}

/// Every statement about what therapists want to take up.
package enum BriefingStore {
    package static func find(
        _ therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> BriefingQuestions? {
        try connection.first("SELECT * FROM briefing_questions WHERE therapy_id = \(therapy)")
    }

    /// Where the sealed words belong.
    package static func place(_ therapy: ID<Therapy>) -> SealContext { BriefingQuestions.place(therapy) }

    /// Nil when there is nothing to take up.
    package static func revision(of therapy: ID<Therapy>, _ connection: borrowing Connection) throws -> Int? {
        try connection.revision("SELECT words FROM briefing_questions WHERE therapy_id = \(therapy)")
    }

    /// - Parameter sealed: nil when there is nothing left to take up.
    package static func save(
        _ sealed: [UInt8]?, of therapy: ID<Therapy>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        guard let sealed else {
            try connection.run("DELETE FROM briefing_questions WHERE therapy_id = \(therapy)")
            return
        }
        try connection.run(
            """
            INSERT INTO briefing_questions (therapy_id, words, changed_at) VALUES (\(therapy), \(sealed), \(now))
            ON CONFLICT (therapy_id) DO UPDATE SET words = excluded.words, changed_at = excluded.changed_at
            """)
    }
}
