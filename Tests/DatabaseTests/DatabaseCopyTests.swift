import Foundation
import Testing

@testable import Database
@testable import EngineTesting

/// Whole databases, to the same engine and to the other one.
@Suite struct DatabaseCopyTests {
    private static let migrations = [
        Migration(
            "001", .contract, "CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT) STRICT, WITHOUT ROWID"),
        Migration(
            "002", .contract,
            """
            CREATE TABLE letters (id INTEGER PRIMARY KEY, person TEXT NOT NULL REFERENCES people (id),
                weight REAL, body BLOB, sent INTEGER) STRICT;
            CREATE TRIGGER letters_no_delete BEFORE DELETE ON letters
            BEGIN SELECT RAISE(ABORT, 'letters are only ever added'); END;
            INSERT INTO people (id, name) VALUES ('first', 'by a migration')
            """),
    ]
    private let migrator = Migrator(migrations)

    /// From each engine to each.
    static let ways = TestEngine.available.flatMap { source in
        TestEngine.available.map { (source, $0) }
    }

    private func fill(_ place: DatabasePlace, _ count: Int) throws {
        try migrator.migrate(place)
        let database = try OpenDatabase(place)
        defer { database.close() }
        try database.write { connection in
            if try !connection.exists("SELECT 1 FROM people") {
                try connection.run("INSERT INTO people (id, name) VALUES ('first', NULL)")
            }
            try connection.run("INSERT INTO people (id, name) VALUES ('zweite', 'Jürgen 🌳')")
            for number in 0..<count {
                let body: [UInt8]? = number % 3 == 0 ? nil : [0, 255, UInt8(truncatingIfNeeded: number)]
                let weight: Double? = number % 2 == 0 ? Double(number) / 8 : Double(number)
                try connection.run(
                    """
                    INSERT INTO letters (person, weight, body, sent)
                    VALUES (\(number % 2 == 0 ? "first" : "zweite"), \(weight), \(body), \(Int64.max - Int64(number)))
                    """)
            }
        }
    }

    private func rows(_ place: DatabasePlace) throws -> [[SQLValue]] {
        try place.look { connection in
            try connection.all("SELECT * FROM letters ORDER BY id") { $0.values }
                + connection.all("SELECT * FROM people ORDER BY id") { $0.values }
        }
    }

    @Test(arguments: ways) func `every value arrives, and the next row gets the next number`(
        _ from: TestEngine, _ to: TestEngine
    ) throws {
        try from.withPlace { source in
            try to.withPlace { target in
                try fill(source, 2345)
                let contents = try DatabaseCopy(migrator).run(from: source, to: target)
                #expect(contents.map(\.table) == ["letters", "people"])
                #expect(contents.map(\.rows) == [2345, 2])
                try #expect(rows(target) == rows(source))
                try #expect(migrator.migrate(target) == [] && migrator.differences(target) == [])
                let database = try OpenDatabase(target)
                defer { database.close() }
                let next: Int? = try database.write { connection in
                    try connection.run("INSERT INTO letters (person) VALUES ('first')")
                    return try connection.value("SELECT max(id) FROM letters")
                }
                #expect(next == 2346)
                // What refuses, refuses there too.
                #expect(throws: DatabaseError.self) {
                    try database.write { try $0.run("DELETE FROM letters") }
                }
            }
        }
    }

    @Test(arguments: TestEngine.available) func `a file of its own is made of either, and holds the same`(
        _ engine: TestEngine
    ) throws {
        try engine.withPlace { source in
            try TestEngine.sqlite.withPlace { file in
                guard case .file(let path) = file else { return }
                try fill(source, 70)
                try DatabaseCopy(migrator).write(source, to: path)
                try #expect(rows(file) == rows(source) && file.problems() == [])
                let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
                let name = URL(fileURLWithPath: path).lastPathComponent
                let around = try FileManager.default.contentsOfDirectory(atPath: folder)
                #expect(around.filter { $0.hasPrefix(name) } == [name])
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
                #expect(mode as? NSNumber == 0o600)
            }
        }
    }

    @Test(arguments: PostgreSQLTests.engines) func `what stood there before goes, whole or not at all`(
        _ engine: TestEngine
    ) throws {
        try TestEngine.sqlite.withPlace { source in
            try engine.withPlace { target in
                try fill(source, 3)
                try fill(target, 60)
                let before = try rows(target)
                let other = Migrator([Self.migrations[0]])
                #expect(throws: MigrationError.self) {
                    try DatabaseCopy(other).run(from: source, to: target)
                }
                // The row points to a person that is not there.
                try source.openAndRun(
                    "PRAGMA foreign_keys = OFF; INSERT INTO letters (id, person) VALUES (9, 'gone')")
                #expect(throws: DatabaseError.self) {
                    try DatabaseCopy(migrator).run(from: source, to: target)
                }
                try #expect(rows(target) == before)
                try source.openAndRun("DROP TRIGGER letters_no_delete; DELETE FROM letters WHERE id = 9")
                try DatabaseCopy(migrator).run(from: source, to: target)
                try #expect(rows(target) == rows(source))
            }
        }
    }

    @Test(arguments: PostgreSQLTests.engines)
    func `of two programs that each write alone the second is refused`(
        _ engine: TestEngine
    ) throws {
        try engine.withPlace { place in
            try migrator.migrate(place)
            let first = try OpenDatabase(place, .exclusive)
            let refusals = [
                #expect(throws: DatabaseError.self) { _ = try OpenDatabase(place, .exclusive) },
                #expect(throws: DatabaseError.self) { try migrator.migrate(place, .exclusive) },
            ]
            #expect(refusals.allSatisfy { $0?.message.contains("another intersession") == true })
            first.close()
            try OpenDatabase(place, .exclusive).close()
        }
    }

    @Test(arguments: TestEngine.available)
    func `rows of any number come a part at a time, also within each other`(
        _ engine: TestEngine
    ) throws {
        try engine.withPlace { place in
            try fill(place, 2500)
            let database = try OpenDatabase(place)
            defer { database.close() }
            let counted = try database.read { connection in
                var pairs = 0
                try connection.each("SELECT id FROM letters WHERE id > \(500) ORDER BY id") { row in
                    let id: Int = try row[0]
                    if id > 503 { return false }
                    try connection.each("SELECT id FROM letters WHERE id <= \(id) ORDER BY id") { _ in
                        pairs += 1
                        return true
                    }
                    return true
                }
                return pairs
            }
            #expect(counted == 501 + 502 + 503)
            struct Enough: Error {}
            try database.read { connection in
                #expect(throws: Enough.self) {
                    try connection.each("SELECT id FROM letters") { _ in throw Enough() }
                }
                // The transaction goes on, and the same query again.
                var count = 0
                try connection.each("SELECT id FROM letters") { _ in
                    count += 1
                    return true
                }
                #expect(count == 2500)
            }
        }
    }
}

extension DatabasePlace {
    fileprivate func openAndRun(_ script: String) throws {
        let session = try open(.writer())
        defer { session.close() }
        try session.script(script)
    }
}
