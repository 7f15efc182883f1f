import Database
import Wire

/// A waiting change, in the order of changes.
struct Outgoing: Sendable, Equatable {
    enum Kind: String, Sendable, CaseIterable {
        case sheet, draft, assignment, intervention, appointment, listening, match, day, value, sleep,
            activity, event
    }

    let kind: Kind
    let subject: String
    let revision: Int
    let tries: Int
}

extension LocalStore {
    /// Notes that a thing must be sent, or sent again.
    static func enqueue(_ kind: Outgoing.Kind, _ subject: String, _ connection: borrowing Connection) throws {
        try connection.run(
            """
            INSERT INTO outbox (kind, subject_id) VALUES (\(kind.rawValue), \(subject))
            ON CONFLICT (kind, subject_id) DO UPDATE SET revision = revision + 1, tries = 0, not_before = 0
            """)
    }

    static func isWaiting(
        _ kind: Outgoing.Kind, _ subject: String, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.exists(
            "SELECT 1 FROM outbox WHERE kind = \(kind.rawValue) AND subject_id = \(subject)")
    }

    static func dequeue(_ kind: Outgoing.Kind, _ subject: String, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM outbox WHERE kind = \(kind.rawValue) AND subject_id = \(subject)")
    }

    /// Removes a row unless its thing was changed meanwhile.
    /// - Returns: whether it was.
    @discardableResult
    static func settle(_ outgoing: Outgoing, _ connection: borrowing Connection) throws -> Bool {
        try connection.run(
            """
            DELETE FROM outbox WHERE kind = \(outgoing.kind.rawValue) AND subject_id = \(outgoing.subject)
            AND revision = \(outgoing.revision)
            """) == 0
    }

    /// Rows to send now. A wait of more than two hours was computed with a clock that has been corrected since.
    func outgoing(at now: Instant) throws -> [Outgoing] {
        try read { connection in
            try connection.all(
                """
                SELECT kind, subject_id, revision, tries FROM outbox
                WHERE not_before <= \(now.milliseconds)
                OR not_before > \(now.adding(seconds: 7200).milliseconds) ORDER BY number
                """
            ) { row in
                let kind: String = try row[0]
                return Outgoing(
                    kind: Outgoing.Kind(rawValue: kind) ?? .sheet, subject: try row[1],
                    revision: try row[2], tries: try row[3])
            }
        }
    }

    /// Tries a row again later.
    func postpone(_ outgoing: Outgoing, until time: Instant) throws {
        try write { connection in
            try connection.run(
                """
                UPDATE outbox SET tries = tries + 1, not_before = \(time.milliseconds)
                WHERE kind = \(outgoing.kind.rawValue) AND subject_id = \(outgoing.subject)
                """)
        }
    }

    /// The number of unsent things, which the app may show.
    public func waiting() throws -> Int {
        try read { connection in try connection.count("SELECT count(*) FROM outbox") }
    }
}
