import Database
import Records
import Web
import Wire

/// Every statement about phone contacts.
package enum PhoneContactStore {
    /// The newest first.
    package static func all(
        in therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> [PhoneContactRecord] {
        try connection.all(
            """
            SELECT * FROM phone_contacts WHERE therapy_id = \(therapy) AND removed_at IS NULL
            ORDER BY at DESC, id
            """)
    }

    /// When each of a therapist's patients was last reached.
    package static func last(
        of therapist: ID<Account>, _ connection: borrowing Connection
    ) throws -> [ID<Therapy>: Instant] {
        let found = try connection.all(
            """
            SELECT therapy_id, max(at) FROM phone_contacts
            JOIN therapies ON therapies.id = phone_contacts.therapy_id
            WHERE therapies.therapist_id = \(therapist) AND removed_at IS NULL GROUP BY therapy_id
            """
        ) { row -> (ID<Therapy>, Instant) in (try row[0], try row[1]) }
        return Dictionary(uniqueKeysWithValues: found)
    }

    package static func insert(
        _ id: ID<PhoneContactRecord>, at: Instant, note: [UInt8]?, in therapy: ID<Therapy>,
        madeAt now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO phone_contacts (id, therapy_id, at, note, made_at)
            VALUES (\(id), \(therapy), \(at), \(note), \(now))
            """)
    }

    /// - Parameter moment: nil to bring it back.
    /// - Returns: whether that changed anything.
    package static func setRemoved(
        _ id: ID<PhoneContactRecord>, at moment: Instant?, in therapy: ID<Therapy>,
        _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.run(
            """
            UPDATE phone_contacts SET removed_at = \(moment)
            WHERE id = \(id) AND therapy_id = \(therapy) AND (removed_at IS NULL) = \(moment != nil)
            """) > 0
    }

    /// Removed contacts are deleted for good a day later: undoing is for slips.
    package static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM phone_contacts WHERE removed_at < \(now.adding(days: -1))")
    }

    package static let revision: RevisionOf = { places, _, connection in
        guard let id = ID<PhoneContactRecord>(uuid: places["contact"]),
            let therapy = ID<Therapy>(uuid: places["patient"])
        else { return nil }
        return try connection.revision(
            "SELECT removed_at, at FROM phone_contacts WHERE id = \(id) AND therapy_id = \(therapy)")
    }
}
