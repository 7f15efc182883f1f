import Database
import Records
import Web
import Wire

/// Every statement about emergency contacts and their openings (PR-29).
package enum EmergencyContactStore {
    package static func find(
        in therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> EmergencyContactRecord? {
        try connection.first("SELECT * FROM emergency_contacts WHERE therapy_id = \(therapy)")
    }

    /// The therapies that have one.
    package static func existing(
        in therapies: [ID<Therapy>], _ connection: borrowing Connection
    ) throws -> Set<ID<Therapy>> {
        if therapies.isEmpty { return [] }
        let found: [ID<Therapy>] = try connection.all(
            "SELECT therapy_id FROM emergency_contacts WHERE therapy_id IN \(list: therapies)"
        ) { row in try row[0] }
        return Set(found)
    }

    package static func save(
        _ contact: [UInt8], in therapy: ID<Therapy>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO emergency_contacts (therapy_id, contact, changed_at) VALUES (\(therapy), \(contact), \(now))
            ON CONFLICT (therapy_id) DO UPDATE SET contact = excluded.contact, changed_at = excluded.changed_at
            """)
    }

    /// - Returns: whether there was one.
    package static func remove(in therapy: ID<Therapy>, _ connection: borrowing Connection) throws -> Bool {
        try connection.run("DELETE FROM emergency_contacts WHERE therapy_id = \(therapy)") > 0
    }

    /// Contacts are gone thirty days after the end of the therapy; that they were opened stays in the access log.
    package static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        let edge = now.adding(days: -30)
        try connection.run(
            """
            DELETE FROM emergency_contacts WHERE therapy_id IN (SELECT id FROM therapies WHERE ended_at < \(edge))
            """)
        try connection.run(
            """
            DELETE FROM emergency_openings WHERE therapy_id IN (SELECT id FROM therapies WHERE ended_at < \(edge))
            """)
    }

    package static let revision: RevisionOf = { places, _, connection in
        guard let therapy = ID<Therapy>(uuid: places["patient"]) else { return nil }
        return try connection.revision(
            "SELECT changed_at, contact FROM emergency_contacts WHERE therapy_id = \(therapy)")
    }

    // MARK: Openings

    package static func insert(
        _ opening: EmergencyOpening, words: [UInt8]?, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO emergency_openings (id, therapy_id, account_id, reason, words, opened_at)
            VALUES (\(opening.id), \(opening.therapyID), \(opening.accountID), \(opening.reason), \(words),
                \(opening.openedAt))
            """)
    }

    /// The newest first.
    package static func openings(
        in therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> [EmergencyOpening] {
        try connection.all(
            "SELECT * FROM emergency_openings WHERE therapy_id = \(therapy) ORDER BY opened_at DESC, id")
    }

    /// Those of a therapist's patients that the therapist has not read, the newest first.
    package static func unread(
        by therapist: ID<Account>, _ connection: borrowing Connection
    ) throws -> [EmergencyOpening] {
        try connection.all(
            """
            SELECT emergency_openings.* FROM therapies
            JOIN emergency_openings ON emergency_openings.therapy_id = therapies.id
            WHERE therapies.therapist_id = \(therapist) AND read_at IS NULL
            ORDER BY opened_at DESC, emergency_openings.id
            """)
    }

    /// - Returns: whether it was unread.
    package static func markRead(
        _ id: ID<EmergencyOpening>, in therapy: ID<Therapy>, at now: Instant,
        _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.run(
            """
            UPDATE emergency_openings SET read_at = \(now)
            WHERE id = \(id) AND therapy_id = \(therapy) AND read_at IS NULL
            """) > 0
    }
}
