import CSQLite
import Foundation

/// An open SQLite connection and its prepared statements.
///
/// `@unchecked Sendable` is safe because a handle is used by one thread at a time: the writer's belongs
/// to the writer thread, a reader's is taken out of the pool for as long as it is used.
final class Handle: @unchecked Sendable {
    enum Role { case writer, reader }

    let pointer: OpaquePointer
    private var statements: [String: Statement] = [:]
    private static let statementLimit = 300
    /// Asked before a read and after every so many of its rows; throws to end it.
    var goesOn: (() throws -> Void)?
    private var rows = 0
    private static let rowsBetween = 256

    /// - Throws: `DatabaseError` when the file cannot be opened or is no database.
    init(path: String, role: Role) throws {
        let flags =
            role == .writer
            ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
            : SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            sqlite3_close_v2(opened)
            throw DatabaseError(code: code, message: "cannot open the database", statement: "")
        }
        pointer = opened
        do {
            try configure(role)
        } catch {
            close()
            throw error
        }
    }

    /// A reader of any file, also of one that no log can lie beside: a copy on a disk that is mounted to be read. SQLite refuses
    /// it where the copy says of itself that it has a log; without one nothing can be missed by reading it as it is.
    /// - Throws: `DatabaseError` when the file cannot be opened or is no database.
    static func reader(of path: String) throws -> Handle {
        do {
            return try Handle(path: path, role: .reader)
        } catch let error as DatabaseError where error.code & 0xff == SQLITE_READONLY {
            let file = URL(fileURLWithPath: path)
            guard !FileManager.default.fileExists(atPath: file.path + "-wal") else { throw error }
            return try Handle(path: file.absoluteString + "?immutable=1", role: .reader)
        }
    }

    private func configure(_ role: Role) throws {
        try script("PRAGMA busy_timeout = 5000")
        try script("PRAGMA foreign_keys = ON")
        try script("PRAGMA trusted_schema = OFF")
        switch role {
        case .writer:
            // FULL: what was acknowledged survives a power cut. WAL alone would be NORMAL-safe only.
            try script("PRAGMA journal_mode = WAL")
            try script("PRAGMA synchronous = FULL")
            try script("PRAGMA secure_delete = ON")
            // 8 MB: the usual 2 MB spill when a transaction plans for hundreds of patients.
            try script("PRAGMA cache_size = -8000")
        case .reader:
            // 3.40.1 has the WAL-reset fault: the writer alone may checkpoint.
            // What figures over years look at, with its indexes; four readers are 32 MB at most.
            try script("PRAGMA cache_size = -8000")
            try script("PRAGMA query_only = ON")
            try script("PRAGMA wal_autocheckpoint = 0")
        }
    }

    /// Runs statements without values, several at once if need be.
    func script(_ text: String) throws {
        let code = sqlite3_exec(pointer, text, nil, nil, nil)
        guard code == SQLITE_OK else {
            throw DatabaseError(
                code: sqlite3_extended_errcode(pointer), message: String(cString: sqlite3_errmsg(pointer)),
                statement: text)
        }
    }

    /// Runs a query and hands each row to the closure. The statement is out of the cache meanwhile, so the
    /// closure may run the same text again.
    func each(_ sql: SQL, _ body: (borrowing Row) throws -> Bool) throws {
        let statement = try statements.removeValue(forKey: sql.text) ?? Statement(sql.text, on: pointer)
        defer {
            statement.reset()
            if statements.count >= Self.statementLimit { statements.removeAll() }
            statements[sql.text] = statement
        }
        try statement.bind(sql.values)
        while try statement.step() {
            rows &+= 1
            if rows % Self.rowsBetween == 0 { try goesOn?() }
            let goOn = try body(Row(statement: statement))
            if !goOn { break }
        }
    }

    /// Runs a statement that answers no rows; unlike `script` it is prepared once.
    func run(_ sql: SQL) throws { try each(sql) { _ in true } }

    var changes: Int { Int(sqlite3_changes(pointer)) }

    /// Whether a transaction is open. Some errors (disk full, I/O) end it on their own.
    var isInTransaction: Bool { sqlite3_get_autocommit(pointer) == 0 }

    func close() {
        statements.removeAll()
        sqlite3_close_v2(pointer)
    }
}
