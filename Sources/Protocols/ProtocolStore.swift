import Database
import Records
import Studies
import Wire
import Wording

/// Every statement about protocols, and which are defaults.
package enum ProtocolStore {
    /// In order of their names.
    static func all(_ connection: borrowing Connection) throws -> [ProtocolRecord] {
        try connection.all("SELECT * FROM protocols WHERE retired_at IS NULL") { row in
            try ProtocolRecord(row: row)
        }.sorted(byName: \.name, then: \.id)
    }

    /// Includes removed ones: their parts may still have to be named.
    static func find(
        _ id: ID<TreatmentProtocol>, _ connection: borrowing Connection
    ) throws -> ProtocolRecord? {
        try connection.first("SELECT * FROM protocols WHERE id = \(id)") { row in
            try ProtocolRecord(row: row)
        }
    }

    static func all(of study: ID<Study>, _ connection: borrowing Connection) throws -> [ProtocolRecord] {
        try connection.all(
            "SELECT * FROM protocols WHERE study_id = \(study) AND retired_at IS NULL ORDER BY created_at, id"
        ) { row in try ProtocolRecord(row: row) }
    }

    static func revision(
        of id: ID<TreatmentProtocol>, _ connection: borrowing Connection
    ) throws -> Int? {
        try connection.value("SELECT revision FROM protocols WHERE id = \(id) AND retired_at IS NULL")
    }

    static func insert(
        _ draft: ProtocolDraft, id: ID<TreatmentProtocol>, owner: ID<Account>, actsSince: Instant,
        at now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO protocols (id, scope, owner_id, study_id, arms, name, definition, acts_since, created_at, changed_at)
            VALUES (\(id), \(draft.scope), \(owner), \(draft.studyID), \(draft.arms.column), \(draft.name), \(try draft.definition.text),
                \(actsSince), \(now), \(now))
            """)
    }

    /// Whether an account has ever made one of its own.
    static func hasMade(_ owner: ID<Account>, _ connection: borrowing Connection) throws -> Bool {
        try connection.exists(
            "SELECT 1 FROM protocols WHERE owner_id = \(owner) AND scope = \(ProtocolScope.own) LIMIT 1")
    }

    static func update(
        _ draft: ProtocolDraft, id: ID<TreatmentProtocol>, actsSince: Instant, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE protocols SET name = \(draft.name), definition = \(try draft.definition.text),
                acts_since = \(actsSince), changed_at = \(now), revision = revision + 1
            WHERE id = \(id) AND retired_at IS NULL
            """)
    }

    static func retire(
        _ id: ID<TreatmentProtocol>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "UPDATE protocols SET retired_at = \(now) WHERE id = \(id) AND retired_at IS NULL")
        try connection.run("DELETE FROM protocol_defaults WHERE protocol_id = \(id)")
    }

    // MARK: Defaults

    /// The default for a therapist's new patients; nil without one.
    static func standard(
        of therapist: ID<Account>, _ connection: borrowing Connection
    ) throws -> ID<TreatmentProtocol>? {
        try connection.value("SELECT protocol_id FROM protocol_defaults WHERE account_id = \(therapist)")
    }

    static func setStandard(
        _ id: ID<TreatmentProtocol>?, of therapist: ID<Account>, _ connection: borrowing Connection
    ) throws {
        guard let id else {
            try connection.run("DELETE FROM protocol_defaults WHERE account_id = \(therapist)")
            return
        }
        try connection.run(
            """
            INSERT INTO protocol_defaults (account_id, protocol_id) VALUES (\(therapist), \(id))
            ON CONFLICT (account_id) DO UPDATE SET protocol_id = excluded.protocol_id
            """)
    }
}
