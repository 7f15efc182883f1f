import Foundation
import Testing

@testable import Database
@testable import EngineTesting

@Suite struct MigratorTests {
    let first = Migration("001", .contract, "CREATE TABLE a (id INTEGER PRIMARY KEY) STRICT")
    let second = Migration(
        "002", .contract, "CREATE TABLE b (id INTEGER PRIMARY KEY, a INTEGER REFERENCES a (id)) STRICT")

    func withFile(_ body: (String) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
        try body(path)
    }

    @Test func `an edited migration stops the start`() throws {
        try withFile { path in
            try Migrator([first]).migrate(.file(path))
            let edited = Migration("001", .contract, "CREATE TABLE a (id INTEGER PRIMARY KEY, b TEXT) STRICT")
            #expect(throws: MigrationError.edited("001")) { try Migrator([edited]).migrate(.file(path)) }
        }
    }

    @Test func `a text that is known to have been another opens what either made, and no third`() throws {
        try withFile { path in
            try Migrator([first]).migrate(.file(path))
            let sql = "CREATE TABLE a (id INTEGER PRIMARY KEY, b TEXT) STRICT"
            let edited = Migration("001", .contract, sql, formerly: [first.checksum])
            try #expect(Migrator([edited, second]).migrate(.file(path)) == ["002"])
            let other = Migration("001", .contract, sql, formerly: [second.checksum])
            #expect(throws: MigrationError.edited("001")) { try Migrator([other]).migrate(.file(path)) }
        }
    }

    @Test func `a database of a newer program is refused`() throws {
        try withFile { path in
            try Migrator([first, second]).migrate(.file(path))
            #expect(throws: MigrationError.unknown("002")) { try Migrator([first]).migrate(.file(path)) }
        }
    }

    @Test(arguments: TestEngine.available)
    func `the program before goes on after a step that only adds, and not after one that takes away`(
        _ engine: TestEngine
    ) throws {
        let adding = Migration("002", .expand, "ALTER TABLE a ADD COLUMN name TEXT")
        let taking = Migration("003", .contract, "ALTER TABLE a DROP COLUMN name")
        try engine.withPlace { place in
            let before = Migrator([first])
            let after = Migrator([first, adding])
            try before.migrate(place)
            try #expect(after.migrate(place) == ["002"])
            try #expect(before.migrate(place) == [])
            try #expect(before.isCurrent(place) && !before.isCurrent(place, exactly: true))
            try #expect(after.isCurrent(place, exactly: true))
            for program in [before, after] { try #expect(program.differences(place) == []) }
            // Its copy would lack the column.
            _ = try engine.withPlace { target in
                #expect(throws: DatabaseError.self) {
                    _ = try DatabaseCopy(before).run(from: place, to: target)
                }
            }
            try Migrator([first, adding, taking]).migrate(place)
            for old in [before, after] {
                #expect(throws: MigrationError.self) { try old.migrate(place) }
                #expect(throws: MigrationError.self) { try old.isCurrent(place) }
            }
        }
    }

    @Test(arguments: TestEngine.available) func `a database that knows no oldest program yet learns of it`(
        _ engine: TestEngine
    ) throws {
        try engine.withPlace { place in
            try Migrator([first]).migrate(place)
            let session = try place.open(.writer())
            try session.script("DROP TABLE oldest_program")
            session.close()
            let adding = Migration("002", .expand, "ALTER TABLE a ADD COLUMN name TEXT")
            try Migrator([first, adding]).migrate(place)
            try #expect(Migrator([first]).migrate(place) == [])
        }
    }

    @Test func `a failing migration leaves nothing behind`() throws {
        try withFile { path in
            let broken = Migration(
                "002", .contract, "CREATE TABLE c (id INTEGER) STRICT; CREATE TABLE nonsense")
            #expect(throws: DatabaseError.self) { try Migrator([first, broken]).migrate(.file(path)) }
            try #expect(Migrator([first]).isCurrent(.file(path)))
            try #expect(Migrator([first, second]).migrate(.file(path)) == ["002"])
        }
    }

    @Test func `a migration that leaves references to nothing is refused`() throws {
        try withFile { path in
            try Migrator([first, second]).migrate(.file(path))
            let careless = Migration("003", .contract, "INSERT INTO b (id, a) VALUES (1, 99)")
            #expect(throws: MigrationError.danglingReferences("003")) {
                try Migrator([first, second, careless]).migrate(.file(path))
            }
        }
    }

    @Test func `migrating twice does nothing the second time`() throws {
        try withFile { path in
            try #expect(Migrator([first, second]).migrate(.file(path)) == ["001", "002"])
            try #expect(Migrator([first, second]).migrate(.file(path)) == [])
        }
    }
}
