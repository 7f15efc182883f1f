import Database
import Records
import Therapies
import Wire

/// Every statement that reads the audit log. What adds to it stands in `Records`.
package enum AuditLogStore {
    /// Which lines are asked for.
    struct Filter: Sendable {
        var from: Instant?
        var until: Instant?
        var action: String?
        var actor: ID<Account>?
        var subjects: [any SubjectID]?
        /// Lines older than this one.
        var before: Int?

        fileprivate var sql: SQL {
            var sql: SQL = "1 = 1"
            if let from { sql = "\(sql: sql) AND at >= \(from)" }
            if let until { sql = "\(sql: sql) AND at < \(until)" }
            if let action { sql = "\(sql: sql) AND action = \(action)" }
            if let actor { sql = "\(sql: sql) AND actor_id = \(actor)" }
            if let subjects { sql = "\(sql: sql) AND subject_id IN \(list: subjects.map(\.text))" }
            return sql
        }
    }

    /// The newest first.
    static func lines(
        _ filter: Filter, limit: Int, _ connection: borrowing Connection
    ) throws -> [AuditLine] {
        let last = filter.before ?? .max
        return try connection.all(
            """
            SELECT * FROM audit_log WHERE \(sql: filter.sql) AND id < \(last) ORDER BY id DESC LIMIT \(limit)
            """)
    }

    /// Some of the visits and other lines, the newest first.
    /// - Returns: the number of the line that the next ones are older than; nil at the end of the log.
    static func visits(
        _ filter: Filter, limit: Int, _ connection: borrowing Connection
    ) throws -> (part: [AuditVisit], older: Int?) {
        var visits: AuditVisits = AuditVisits()
        var last: Int? = nil
        var isMore: Bool = false
        try connection.each(
            """
            SELECT * FROM audit_log WHERE \(sql: filter.sql) AND id < \(filter.before ?? .max) ORDER BY id DESC
            """
        ) { row in
            let line = try AuditLine(row: row)
            guard visits.add(line, limit: limit) else {
                isMore = true
                return false
            }
            last = line.id
            return true
        }
        return (visits.list, isMore ? last : nil)
    }

    package static func total(_ connection: borrowing Connection) throws -> Int {
        try count(Filter(), connection)
    }

    static func count(_ filter: Filter, _ connection: borrowing Connection) throws -> Int {
        try connection.count("SELECT count(*) FROM audit_log WHERE \(sql: filter.sql)")
    }

    /// Line by line, the oldest first, for a file of any length.
    static func each(
        _ filter: Filter, _ connection: borrowing Connection, _ body: (AuditLine) throws -> Void
    ) throws {
        try connection.each("SELECT * FROM audit_log WHERE \(sql: filter.sql) ORDER BY id") { row in
            try body(try AuditLine(row: row))
            return true
        }
    }

    /// The names of all actions ever done here.
    static func actions(_ connection: borrowing Connection) throws -> [String] {
        try connection.all("SELECT DISTINCT action FROM audit_log ORDER BY action") { row in try row[0] }
    }

    /// The times in which an account was paired with a therapy, also with one whose pairing was undone.
    static func pairings(
        of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> [(therapy: ID<Therapy>, from: Int, until: Int)] {
        try connection.all(
            """
            SELECT paired.subject_id, paired.id, coalesce((SELECT undone.id FROM audit_log AS undone
                WHERE undone.subject_id = paired.subject_id AND undone.action = 'pairing.undone'
                AND undone.id > paired.id ORDER BY undone.id LIMIT 1), 9223372036854775807)
            FROM audit_log AS paired WHERE paired.action = 'pairing.paired' AND paired.object_id = \(account)
            """
        ) { row in (try row[0], try row[1], try row[2]) }
    }

    /// Visits of an account's data, copies and hand-overs by others; the newest first.
    static func visits(
        of subjects: [any SubjectID], but person: ID<Account>, _ connection: borrowing Connection
    ) throws -> [AuditLine] {
        try connection.all(
            """
            SELECT * FROM audit_log WHERE subject_id IN \(list: subjects.map(\.text))
            AND action IN ('file.viewed', 'file.viewed_as_cover', 'file.viewed_as_second_therapist',
                'file.viewed_as_supervisor', 'data.copied', 'data.exported', 'therapy.handed_over',
                'assignment.link_made', 'assignment.sent_by_link', 'emergency_contact.opened')
            AND coalesce(actor_id, '') <> \(person) ORDER BY id DESC
            """)
    }
}
