extension SQLiteSession {
    func prepareMigrations() throws {
        try script(Migration.bookkeepingScript(" STRICT"))
    }

    func begin(with migrations: [Migration], _ schema: () throws -> [String]) throws {
        for migration in migrations { try apply(migration) }
    }

    func replaceAll(
        with migrations: [Migration], _ schema: [String], _ rows: (borrowing Connection) throws -> Void
    ) throws {
        try prepareMigrations()
        try begin(with: migrations) { schema }
        // Rows come in any order.
        try script("PRAGMA foreign_keys = OFF")
        defer { try? script("PRAGMA foreign_keys = ON") }
        try script("BEGIN EXCLUSIVE")
        do {
            let connection = Connection(session: self)
            try rows(connection)
            if try connection.exists("PRAGMA foreign_key_check") {
                throw DatabaseError("a row refers to one that is not there")
            }
            try script("COMMIT")
        } catch {
            if isInTransaction { try? script("ROLLBACK") }
            throw error
        }
    }

    /// The lock of the folder holds off others.
    func alone(_ body: () throws -> Void) throws { try body() }

    func apply(_ migration: Migration) throws {
        // lang_altertable, step 1: foreign keys off, outside of the transaction.
        try script("PRAGMA foreign_keys = OFF")
        defer { try? script("PRAGMA foreign_keys = ON") }
        // Step 2.
        try script("BEGIN EXCLUSIVE")
        do {
            try script(migration.sql)
            let connection = Connection(session: self)
            // Step 10: check foreign keys before commit.
            if try connection.exists("PRAGMA foreign_key_check") {
                throw MigrationError.danglingReferences(migration.name)
            }
            try migration.note(connection)
            // Step 11.
            try script("COMMIT")
        } catch {
            if isInTransaction { try? script("ROLLBACK") }
            throw error
        }
    }
}
