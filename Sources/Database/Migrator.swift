/// One step of the schema. Its text never changes once it has been released.
public struct Migration: Sendable {
    public let name: String
    let sql: String
    /// FNV-1a over the text: notices an edited migration, is no protection against a forger.
    let checksum: String
    /// Checksums of other texts under this name that some database was made by.
    let formerly: Set<String>

    /// - Parameter formerly: only for a text that was changed against the rule above: a later migration has to bring what the
    ///   old and the new text made to the same schema.
    public init(_ name: String, _ sql: String, formerly: Set<String> = []) {
        self.name = name
        self.sql = sql
        self.formerly = formerly
        let hash = sql.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        checksum = String(hash, radix: 16)
    }
}

/// Why a database does not fit this program.
public enum MigrationError: Error, Equatable, CustomStringConvertible {
    /// The database knows a migration that this program does not: it was written by a newer one.
    case unknown(String)
    /// The text of an applied migration differs from the one in this program.
    case edited(String)
    /// Rows point to nothing after the migration.
    case danglingReferences(String)

    public var description: String {
        switch self {
        case .unknown(let name): "the database was written by a newer program (migration \(name))"
        case .edited(let name): "migration \(name) was changed after it had been applied"
        case .danglingReferences(let name): "migration \(name) leaves references to missing rows"
        }
    }
}

/// Brings a database file to the newest schema, each step whole or not at all.
public struct Migrator: Sendable {
    let migrations: [Migration]

    public init(_ migrations: [Migration]) { self.migrations = migrations }

    /// Applies what is missing and answers the names of what it applied.
    /// - Throws: `MigrationError` when the file does not fit this program.
    @discardableResult
    public func migrate(path: String) throws -> [String] {
        let handle = try Handle(path: path, role: .writer)
        defer { handle.close() }
        return try migrate(handle)
    }

    private func migrate(_ handle: Handle) throws -> [String] {
        let create =
            "CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, checksum TEXT NOT NULL) STRICT"
        try handle.script(create)
        let applied = try check(Connection(handle: handle))
        let missing = migrations.filter { !applied.contains($0.name) }
        for migration in missing { try apply(migration, on: handle) }
        return missing.map(\.name)
    }

    /// Whether the file has exactly the migrations of this program; changes nothing.
    public func isCurrent(path: String) throws -> Bool {
        let handle = try Handle.reader(of: path)
        defer { handle.close() }
        return try check(Connection(handle: handle)).count == migrations.count
    }

    /// What of a file's schema is not as these migrations make it, by kind and name; empty when it is. Changes nothing.
    public func differences(path: String) throws -> [String] {
        let model = try Handle(path: ":memory:", role: .writer)
        defer { model.close() }
        _ = try migrate(model)
        let handle = try Handle.reader(of: path)
        defer { handle.close() }
        let wanted = try Self.schema(model)
        let found = try Self.schema(handle)
        let names = Set(wanted.keys).union(found.keys).sorted()
        return names.compactMap { name in
            guard let sql = found[name] else { return "\(name) is missing" }
            guard let model = wanted[name] else { return "\(name) is not of this program" }
            return sql == model ? nil : "\(name) is not as this program makes it"
        }
    }

    /// The statements that made tables, indexes, triggers and views, by kind and name. What SQLite makes of its own has no
    /// statement, or a name of SQLite's.
    private static func schema(_ handle: Handle) throws -> [String: String] {
        let rows: [(String, String)] = try Connection(handle: handle).all(
            "SELECT type || ' ' || name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%'"
        ) { row in (try row[0], try row[1]) }
        return Dictionary(rows, uniquingKeysWith: { first, _ in first })
    }

    private func check(_ connection: borrowing Connection) throws -> Set<String> {
        let known = Dictionary(uniqueKeysWithValues: migrations.map { ($0.name, $0) })
        let rows = try connection.all("SELECT name, checksum FROM migrations ORDER BY name") { row in
            (name: try row["name"] as String, checksum: try row["checksum"] as String)
        }
        for row in rows {
            guard let migration = known[row.name] else { throw MigrationError.unknown(row.name) }
            guard migration.checksum == row.checksum || migration.formerly.contains(row.checksum) else {
                throw MigrationError.edited(row.name)
            }
        }
        return Set(rows.map(\.name))
    }

    private func apply(_ migration: Migration, on handle: Handle) throws {
        // lang_altertable, step 1: foreign keys off, outside of the transaction.
        try handle.script("PRAGMA foreign_keys = OFF")
        defer { try? handle.script("PRAGMA foreign_keys = ON") }
        // Step 2.
        try handle.script("BEGIN EXCLUSIVE")
        do {
            try handle.script(migration.sql)
            let connection = Connection(handle: handle)
            // Step 10: check foreign keys before commit.
            if try connection.exists("PRAGMA foreign_key_check") {
                throw MigrationError.danglingReferences(migration.name)
            }
            let name = migration.name
            let checksum = migration.checksum
            try connection.run("INSERT INTO migrations (name, checksum) VALUES (\(name), \(checksum))")
            // Step 11.
            try handle.script("COMMIT")
        } catch {
            if handle.isInTransaction { try? handle.script("ROLLBACK") }
            throw error
        }
    }
}
