import Database
import Records
import Therapies
import Web
import Wire

/// Every statement about the protocols in force for therapies.
enum PutProtocolStore {
    /// The revision of the protocols of the therapy in the path.
    static let revision: RevisionOf = { places, therapist, connection in
        guard let id = ID<Therapy>(uuid: places["patient"]) else { return nil }
        return try connection.revision(
            """
            SELECT therapies.id, (SELECT protocol_id FROM therapy_protocols
                WHERE therapy_id = therapies.id AND chosen = 1) AS protocol_id,
                (SELECT revision FROM therapy_protocols
                WHERE therapy_id = therapies.id AND chosen = 1) AS revision,
                (SELECT count(*) FROM therapy_protocols WHERE therapy_id = therapies.id) AS protocols,
                (SELECT count(*) FROM planned_interventions WHERE therapy_id = therapies.id
                    AND sent_at IS NULL AND withdrawn_at IS NULL) AS waiting
            FROM therapies WHERE id = \(id) AND therapist_id = \(therapist)
            """)
    }

    /// In a therapy; the therapist's own choice first.
    static func all(in therapy: ID<Therapy>, _ connection: borrowing Connection) throws -> [PutProtocol] {
        try connection.all(
            """
            SELECT * FROM therapy_protocols WHERE therapy_id = \(therapy)
            ORDER BY chosen DESC, put_at, protocol_id
            """
        ) { row in try PutProtocol(row: row) }
    }

    /// The running therapies of a protocol.
    static func all(
        of id: ID<TreatmentProtocol>, _ connection: borrowing Connection
    ) throws -> [PutProtocol] {
        try connection.all(
            """
            SELECT therapy_protocols.* FROM therapy_protocols
            JOIN therapies ON therapies.id = therapy_id AND therapies.ended_at IS NULL
            WHERE protocol_id = \(id) ORDER BY therapy_id
            """
        ) { row in try PutProtocol(row: row) }
    }

    /// Puts a protocol, or moves the therapy to its newest state.
    static func put(
        _ record: ProtocolRecord, on therapy: ID<Therapy>, isChosen: Bool, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO therapy_protocols (therapy_id, protocol_id, chosen, definition, revision, put_at)
            VALUES (\(therapy), \(record.id), \(isChosen), \(try record.definition.text), \(record.revision), \(now))
            ON CONFLICT (therapy_id, protocol_id) DO UPDATE SET definition = excluded.definition,
                revision = excluded.revision
            """)
    }

    /// Only the name has changed: therapies that were up to date stay so.
    static func keepUp(
        _ id: ID<TreatmentProtocol>, from old: Int, to new: Int, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "UPDATE therapy_protocols SET revision = \(new) WHERE protocol_id = \(id) AND revision = \(old)")
    }

    static func take(
        _ id: ID<TreatmentProtocol>, from therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "DELETE FROM therapy_protocols WHERE therapy_id = \(therapy) AND protocol_id = \(id)")
    }

    static func remove(_ id: ID<TreatmentProtocol>, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM therapy_protocols WHERE protocol_id = \(id)")
    }

    /// Running therapies to which studies' protocols apply or could apply, in order of their ids.
    static func inStudies(
        after id: ID<Therapy>, limit: Int, _ connection: borrowing Connection
    ) throws -> [ID<Therapy>] {
        try connection.all(
            """
            SELECT id FROM therapies WHERE id > \(id) AND ended_at IS NULL AND account_id IS NOT NULL AND (
                EXISTS (SELECT 1 FROM therapy_protocols WHERE therapy_id = therapies.id AND chosen = 0)
                OR EXISTS (SELECT 1 FROM enrolments JOIN protocols ON protocols.study_id = enrolments.study_id
                    AND protocols.retired_at IS NULL
                    WHERE enrolments.account_id = therapies.account_id AND state = 'enrolled'))
            ORDER BY id LIMIT \(limit)
            """
        ) { row in try row[0] }
    }
}
