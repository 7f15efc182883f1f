import Locks

/// Brings a database to the newest schema, each step whole or not at all.
///
/// Migrations are written for SQLite. An empty database of PostgreSQL gets the schema that they make, in the words of that
/// engine, at once; later ones are applied to it one by one.
public struct Migrator: Sendable {
    let migrations: [Migration]

    public init(_ migrations: [Migration]) { self.migrations = migrations }

    /// Applies the missing migrations and returns their names. Of two programs that begin at once, the second waits.
    /// - Throws: `MigrationError` when the database does not fit this program, `DatabaseError`.
    @discardableResult
    public func migrate(_ place: DatabasePlace, _ lock: ProgramLock = .none) throws -> [String] {
        let session = try place.open(.writer(lock))
        defer { session.close() }
        return try migrate(session)
    }

    private func migrate(_ session: any Session) throws -> [String] {
        try session.prepareMigrations()
        let applied = try check(Connection(session: session))
        try noteOldest(applied, Connection(session: session))
        let missing = migrations.filter { !applied.contains($0.name) }
        if applied.isEmpty {
            try session.begin(with: missing, schema)
        } else if missing.contains(where: { $0.kind == .contract }) {
            // The program before, which may be serving elsewhere, could not go on.
            try session.alone { for migration in missing { try session.apply(migration) } }
        } else {
            for migration in missing { try session.apply(migration) }
        }
        return missing.map(\.name)
    }

    /// Whether the database has all migrations of this program; changes nothing.
    /// - Parameter exactly: and none of a newer one.
    public func isCurrent(_ place: DatabasePlace, exactly: Bool = false) throws -> Bool {
        let applied = try place.look { try check($0) }
        return migrations.allSatisfy { applied.contains($0.name) }
            && (!exactly || applied.count == migrations.count)
    }

    /// The statements that make the schema on SQLite, by kind and name.
    public func schema() throws -> [String] {
        try model().sorted { $0.key < $1.key }.map(\.value)
    }

    /// The parts of a schema that differ from what these migrations make, by kind and name; on PostgreSQL and in the database of
    /// a newer program by columns, there without those that it added. Changes nothing.
    public func differences(_ place: DatabasePlace) throws -> [String] {
        let isNewer = try place.look { try check($0) }.count > migrations.count
        guard case .file = place, !isNewer else { return try columns(place, without: isNewer) }
        let wanted = try model()
        let found = try place.look(Self.schema)
        let names = Set(wanted.keys).union(found.keys).sorted()
        return names.compactMap { name in
            guard let sql = found[name] else { return "\(name) is missing" }
            guard let model = wanted[name] else { return "\(name) is not of this program" }
            return sql == model ? nil : "\(name) is not as this program makes it"
        }
    }

    /// The tables that the migrations noted in a database have made and that are not there: it is a part of a copy. Changes nothing.
    /// - Parameter found: the names of its tables, that of migrations among them.
    /// - Returns: nil where no migration is noted.
    public func missingTables(_ place: DatabasePlace, among found: Set<String>) throws -> [String]? {
        let applied = try place.look { try check($0) }
        if applied.isEmpty { return nil }
        let known = migrations.filter { applied.contains($0.name) }
        return try Self.madeTables(by: known).subtracting(found).sorted()
    }

    /// Making a schema takes longer than a start may take twice.
    private static let made = Lock<[[String]: Set<String>]>([:])

    private static func madeTables(by migrations: [Migration]) throws -> Set<String> {
        let names = migrations.map(\.name)
        if let known = made.withLock({ $0[names] }) { return known }
        let tables = Set(try Migrator(migrations).model().keys.compactMap(tableName))
        made.withLock { $0[names] = tables }
        return tables
    }

    /// - Parameter object: the kind and the name of an object of a schema.
    /// - Returns: its name, where it is a table and not one of migrations.
    private static func tableName(_ object: String) -> String? {
        guard object.hasPrefix("table ") else { return nil }
        let name = String(object.dropFirst(6))
        return Migration.bookkeeping[name] == nil ? name : nil
    }

    /// Every table but those of migrations, each behind those that it refers to, with the names of its columns.
    func tables() throws -> [(name: String, columns: [String])] {
        let session = try SQLiteSession(path: ":memory:", role: .writer())
        defer { session.close() }
        _ = try migrate(session)
        let connection = Connection(session: session)
        let names = try PostgreSQLSchema.tables(
            of: Self.schema(connection).sorted { $0.key < $1.key }.map(\.value))
        return try names.filter { Migration.bookkeeping[$0] == nil }.map { name in
            (
                name,
                try connection.all("SELECT name FROM pragma_table_info(\(name)) ORDER BY cid") { try $0[0] }
            )
        }
    }

    /// - Parameter more: what these migrations do not make is let be.
    private func columns(_ place: DatabasePlace, without more: Bool) throws -> [String] {
        let wanted = Set(try tables().flatMap { table in table.columns.map { "\(table.name).\($0)" } })
        let names: SQL =
            if case .file = place {
                """
                SELECT t.name || '.' || c.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table'
                """
            } else {
                """
                SELECT relname || '.' || attname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
                JOIN pg_namespace ON pg_namespace.oid = relnamespace
                WHERE nspname = current_schema() AND relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped
                """
            }
        let rows: [String] = try place.look { connection in try connection.all(names) { row in try row[0] } }
        let found = Set(
            rows.filter { row in !Migration.bookkeeping.keys.contains { row.hasPrefix($0 + ".") } })
        return wanted.subtracting(found).sorted().map { "column \($0) is missing" }
            + (more ? [] : found.subtracting(wanted).sorted().map { "column \($0) is not of this program" })
    }

    private func model() throws -> [String: String] {
        let session = try SQLiteSession(path: ":memory:", role: .writer())
        defer { session.close() }
        _ = try migrate(session)
        return try Self.schema(Connection(session: session))
    }

    /// The statements that made tables, indexes, triggers and views, by kind and name. SQLite's own objects have no
    /// statement, or a name of SQLite's.
    private static func schema(_ connection: borrowing Connection) throws -> [String: String] {
        let rows: [(String, String)] = try connection.all(
            "SELECT type || ' ' || name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%'"
        ) { row in (try row[0], try row[1]) }
        return Dictionary(rows, uniquingKeysWith: { first, _ in first })
    }

    /// For a database of a program that noted none yet.
    private func noteOldest(_ applied: Set<String>, _ connection: borrowing Connection) throws {
        let last = migrations.last { $0.kind == .contract && applied.contains($0.name) }
        guard let last, try !connection.exists("SELECT 1 FROM oldest_program") else { return }
        try connection.run("INSERT INTO oldest_program (migration) VALUES (\(last.name))")
    }

    private func check(_ connection: borrowing Connection) throws -> Set<String> {
        let known = Dictionary(uniqueKeysWithValues: migrations.map { ($0.name, $0) })
        let rows = try connection.all("SELECT name, checksum FROM migrations ORDER BY name") { row in
            (name: try row["name"] as String, checksum: try row["checksum"] as String)
        }
        for row in rows {
            guard let migration = known[row.name] else { continue }
            guard migration.checksum == row.checksum || migration.formerly.contains(row.checksum) else {
                throw MigrationError.edited(row.name)
            }
        }
        let newer = rows.first { known[$0.name] == nil }
        if let newer {
            // Only steps that the program before can go on with came after what this one knows.
            let oldest: String? = try? connection.value("SELECT migration FROM oldest_program")
            guard let oldest, known[oldest] != nil else { throw MigrationError.unknown(newer.name) }
        }
        return Set(rows.map(\.name))
    }
}
