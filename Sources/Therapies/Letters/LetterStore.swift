import Database
import Records
import Web
import Wire

/// Every statement about letters. An author sees their own only.
package enum LetterStore {
    /// The newest first.
    package static func all(
        in therapy: ID<Therapy>, by author: ID<Account>, _ connection: borrowing Connection
    ) throws -> [LetterRecord] {
        try connection.all(
            """
            SELECT * FROM letters WHERE therapy_id = \(therapy) AND account_id = \(author)
            ORDER BY made_at DESC, id
            """)
    }

    package static func count(
        in therapy: ID<Therapy>, by author: ID<Account>, _ connection: borrowing Connection
    ) throws -> Int {
        try connection.count(
            "SELECT count(*) FROM letters WHERE therapy_id = \(therapy) AND account_id = \(author)")
    }

    package static func find(
        _ id: ID<LetterRecord>, in therapy: ID<Therapy>, by author: ID<Account>,
        _ connection: borrowing Connection
    ) throws -> LetterRecord? {
        try connection.first(
            """
            SELECT * FROM letters WHERE id = \(id) AND therapy_id = \(therapy) AND account_id = \(author)
            """)
    }

    package static func insert(
        _ id: ID<LetterRecord>, _ sealed: [UInt8], in therapy: ID<Therapy>, by author: ID<Account>,
        at now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO letters (id, therapy_id, account_id, letter, made_at, changed_at)
            VALUES (\(id), \(therapy), \(author), \(sealed), \(now), \(now))
            """)
    }

    /// - Returns: whether the author has this letter.
    package static func update(
        _ id: ID<LetterRecord>, _ sealed: [UInt8], in therapy: ID<Therapy>, by author: ID<Account>,
        at now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.run(
            """
            UPDATE letters SET letter = \(sealed), changed_at = \(now)
            WHERE id = \(id) AND therapy_id = \(therapy) AND account_id = \(author)
            """) > 0
    }

    package static func remove(
        _ id: ID<LetterRecord>, in therapy: ID<Therapy>, by author: ID<Account>,
        _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.run(
            "DELETE FROM letters WHERE id = \(id) AND therapy_id = \(therapy) AND account_id = \(author)") > 0
    }

    /// Changes whenever a letter is rewritten.
    package static let revision: RevisionOf = { places, author, connection in
        guard let id = ID<LetterRecord>(uuid: places["letter"]) else { return nil }
        return try revision(of: id, by: author, connection)
    }

    package static func revision(
        of id: ID<LetterRecord>, by author: ID<Account>, _ connection: borrowing Connection
    ) throws -> Int? {
        try connection.revision(
            "SELECT letter, changed_at FROM letters WHERE id = \(id) AND account_id = \(author)")
    }

    /// Hands them over to the new therapist, as notes on sessions are.
    package static func handOver(
        in therapy: ID<Therapy>, from leaving: ID<Account>, to new: ID<Account>,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "UPDATE letters SET account_id = \(new) WHERE therapy_id = \(therapy) AND account_id = \(leaving)"
        )
    }
}

extension AuditAction {
    package static let letterMade = AuditAction(name: "letter.made")
    package static let letterChanged = AuditAction(name: "letter.changed")
    package static let letterRemoved = AuditAction(name: "letter.removed")
}
