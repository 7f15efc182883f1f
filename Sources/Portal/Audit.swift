import Database
import Wire

/// What was done, as the audit log names it. Features add their own.
struct AuditAction: Sendable {
    let name: String
}

/// The database as everything above it sees it: reading is free, writing leaves a line in the audit log in the
/// same transaction. There is no way around it.
struct Records: Sendable {
    private let database: SQLiteDatabase

    init(_ database: SQLiteDatabase) { self.database = database }

    func read<T>(_ body: (borrowing Connection) throws -> T) throws -> T { try database.read(body) }

    /// - Parameters:
    ///   - actor: the account that acts; nil for the program itself and for people without an account.
    ///   - subject: the account or therapy it is about.
    ///   - object: the thing that was changed.
    @discardableResult
    func write<T: Sendable>(
        _ action: AuditAction, by actor: String?, about subject: String?, object: String? = nil,
        at now: Instant,
        _ body: @escaping @Sendable (borrowing Connection) throws -> T
    ) throws -> T {
        try database.write { connection in
            let result = try body(connection)
            try connection.run(
                """
                INSERT INTO audit_log (at, actor_id, action, subject_id, object_id)
                VALUES (\(now), \(actor), \(action.name), \(subject), \(object))
                """)
            return result
        }
    }

    /// Folds the write-ahead log into the database and empties it, so that nothing erased stays readable in it.
    func truncateLog() { database.truncateLog() }

    /// For what nobody reads as a fact about a person: last-seen times, spent links, expired rows, plans made anew.
    @discardableResult
    func keepHouse<T: Sendable>(_ body: @escaping @Sendable (borrowing Connection) throws -> T) throws -> T {
        try database.write(body)
    }
}
