import Dispatch
import Foundation
import Synchronization
import Testing

@testable import Database
@testable import EngineTesting

/// What PostgreSQL alone can do to a program, and what several programs on one database owe each other.
@Suite struct PostgreSQLTests {
    /// Nothing runs where no server was started: `bin/test --all` starts one.
    static let engines = TestEngine.available.filter { $0 == .postgreSQL }

    @Test(arguments: engines) func `a connection that was lost between two transactions is made anew`(
        _ engine: TestEngine
    ) throws {
        try withDatabase(on: engine) { database, address in
            try database.write { try $0.run("INSERT INTO notes (text) VALUES ('before')") }
            try #expect(countNotes(in: database) == 1)
            try TestEngine.endSessions(.server(address))
            try database.write { try $0.run("INSERT INTO notes (text) VALUES ('after')") }
            try #expect(countNotes(in: database) == 2)
        }
    }

    @Test(arguments: engines)
    func `one that is lost in the middle of a write is answered as a storage that failed`(
        _ engine: TestEngine
    ) throws {
        try withDatabase(on: engine) { database, address in
            let error = #expect(throws: DatabaseError.self) {
                try database.write { connection in
                    try connection.run("INSERT INTO notes (text) VALUES ('half')")
                    try TestEngine.endSessions(.server(address))
                    try connection.run("INSERT INTO notes (text) VALUES ('other half')")
                }
            }
            #expect(error?.isStorageFailure == true)
            try #expect(countNotes(in: database) == 0)
        }
    }

    /// As the server does it where the wait for the standby was given up: the commit is one, with a warning.
    @Test(arguments: engines) func `a commit with a warning is not acknowledged`(_ engine: TestEngine) throws
    {
        try withDatabase(on: engine) { database, _ in
            try database.write { connection in
                try connection.script(
                    """
                    CREATE FUNCTION warn() RETURNS trigger LANGUAGE plpgsql AS
                        $$ BEGIN RAISE WARNING 'alone'; RETURN NULL; END $$;
                    CREATE CONSTRAINT TRIGGER late AFTER INSERT ON notes DEFERRABLE INITIALLY DEFERRED
                        FOR EACH ROW WHEN (NEW.text = 'alone') EXECUTE FUNCTION warn()
                    """)
            }
            let error = #expect(throws: DatabaseError.self) {
                try database.write { try $0.run("INSERT INTO notes (text) VALUES ('alone')") }
            }
            #expect(error?.isStorageFailure == true)
            try database.write { try $0.run("INSERT INTO notes (text) VALUES ('with it')") }
            try #expect(countNotes(in: database) == 2)
        }
    }

    @Test(arguments: engines) func `nothing listens, and a server that only reads, are storages that fail`(
        _ engine: TestEngine
    ) throws {
        let error = #expect(throws: DatabaseError.self) {
            _ = try OpenDatabase(.server("postgresql:///postgres?host=/nowhere"))
        }
        #expect(error?.isStorageFailure == true)
        try withDatabase(on: engine) { database, address in
            try database.write {
                try $0.script(
                    "ALTER DATABASE \(TestEngine.name(of: .server(address))) SET default_transaction_read_only = on"
                )
            }
            try TestEngine.endSessions(.server(address + "&target_session_attrs=any"))
            let error = #expect(throws: DatabaseError.self) {
                try database.write { try $0.run("INSERT INTO notes (text) VALUES ('late')") }
            }
            #expect(error?.isStorageFailure == true)
        }
    }

    @Test(
        arguments: engines,
        [
            "LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8'", "ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'",
            "ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'",
        ])
    func `a database with another order of letters, or other letters, is refused with what to do`(
        _ engine: TestEngine, _ kind: String
    ) throws {
        let place = try engine.made()
        defer { engine.remove(place) }
        guard case .server(let address) = place else { return }
        let other = TestEngine.name(of: place) + "_other"
        try TestEngine.command("CREATE DATABASE \(other) TEMPLATE template0 \(kind)")
        defer { try? TestEngine.command("DROP DATABASE \(other) WITH (FORCE)") }
        let error = #expect(throws: DatabaseError.self) {
            _ = try OpenDatabase(.server(address.replacing(TestEngine.name(of: place), with: other)))
        }
        #expect(error?.message.contains("ENCODING 'UTF8' and LC_COLLATE 'C'") == true)
        #expect(error?.isStorageFailure == false)
    }

    @Test(arguments: engines)
    func `what a write has proved holds until its commit, whichever program writes besides`(
        _ engine: TestEngine
    ) throws {
        try withDatabase(on: engine) { database, address in
            let other = try OpenDatabase(.server(address))
            defer { other.close() }
            DispatchQueue.concurrentPerform(iterations: 60) { number in
                #expect(throws: Never.self) {
                    try (number % 2 == 0 ? database : other).write { connection in
                        let last: Int = try connection.count("SELECT coalesce(max(id), 0) FROM notes")
                        try connection.run(
                            "INSERT INTO notes (id, text) VALUES (\(last + 1), \("\(last + 1)"))")
                    }
                }
            }
            let ids: [Int] = try other.read {
                try $0.all("SELECT id FROM notes ORDER BY id") { row in try row[0] }
            }
            #expect(ids == Array(1...60))
        }
    }

    @Test(arguments: engines) func `a read sees one moment, whatever is written meanwhile`(
        _ engine: TestEngine
    ) throws {
        try withDatabase(on: engine) { database, _ in
            try database.read { connection in
                try #expect(connection.count("SELECT count(*) FROM notes") == 0)
                try database.write { try $0.run("INSERT INTO notes (text) VALUES ('new')") }
                try #expect(connection.count("SELECT count(*) FROM notes") == 0)
            }
            try #expect(countNotes(in: database) == 1)
        }
    }

    @Test(arguments: engines) func `sums and means are numbers, truths are one and nought`(
        _ engine: TestEngine
    ) throws {
        try withDatabase(on: engine) { database, _ in
            let large: Int64 = 1_800_000_000_000
            try database.write {
                for (id, weight) in [(large, 0.5), (large + 1, 1), (-7, 2)] {
                    try $0.run("INSERT INTO notes (id, text, weight) VALUES (\(id), \("\(id)"), \(weight))")
                }
            }
            let values = try database.read {
                try $0.first(
                    """
                    SELECT sum(id), avg(id), sum(weight), max(id) > 0, count(*), sum(id) FILTER (WHERE id < 0)
                    FROM notes
                    """
                ) { row in row.values }
            }
            #expect(
                values == [
                    .integer(2 * large - 6), .real(Double(2 * large - 6) / 3), .real(3.5), .integer(1),
                    .integer(3),
                    .integer(-7),
                ])
        }
    }

    @Test(arguments: engines) func `U+0000 is refused, and the transaction with it`(_ engine: TestEngine)
        throws
    {
        try withDatabase(on: engine) { database, _ in
            #expect(throws: DatabaseError.self) {
                try database.write { try $0.run("INSERT INTO notes (text) VALUES (\("a\0b"))") }
            }
            try #expect(countNotes(in: database) == 0)
        }
    }

    @Test(arguments: engines) func `the sentences of the server do not carry values into the log`(
        _ engine: TestEngine
    ) throws {
        try withDatabase(on: engine) { database, _ in
            let error = #expect(throws: DatabaseError.self) {
                try database.read { try $0.count("SELECT count(*) FROM notes WHERE id = \("Pia Sommer")") }
            }
            #expect(error?.description.contains("Pia") == false && error?.kind == .defect)
        }
    }

    @Test func `a statement for SQLite is put into the words of PostgreSQL`() {
        let statement = PostgreSQLSchema.statement(
            "SELECT '?', 'it''s ?' FROM a INDEXED BY a_at CROSS\nJOIN b WHERE c = ? AND d IN () AND e NOT IN () AND f IN (?, ?)"
        )
        #expect(
            statement
                == "SELECT '?', 'it''s ?' FROM a\nJOIN b WHERE c = $1 AND d = ANY('{}') AND e <> ALL('{}') AND f IN ($2, $3)"
        )
        #expect(
            PostgreSQLSchema.statement("WITH a AS NOT MATERIALIZED (SELECT b) SELECT 'x NOT IN y'")
                == "WITH a AS MATERIALIZED (SELECT b) SELECT 'x NOT IN y'")
    }

    @Test(arguments: TestEngine.available) func `nothing is in an empty list, of whatever type`(
        _ engine: TestEngine
    ) throws {
        try withDatabase(on: engine) { database, _ in
            try database.write { try $0.run("INSERT INTO notes (id, text) VALUES (1, 'a')") }
            let (texts, ids): ([String], [Int]) = ([], [])
            let counts = try database.read { connection in
                [
                    try connection.count("SELECT count(*) FROM notes WHERE text IN \(list: texts)"),
                    try connection.count("SELECT count(*) FROM notes WHERE id NOT IN \(list: ids)"),
                ]
            }
            #expect(counts == [0, 1])
        }
    }

    // MARK: Migrations

    private let first = Migration(
        "001", .contract,
        """
        CREATE TABLE accounts (id TEXT PRIMARY KEY, at INTEGER NOT NULL, face BLOB) STRICT;
        CREATE TABLE log (id INTEGER PRIMARY KEY, account TEXT REFERENCES accounts (id), weight REAL) STRICT;
        CREATE INDEX log_account ON log (account, weight DESC) WHERE weight IS NOT NULL;
        CREATE TRIGGER log_no_update BEFORE UPDATE OF weight, account ON log
        BEGIN SELECT RAISE(ABORT, 'it is only ever added to'); END;
        """)
    private let second = Migration(
        "002", .contract,
        """
        -- What was missing.
        CREATE TABLE pages (account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE, page INTEGER NOT NULL,
            PRIMARY KEY (account, page)) STRICT, WITHOUT ROWID;
        ALTER TABLE log ADD COLUMN told INTEGER NOT NULL DEFAULT 0 CHECK (told IN (0, 1));
        """)

    /// Every column of every table, as the server knows it.
    private func columns(_ place: DatabasePlace) throws -> [String] {
        let session = try place.open(.reader)
        defer { session.close() }
        return try Connection(session: session).all(
            """
            SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable AS line
            FROM information_schema.columns WHERE table_schema = 'public' ORDER BY line
            """
        ) { row in try row[0] }
    }

    @Test(arguments: engines) func `a schema made at once is the same as one made step by step`(
        _ engine: TestEngine
    ) throws {
        try engine.withPlace { once in
            try #expect(Migrator([first, second]).migrate(once) == ["001", "002"])
            try engine.withPlace { steps in
                try #expect(Migrator([first]).migrate(steps) == ["001"])
                try #expect(!Migrator([first, second]).isCurrent(steps))
                try #expect(Migrator([first, second]).migrate(steps) == ["002"])
                try #expect(columns(once) == columns(steps) && columns(once).count == 12)
                #expect(throws: MigrationError.unknown("002")) { try Migrator([first]).migrate(steps) }
            }
        }
    }

    @Test(arguments: engines) func `what triggers refuse on SQLite they refuse here`(_ engine: TestEngine)
        throws
    {
        try engine.withPlace { place in
            try Migrator([first]).migrate(place)
            let database = try OpenDatabase(place)
            defer { database.close() }
            try database.write {
                try $0.run("INSERT INTO accounts (id, at) VALUES ('a', 1)")
                try $0.run("INSERT INTO log (account, weight) VALUES ('a', 2.5)")
            }
            let error = #expect(throws: DatabaseError.self) {
                try database.write { try $0.run("UPDATE log SET weight = 3") }
            }
            #expect(error?.kind == .constraint)
        }
    }

    @Test(arguments: engines) func `of two that migrate at once the second finds nothing to do`(
        _ engine: TestEngine
    ) throws {
        try engine.withPlace { place in
            let applied = Mutex<[String]>([])
            DispatchQueue.concurrentPerform(iterations: 4) { _ in
                #expect(throws: Never.self) {
                    let names = try Migrator([first, second]).migrate(place)
                    applied.withLock { $0 += names }
                }
            }
            #expect(applied.withLock { $0 } == ["001", "002"])
        }
    }
}
