import Database
import Records
import Wire

/// A link that opens one assignment without signing in. Only the hash of its token is stored.
struct AssignmentLinkRecord: Sendable, FromRow {
    /// The most hours it works.
    static let hours: Int64 = 48

    let assignment: ID<Assignment>
    /// The account of the future sheet; nil for older links: the patient's.
    let account: ID<Account>?
    let expiresAt: Instant
    /// Ended by staff, replaced by a newer one, or handed back with its device.
    let endedAt: Instant?
    let handedBackAt: Instant?
    /// When its sheet came in, and the browser that sent it; nil once that device was handed back.
    let sentAt: Instant?
    let sentBy: [UInt8]?

    init(row: borrowing Row) throws {
        assignment = try row["assignment_id"]
        account = try row["account_id"]
        expiresAt = try row["expires_at"]
        endedAt = try row["ended_at"]
        handedBackAt = try row["handed_back_at"]
        sentAt = try row["sent_at"]
        sentBy = try row["sent_by"]
    }
}

/// Every statement about links to assignments.
enum AssignmentLinkStore {
    static func find(_ hash: [UInt8], _ connection: borrowing Connection) throws -> AssignmentLinkRecord? {
        try connection.first("SELECT * FROM assignment_links WHERE hash = \(hash)")
    }

    /// The link that works.
    static func live(
        of assignment: ID<Assignment>, at now: Instant, _ connection: borrowing Connection
    ) throws -> AssignmentLinkRecord? {
        try connection.first(
            """
            SELECT * FROM assignment_links WHERE assignment_id = \(assignment) AND ended_at IS NULL
            AND expires_at > \(now)
            """)
    }

    /// Makes a new one; the former no longer works.
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
        let ended = try connection.run(
            """
            UPDATE assignment_links SET ended_at = \(now)
            WHERE assignment_id = \(assignment) AND ended_at IS NULL
            """)
        if ended > 0 { try LinkDraftStore.removeOrphans(now: now, connection) }
        return ended > 0
    }

    static func noteSent(
        _ hash: [UInt8], by browser: [UInt8], at now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "UPDATE assignment_links SET sent_at = \(now), sent_by = \(browser) WHERE hash = \(hash)")
        try LinkDraftStore.removeAll(behind: hash, connection)
    }

    /// The device was handed back: nothing of the sheet is shown on it any more.
    static func handBack(_ hash: [UInt8], at now: Instant, _ connection: borrowing Connection) throws {
        try connection.run(
            """
            UPDATE assignment_links SET sent_by = NULL, ended_at = coalesce(ended_at, \(now)),
                handed_back_at = CASE WHEN ended_at IS NULL THEN \(now) ELSE handed_back_at END
            WHERE hash = \(hash)
            """)
        try LinkDraftStore.removeAll(behind: hash, connection)
    }

    /// Expired links are distinguished from unknown ones for 30 days.
    static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        try LinkDraftStore.removeOrphans(now: now, connection)
        try connection.run(
            "DELETE FROM assignment_links WHERE expires_at <= \(now.adding(days: -30))")
    }

    static func endAll(at now: Instant, _ connection: borrowing Connection) throws {
        try connection.run("UPDATE assignment_links SET ended_at = \(now) WHERE ended_at IS NULL")
        try LinkDraftStore.removeOrphans(now: now, connection)
    }
}

extension AuditAction {
    static let assignmentLinkMade = AuditAction(name: "assignment.link_made")
    static let assignmentSentByLink = AuditAction(name: "assignment.sent_by_link")
    static let assignmentLinkEnded = AuditAction(name: "assignment.link_ended")
}
