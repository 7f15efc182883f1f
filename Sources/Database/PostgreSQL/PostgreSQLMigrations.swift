extension PostgreSQLSession {
    /// The lock of those that bring the schema up to date.
    private static let migrationLock = 7_464_002

    func prepareMigrations() throws {
        try run("SELECT pg_advisory_lock(\(Self.migrationLock))")
        try script(Migration.bookkeepingScript())
    }

    func begin(with migrations: [Migration], _ schema: () throws -> [String]) throws {
        let schema = try schema()
        try inTransaction { try make(migrations, schema) }
    }

    func replaceAll(
        with migrations: [Migration], _ schema: [String], _ rows: (borrowing Connection) throws -> Void
    ) throws {
        try prepareMigrations()
        try inTransaction {
            // Loading and proving may take long, and another writer must not begin meanwhile.
            try script("SET LOCAL idle_in_transaction_session_timeout = 0")
            let connection = Connection(session: self)
            try connection.run("SELECT pg_advisory_xact_lock(\(Self.writerLock))")
            for table in schema.compactMap(PostgreSQLSchema.table) where Migration.bookkeeping[table] == nil {
                try script("DROP TABLE IF EXISTS \(table) CASCADE")
            }
            try script("DELETE FROM migrations")
            try make(migrations, schema)
            try rows(connection)
            try continueNumbers(connection)
        }
    }

    /// The next number behind the largest that was put in.
    private func continueNumbers(_ connection: borrowing Connection) throws {
        let tables: [String] = try connection.all(
            """
            SELECT table_name::text FROM information_schema.columns
            WHERE table_schema = current_schema() AND column_name = 'id' AND is_identity = 'YES'
            """
        ) { row in try row[0] }
        for table in tables {
            try script(
                """
                SELECT setval(pg_get_serial_sequence('\(table)', 'id'),
                    (SELECT coalesce(max(id), 0) + 1 FROM \(table)), false)
                """)
        }
    }

    private func make(_ migrations: [Migration], _ schema: [String]) throws {
        let others = schema.filter { PostgreSQLSchema.table($0).flatMap { Migration.bookkeeping[$0] } == nil }
        let statements = try PostgreSQLSchema.statements(of: others)
        for statement in statements { try script(statement) }
        for migration in migrations { try migration.note(Connection(session: self)) }
    }

    func apply(_ migration: Migration) throws {
        try inTransaction {
            try script(PostgreSQLSchema.translated(migration.sql))
            try migration.note(Connection(session: self))
        }
    }

    private func inTransaction(_ body: () throws -> Void) throws {
        try script("BEGIN")
        do {
            try body()
            try script("COMMIT")
        } catch {
            if isInTransaction { try? script("ROLLBACK") }
            throw error
        }
    }
}
