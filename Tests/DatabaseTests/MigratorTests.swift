import Foundation
import Testing

@testable import Database

@Suite struct MigratorTests {
    let first = Migration("001", "CREATE TABLE a (id INTEGER PRIMARY KEY) STRICT")
    let second = Migration(
        "002", "CREATE TABLE b (id INTEGER PRIMARY KEY, a INTEGER REFERENCES a (id)) STRICT")

    func withFile(_ body: (String) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
        try body(path)
    }

    @Test func `an edited migration stops the start`() throws {
        try withFile { path in
            try Migrator([first]).migrate(path: path)
            let edited = Migration("001", "CREATE TABLE a (id INTEGER PRIMARY KEY, b TEXT) STRICT")
            #expect(throws: MigrationError.edited("001")) { try Migrator([edited]).migrate(path: path) }
        }
    }

    @Test func `a text that is known to have been another opens what either made, and no third`() throws {
        try withFile { path in
            try Migrator([first]).migrate(path: path)
            let sql = "CREATE TABLE a (id INTEGER PRIMARY KEY, b TEXT) STRICT"
            let edited = Migration("001", sql, formerly: [first.checksum])
            try #expect(Migrator([edited, second]).migrate(path: path) == ["002"])
            let other = Migration("001", sql, formerly: [second.checksum])
            #expect(throws: MigrationError.edited("001")) { try Migrator([other]).migrate(path: path) }
        }
    }

    @Test func `a database of a newer program is refused`() throws {
        try withFile { path in
            try Migrator([first, second]).migrate(path: path)
            #expect(throws: MigrationError.unknown("002")) { try Migrator([first]).migrate(path: path) }
        }
    }

    @Test func `a failing migration leaves nothing behind`() throws {
        try withFile { path in
            let broken = Migration("002", "CREATE TABLE c (id INTEGER) STRICT; CREATE TABLE nonsense")
            #expect(throws: DatabaseError.self) { try Migrator([first, broken]).migrate(path: path) }
            try #expect(Migrator([first]).isCurrent(path: path))
            try #expect(Migrator([first, second]).migrate(path: path) == ["002"])
        }
    }

    @Test func `a migration that leaves references to nothing is refused`() throws {
        try withFile { path in
            try Migrator([first, second]).migrate(path: path)
            let careless = Migration("003", "INSERT INTO b (id, a) VALUES (1, 99)")
            #expect(throws: MigrationError.danglingReferences("003")) {
                try Migrator([first, second, careless]).migrate(path: path)
            }
        }
    }

    @Test func `migrating twice does nothing the second time`() throws {
        try withFile { path in
            try #expect(Migrator([first, second]).migrate(path: path) == ["001", "002"])
            try #expect(Migrator([first, second]).migrate(path: path) == [])
        }
    }
}
