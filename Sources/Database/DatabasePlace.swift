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
