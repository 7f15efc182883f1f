import Foundation
import Synchronization
import Testing

@testable import Database
@testable import EngineTesting

/// Several programs on one database of PostgreSQL: which may be there, which leads, what they hear of each other.
@Suite struct SeveralProgramsTests {
    static let engines = PostgreSQLTests.engines

    private static let first = Migration("001", .contract, "CREATE TABLE a (id INTEGER PRIMARY KEY) STRICT")

    private func withEmpty(_ engine: TestEngine, _ body: (DatabasePlace) throws -> Void) throws {
        try engine.withPlace { place in
            try Migrator([Self.first]).migrate(place)
            try body(place)
        }
    }

    /// Waits for what another thread or the server is about to do.
    private func soon(_ isThere: () -> Bool) -> Bool {
        for _ in 0..<1_000 {
            if isThere() { return true }
            usleep(10_000)
        }
        return false
    }

    @Test(arguments: engines) func `those that serve share a database, and a command has it alone`(
        _ engine: TestEngine
    ) throws {
        try withEmpty(engine) { place in
            let open = { (lock: ProgramLock) in try OpenDatabase(place, readers: 1, lock) }
            let (one, two) = (try open(.shared), try open(.shared))
            #expect(throws: DatabaseError.self) { _ = try open(.exclusive) }
            one.close()
            #expect(throws: DatabaseError.self) { _ = try open(.exclusive) }
            two.close()
            let command = try open(.exclusive)
            #expect(throws: DatabaseError.self) { _ = try open(.shared) }
            #expect(throws: DatabaseError.self) { _ = try open(.exclusive) }
            // What only looks is let in.
            try open(.none).close()
            // A connection that was lost takes the lock with it, and the next one takes it again.
            try TestEngine.endSessions(place)
            try command.write { try $0.run("INSERT INTO a (id) VALUES (1)") }
            #expect(throws: DatabaseError.self) { _ = try open(.shared) }
            command.close()
            try open(.shared).close()
        }
    }

    @Test(arguments: engines) func `a lost place is not taken back from the one that came between`(
        _ engine: TestEngine
    ) throws {
        try withEmpty(engine) { place in
            let one = try OpenDatabase(place, readers: 1, .shared)
            defer { one.close() }
            try TestEngine.endSessions(place)
            let command = try OpenDatabase(place, readers: 1, .exclusive)
            let error = #expect(throws: DatabaseError.self) {
                try one.write { try $0.run("INSERT INTO a (id) VALUES (1)") }
            }
            #expect(error?.isStorageFailure == true)
            command.close()
            try one.write { try $0.run("INSERT INTO a (id) VALUES (1)") }
        }
    }

    @Test(arguments: engines) func `one leads until it ends or loses its connection`(_ engine: TestEngine)
        throws
    {
        try withEmpty(engine) { place in
            let one = try OpenDatabase(place, readers: 1, .shared)
            let two = try OpenDatabase(place, readers: 1, .shared)
            try #expect(one.leads() && !two.leads() && one.leads())
            try TestEngine.endSessions(place)
            // Whichever asks first; never both.
            try #expect(two.leads() && !one.leads())
            two.close()
            #expect(soon { (try? one.leads()) == true })
            one.close()
        }
        try TestEngine.sqlite.withPlace { place in
            try Migrator([Self.first]).migrate(place)
            let alone = try OpenDatabase(place)
            try #expect(alone.leads())
            alone.close()
        }
    }

    @Test(arguments: engines) func `news are heard by all, once told for good, and again after a loss`(
        _ engine: TestEngine
    ) throws {
        try withEmpty(engine) { place in
            let heard = Mutex<[String]>([])
            let begun = Atomic(0)
            let news = DatabaseNews(
                of: place, began: { begun.add(1, ordering: .relaxed) },
                heard: { text in heard.withLock { $0.append(text) } })
            defer { news?.stop() }
            #expect(soon { begun.load(ordering: .relaxed) == 1 })
            let database = try OpenDatabase(place, readers: 1, .shared)
            defer { database.close() }
            struct Refused: Error {}
            #expect(throws: Refused.self) {
                try database.write { connection in
                    try connection.tell("never")
                    throw Refused()
                }
            }
            try database.tell("one")
            #expect(soon { heard.withLock { $0 } == ["one"] })
            try TestEngine.endSessions(place)
            #expect(soon { begun.load(ordering: .relaxed) == 2 })
            try database.tell("two")
            #expect(soon { heard.withLock { $0 } == ["one", "two"] })
        }
        #expect(DatabaseNews(of: .file("none"), began: {}, heard: { _ in }) == nil)
    }

    @Test(arguments: engines)
    func `a step that takes away waits for the others to end, one that adds does not`(
        _ engine: TestEngine
    ) throws {
        let adding = Migration("002", .expand, "ALTER TABLE a ADD COLUMN name TEXT")
        let taking = Migration("003", .contract, "ALTER TABLE a DROP COLUMN name")
        try withEmpty(engine) { place in
            let other = try OpenDatabase(place, readers: 1, .shared)
            try #expect(Migrator([Self.first, adding]).migrate(place, .shared) == ["002"])
            try other.write { try $0.run("INSERT INTO a (id) VALUES (1)") }
            let newer = Migrator([Self.first, adding, taking])
            #expect(throws: MigrationError.othersServe) { try newer.migrate(place, .shared) }
            try #expect(!newer.isCurrent(place))
            other.close()
            try #expect(newer.migrate(place, .shared) == ["003"])
        }
    }
}
