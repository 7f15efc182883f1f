import Database
import Records
import Wire
import Wording

/// Every statement about invitations.
package enum InvitationStore {
    package static func insert(
        _ lookups: [[UInt8]], in study: ID<Study>, until: Instant, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        for lookup in lookups {
            try connection.run(
                """
                INSERT INTO study_invitations (lookup, study_id, made_at, expires_at)
                VALUES (\(lookup), \(study), \(now), \(until))
                """)
        }
    }

    /// The study of an invitation; nil when it was used or has expired.
    static func find(
        _ lookup: [UInt8], at now: Instant, _ connection: borrowing Connection
    ) throws -> ID<Study>? {
        try connection.value(
            """
            SELECT study_id FROM study_invitations
            WHERE lookup = \(lookup) AND used_at IS NULL AND expires_at > \(now)
            """)
    }

    /// - Throws: `Problem.gone` when it was used meanwhile.
    static func spend(_ lookup: [UInt8], at now: Instant, _ connection: borrowing Connection) throws {
        let changed = try connection.run(
            """
            UPDATE study_invitations SET used_at = \(now)
            WHERE lookup = \(lookup) AND used_at IS NULL AND expires_at > \(now)
            """)
        if changed == 0 { throw Problem.gone(Message("studies.code_used")) }
    }

    /// How many can still be used, and how many were.
    package static func counts(
        in study: ID<Study>, at now: Instant, _ connection: borrowing Connection
    ) throws -> (open: Int, used: Int) {
        (
            try connection.count(
                """
                SELECT count(*) FROM study_invitations
                WHERE study_id = \(study) AND used_at IS NULL AND expires_at > \(now)
                """),
            try connection.count(
                "SELECT count(*) FROM study_invitations WHERE study_id = \(study) AND used_at IS NOT NULL")
        )
    }

    private static let memoryDays: Int64 = 30

    static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        let forgotten = now.adding(days: -memoryDays)
        try connection.run(
            "DELETE FROM study_invitations WHERE expires_at <= \(forgotten) AND used_at IS NULL")
    }
}
