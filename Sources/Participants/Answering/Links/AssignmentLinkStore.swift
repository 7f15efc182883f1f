import Database
import Records
import Secrets
import Wire

/// A link that opens one assignment without signing in. Of its token only the hash is stored.
struct AssignmentLinkRecord: Sendable, FromRow {
    /// It works so long at most.
    static let hours: Int64 = 48

    let assignment: ID<Assignment>
    /// Whose sheet it will be; nil for links of before that was kept: the patient's.
    let account: ID<Account>?
    let expiresAt: Instant
    /// Taken back, or replaced by a newer one.
    let endedAt: Instant?

    init(row: borrowing Row) throws {
        assignment = try row["assignment_id"]
        account = try row["account_id"]
        expiresAt = try row["expires_at"]
        endedAt = try row["ended_at"]
    }
}

/// Every statement about links to assignments.
enum AssignmentLinkStore {
    static func find(_ hash: [UInt8], _ connection: borrowing Connection) throws -> AssignmentLinkRecord? {
        try connection.first("SELECT * FROM assignment_links WHERE hash = \(hash)")
    }

    /// The one that works.
    static func live(
        of assignment: ID<Assignment>, at now: Instant, _ connection: borrowing Connection
    ) throws -> AssignmentLinkRecord? {
        try connection.first(
            """
            SELECT * FROM assignment_links WHERE assignment_id = \(assignment) AND ended_at IS NULL
            AND expires_at > \(now)
            """)
    }

    /// Makes a new one; the one before works no more.
    static func make(
        _ hash: [UInt8], for assignment: ID<Assignment>, as account: ID<Account>, until expiry: Instant,
        at now: Instant, _ connection: borrowing Connection
    ) throws {
        _ = try end(assignment, at: now, connection)
        try connection.run(
            """
            INSERT INTO assignment_links (hash, assignment_id, account_id, made_at, expires_at)
            VALUES (\(hash), \(assignment), \(account), \(now), \(expiry))
            """)
    }

    /// - Returns: whether there was one to end.
    static func end(
        _ assignment: ID<Assignment>, at now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.run(
            """
            UPDATE assignment_links SET ended_at = \(now)
            WHERE assignment_id = \(assignment) AND ended_at IS NULL
            """) > 0
    }

    /// What has run out is told apart from what there never was for 30 days.
    static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        try connection.run(
            "DELETE FROM assignment_links WHERE expires_at <= \(now.adding(days: -30))")
    }

    /// No link works any more.
    static func endAll(at now: Instant, _ connection: borrowing Connection) throws {
        try connection.run("UPDATE assignment_links SET ended_at = \(now) WHERE ended_at IS NULL")
    }
}

extension AuditAction {
    static let assignmentLinkMade = AuditAction(name: "assignment.link_made")
    static let assignmentLinkEnded = AuditAction(name: "assignment.link_ended")
}
