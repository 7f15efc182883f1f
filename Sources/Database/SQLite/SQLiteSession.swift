import CSQLite
import Foundation

/// An open SQLite connection and its prepared statements.
///
/// `@unchecked Sendable` is safe because a handle is used by one thread at a time: the writer's belongs to the writer
/// thread, a reader's is taken out of the pool while it is used.
final class SQLiteSession: Session, @unchecked Sendable {
    let pointer: OpaquePointer
    private var statements: [String: SQLiteStatement] = [:]
    private static let statementLimit = 300
    /// Called before a read and after every so many of its rows; throws to end it.
    var goesOn: (() throws -> Void)?
    private var rows = 0
    private static let rowsBetween = 256
    /// For the whole process, before its first database.
    private static let countsMemory = intersession_sqlite_counts_no_memory() != SQLITE_OK

    /// - Throws: `DatabaseError` when the file cannot be opened or is no database.
    init(path: String, role: SessionRole) throws {
        let flags =
            role == .reader
            ? SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
            : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        _ = Self.countsMemory
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            sqlite3_close_v2(opened)
            throw DatabaseError(sqlite: code, message: "cannot open the database", statement: "")
        }
        pointer = opened
        do {
            try configure(role)
        } catch {
            close()
            throw error
        }
    }

    /// A reader of any file, also of one beside which no log can lie: a copy on a read-only disk. SQLite refuses to
    /// open it where the copy is marked as having a log; without one, nothing is missed by reading the file alone.
    /// - Throws: `DatabaseError` when the file cannot be opened or is no database.
    static func reader(of path: String) throws -> SQLiteSession {
        do {
            return try SQLiteSession(path: path, role: .reader)
        } catch let error as DatabaseError where error.isReadOnly {
            let file = URL(fileURLWithPath: path)
            guard !FileManager.default.fileExists(atPath: file.path + "-wal") else { throw error }
            return try SQLiteSession(path: file.absoluteString + "?immutable=1", role: .reader)
        }
    }

    private func configure(_ role: SessionRole) throws {
        try script("PRAGMA busy_timeout = 5000")
        try script("PRAGMA foreign_keys = ON")
        try script("PRAGMA trusted_schema = OFF")
        switch role {
        case .writer:
            // FULL: an acknowledged write survives a power cut. With NORMAL, WAL keeps the file sound only.
            try script("PRAGMA journal_mode = WAL")
            try script("PRAGMA synchronous = FULL")
            try script("PRAGMA secure_delete = ON")
            // 8 MB: the usual 2 MB spill when a transaction plans for hundreds of patients.
            try script("PRAGMA cache_size = -8000")
        case .reader:
            // 3.40.1 has the WAL-reset fault: the writer alone may checkpoint.
            // The cache holds the indexes that figures over years read; four readers are 32 MB at most.
            try script("PRAGMA cache_size = -8000")
            try script("PRAGMA query_only = ON")
            try script("PRAGMA wal_autocheckpoint = 0")
        }
    }

    /// Runs one or several statements without values.
    func script(_ text: String) throws {
        let code = sqlite3_exec(pointer, text, nil, nil, nil)
        guard code == SQLITE_OK else {
            throw DatabaseError(
                sqlite: sqlite3_extended_errcode(pointer), message: String(cString: sqlite3_errmsg(pointer)),
                statement: text)
        }
    }

    /// Hands each row to the closure, which may run the same text again: the statement is out of the cache meanwhile.
    func each(_ sql: SQL, _ body: (borrowing Row) throws -> Bool) throws {
        let statement = try statements.removeValue(forKey: sql.text) ?? SQLiteStatement(sql.text, on: pointer)
        defer {
            statement.reset()
            if statements.count >= Self.statementLimit { statements.removeAll() }
            statements[sql.text] = statement
        }
        try statement.bind(sql.values)
        while try statement.step() {
            rows &+= 1
            if rows % Self.rowsBetween == 0 { try goesOn?() }
            let goOn = try body(Row(source: statement))
            if !goOn { break }
        }
    }

    /// A statement of SQLite hands out its rows one by one anyway.
    func stream(_ sql: SQL, _ body: (borrowing Row) throws -> Bool) throws {
        try each(sql) { row in try body(row) }
    }

    /// One snapshot until the transaction ends.
    func beginRead() throws { try run("BEGIN") }

    /// The lock at once: a transaction that reads first could find it taken when it writes.
    func beginWrite() throws { try run("BEGIN IMMEDIATE") }

    /// Folds the write-ahead log into the file and empties it, except pages in use by readers.
    func leads() throws -> Bool { true }

    func tell(_ news: String) throws {}

    func tidy() { try? script("PRAGMA wal_checkpoint(TRUNCATE)") }

    var changes: Int { Int(sqlite3_changes(pointer)) }

    /// Whether a transaction is open. Some errors (disk full, I/O) end it on their own.
    var isInTransaction: Bool { sqlite3_get_autocommit(pointer) == 0 }

    func close() {
        statements.removeAll()
        sqlite3_close_v2(pointer)
    }
}
