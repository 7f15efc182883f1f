import Foundation

/// The place of a database.
public enum DatabasePlace: Sendable, Equatable {
    /// A file of SQLite, by its path.
    case file(String)
    /// A database of PostgreSQL, as `postgresql://…`.
    case server(String)

    /// Whether this is how the address of a database of PostgreSQL begins.
    public static func isServer(_ text: String) -> Bool {
        text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
    }

    func open(_ role: SessionRole) throws -> any Session {
        switch self {
        case .file(let path): try SQLiteSession(path: path, role: role)
        case .server(let address): try PostgreSQLSession(address, role: role)
        }
    }

    /// For looking at it only: a file may lie on a disk that cannot be written.
    func openToLook() throws -> any Session {
        if case .file(let path) = self { return try SQLiteSession.reader(of: path) }
        return try open(.reader)
    }

    /// Reads one snapshot, also of a copy on a read-only disk, and leaves everything as it is.
    /// - Throws: `DatabaseError` when it cannot be opened or is no database, and what the body throws.
    public func look<T>(_ body: (borrowing Connection) throws -> T) throws -> T {
        let session = try openToLook()
        defer { session.close() }
        // One snapshot: it may be in use.
        try session.beginRead()
        return try body(Connection(session: session))
    }

    /// The faults of its storage; empty when it is sound. PostgreSQL proves references and pages by itself.
    public func problems() throws -> [String] {
        guard case .file(let path) = self else { return try look { _ in [] } }
        return try Backup.problems(in: path)
    }

    /// Whether a program has begun to keep something here.
    public func isInUse() throws -> Bool {
        guard case .file(let path) = self else {
            return try look { connection in
                guard try connection.exists("SELECT 1 WHERE to_regclass('migrations') IS NOT NULL") else {
                    return false
                }
                return try connection.exists("SELECT 1 FROM migrations")
            }
        }
        return Self.size(of: path) > 0
    }

    /// What lies here.
    public enum Contents: Sendable, Equatable {
        /// No file.
        case missing
        /// A file of 0 bytes.
        case empty
        /// A file that is no database, or a damaged one.
        case damaged
        /// Tables, by their names.
        case tables(Set<String>)
    }

    /// What lies here; changes nothing.
    /// - Throws: `DatabaseError` when it cannot be opened.
    public func contents() throws -> Contents {
        if case .file(let path) = self {
            guard FileManager.default.fileExists(atPath: path) else { return .missing }
            // Not opened: a log that lies beside it would be folded into it.
            if Self.size(of: path) == 0 { return .empty }
        }
        do {
            return .tables(Set(try look { try $0.all(tableNames) { row in try row[0] as String } }))
        } catch let error as DatabaseError where error.isDamage {
            return .damaged
        }
    }

    private var tableNames: SQL {
        if case .file = self { return "SELECT name FROM sqlite_schema WHERE type = 'table'" }
        // Not the views of information_schema: they hide tables that this user has no right to.
        return """
            SELECT relname::text FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
            WHERE nspname = current_schema() AND relkind IN ('r', 'p')
            """
    }

    /// Runs the body while no other program serves from the database or changes the whole; for a file the lock of its folder says so.
    /// - Throws: `DatabaseError` where another one does, or it cannot be reached.
    public func alone<T>(_ body: () throws -> T) throws -> T {
        guard case .server = self else { return try body() }
        let session = try open(.writer(.exclusive))
        defer { session.close() }
        return try body()
    }

    /// In bytes, as it lies on the disk.
    public func size() throws -> Int {
        guard case .file(let path) = self else {
            return try look { try $0.count("SELECT pg_database_size(current_database())") }
        }
        return Self.size(of: path)
    }

    private static func size(of path: String) -> Int {
        let facts = try? FileManager.default.attributesOfItem(atPath: path)
        return (facts?[.size] as? NSNumber)?.intValue ?? 0
    }
}
