import Contributions
import Database
import JSON
import Records
import Therapies
import Web
import Wire

/// Half-filled answers as stored, sealed; for the patient's own devices only.
package struct DraftRecord: Sendable, FromRow {
    package let subjectID: ID<DraftSubject>
    package let updatedAt: Instant
    /// The number of answered questions.
    package let answered: Int
    private let account: ID<Account>
    private let sealedAnswers: [UInt8]

    package init(row: borrowing Row) throws {
        account = try row["account_id"]
        subjectID = try row["subject_id"]
        updatedAt = try row["updated_at"]
        answered = try row["answered"]
        sealedAnswers = try row["answers"]
    }

    /// Sealed anew with every change, so the seal identifies the state.
    package var revision: Int {
        Revision.number(of: [.blob(sealedAnswers), .integer(updatedAt.milliseconds)])
    }

    package func draft(_ key: PersonKey) throws -> DraftAnswers {
        try DraftAnswers(
            stored: try key.openBytes(sealedAnswers, from: Self.place(account, subjectID)),
            updatedAt: updatedAt)
    }

    /// The answers alone: a JSON object.
    package func answers(_ key: PersonKey) throws -> [UInt8] {
        try JSONWriter.bytes(of: try draft(key).answersJSON(withNull: false))
    }

    package static func place(_ account: ID<Account>, _ subject: ID<DraftSubject>) -> SealContext {
        SealContext("answer_drafts", "\(account)/\(subject)", "answers")
    }
}

/// Every statement about half-filled answers.
package enum DraftStore {
    package static func find(
        _ subject: ID<DraftSubject>, of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> DraftRecord? {
        try connection.first(
            "SELECT * FROM answer_drafts WHERE account_id = \(account) AND subject_id = \(subject)")
    }

    package static func all(of account: ID<Account>, _ connection: borrowing Connection) throws
        -> [DraftRecord]
    {
        try connection.all("SELECT * FROM answer_drafts WHERE account_id = \(account)")
    }

    static func save(
        _ draft: DraftAnswers, for subject: ID<DraftSubject>, of account: ID<Account>, _ key: PersonKey,
        at now: Instant, _ connection: borrowing Connection
    ) throws {
        let sealed = key.seal(bytes: try draft.bytes, for: DraftRecord.place(account, subject))
        let answered = draft.answers.count
        try connection.run(
            """
            INSERT INTO answer_drafts (account_id, subject_id, answers, answered, updated_at)
            VALUES (\(account), \(subject), \(sealed), \(answered), \(now))
            ON CONFLICT (account_id, subject_id) DO UPDATE SET answers = excluded.answers,
                answered = excluded.answered, updated_at = excluded.updated_at
            """)
    }

    /// - Parameter last: later drafts stay; nil erases all.
    package static func erase(
        _ subject: ID<DraftSubject>, of account: ID<Account>, until last: Instant? = nil,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            DELETE FROM answer_drafts WHERE account_id = \(account) AND subject_id = \(subject)
            AND updated_at <= \(last ?? .distantFuture)
            """)
    }

    /// An account's drafts for some questionnaires or assignments.
    package static func erase(
        _ subjects: [ID<DraftSubject>], of account: ID<Account>, _ connection: borrowing Connection
    ) throws {
        for subject in subjects { try erase(subject, of: account, connection) }
    }

    /// An account's drafts for the assignments of a therapy.
    package static func erase(
        inTherapy therapy: ID<Therapy>, of account: ID<Account>?, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            DELETE FROM answer_drafts WHERE account_id = \(account)
            AND subject_id IN (SELECT id FROM assignments WHERE therapy_id = \(therapy))
            """)
    }

    /// Drafts of assignments that were withdrawn or expired long ago, which will not be continued.
    static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        try connection.run(
            """
            DELETE FROM answer_drafts WHERE subject_id IN (SELECT id FROM assignments
                WHERE withdrawn_at <= \(now.adding(days: -30)) OR due_at <= \(now.adding(days: -30)))
            """)
    }
}
