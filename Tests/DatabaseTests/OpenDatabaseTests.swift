import Dispatch
import Foundation
import Synchronization
import Testing

@testable import Database
@testable import EngineTesting

/// A database of its own with an empty table in it.
func withDatabase(on engine: TestEngine = .sqlite, _ body: (OpenDatabase, String) throws -> Void) throws {
    try engine.withPlace { place in
        try Migrator([
            Migration(
                "001", .contract,
                "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, weight REAL, body BLOB) STRICT"
            )
        ]).migrate(place)
        let database = try OpenDatabase(place)
        defer { database.close() }
        switch place {
        case .file(let path), .server(let path): try body(database, path)
        }
    }
}

func countNotes(in database: OpenDatabase) throws -> Int {
    try database.read { connection in try connection.count("SELECT count(*) FROM notes") }
}

struct Refused: Error {}

/// What both engines do alike.
@Suite struct OpenDatabaseTests {
    @Test(arguments: TestEngine.available)
    func `a failing transaction is rolled back and its error reaches the caller`(_ engine: TestEngine) throws
    {
        try withDatabase(on: engine) { database, _ in
            #expect(throws: Refused.self) {
                try database.write { connection in
                    try connection.run("INSERT INTO notes (text) VALUES ('half')")
                    throw Refused()
                }
            }
            try #expect(countNotes(in: database) == 0)
        }
    }

    @Test(arguments: TestEngine.available)
    func `of many waiting transactions only the failing ones are undone`(_ engine: TestEngine) throws {
        try withDatabase(on: engine) { database, _ in
            let failures = Mutex(0)
            DispatchQueue.concurrentPerform(iterations: 200) { number in
                do {
                    try database.write { connection in
                        let text = "note \(number)"
                        try connection.run("INSERT INTO notes (text) VALUES (\(text))")
                        if number % 5 == 0 { throw Refused() }
                    }
                } catch {
                    failures.withLock { $0 += 1 }
                }
            }
            #expect(failures.withLock { $0 } == 40)
            let texts: [String] = try database.read { connection in
                try connection.all("SELECT text FROM notes") { row in try row[0] }
            }
            #expect(Set(texts) == Set((0..<200).filter { $0 % 5 != 0 }.map { "note \($0)" }))
        }
    }

    @Test(arguments: TestEngine.available) func `a write is seen by the next read`(_ engine: TestEngine)
        throws
    {
        try withDatabase(on: engine) { database, _ in
            for number in 1...50 {
                try database.write { connection in
                    let text = "\(number)"
                    try connection.run("INSERT INTO notes (text) VALUES (\(text))")
                }
                try #expect(countNotes(in: database) == number)
            }
        }
    }

    @Test(arguments: TestEngine.available) func `text from outside is bound, not run`(_ engine: TestEngine)
        throws
    {
        try withDatabase(on: engine) { database, _ in
            let hostile = "x'); DROP TABLE notes; --"
            try database.write { try $0.run("INSERT INTO notes (text) VALUES (\(hostile))") }
            let stored: String? = try database.read { connection in
                try connection.value("SELECT text FROM notes WHERE text IN \(list: [hostile, "other"])")
            }
            #expect(stored == hostile)
        }
    }

    @Test(arguments: TestEngine.available)
    func `a violated constraint is named, the values are not in the error`(_ engine: TestEngine) throws {
        try withDatabase(on: engine) { database, _ in
            let secret = "kept out"
            try database.write { try $0.run("INSERT INTO notes (text) VALUES (\(secret))") }
            do {
                try database.write { try $0.run("INSERT INTO notes (text) VALUES (\(secret))") }
                Issue.record("a doubled row was taken")
            } catch let error as DatabaseError {
                #expect(error.violates("notes.text"))
                #expect(!error.violates("notes.id"))
                #expect(!error.description.contains(secret))
            }
        }
    }

    @Test(arguments: TestEngine.available) func `readers cannot write`(_ engine: TestEngine) throws {
        try withDatabase(on: engine) { database, _ in
            let error = errorOf {
                try database.read { connection in _ = try connection.run("DELETE FROM notes") }
            }
            #expect(error is DatabaseError)
        }
    }

    @Test(arguments: TestEngine.available) func `every value comes back as it went in`(_ engine: TestEngine)
        throws
    {
        try withDatabase(on: engine) { database, _ in
            let blob: [UInt8] = [0, 255, 10]
            let number: Int64 = .min
            try database.write {
                try $0.run(
                    "INSERT INTO notes (id, text, weight, body) VALUES (\(number), \("äß€🙂 ''"), \(0.1), \(blob))"
                )
                try $0.run("INSERT INTO notes (id, text, weight, body) VALUES (2, '', \(3.0), \([UInt8]()))")
                try $0.run("INSERT INTO notes (id, text) VALUES (3, 'none')")
            }
            let query: SQL =
                "SELECT text AS t, body AS b, id AS i, weight AS r, NULL AS n FROM notes ORDER BY id"
            let all = try database.read { connection in try connection.all(query) { row in row.values } }
            #expect(
                all == [
                    [.text("äß€🙂 ''"), .blob(blob), .integer(number), .real(0.1), .null],
                    [.text(""), .blob([]), .integer(2), .real(3), .null],
                    [.text("none"), .null, .integer(3), .null, .null],
                ])
            let wrong = try database.read { connection in
                try connection.first(query) { row in
                    let text: String = try row["t"]
                    let bytes: [UInt8] = try row["b"]
                    let integer: Int64 = try row["i"]
                    let real: Double = try row["r"]
                    let null: String? = try row["n"]
                    #expect(text == "äß€🙂 ''" && bytes == blob && integer == number && real == 0.1)
                    #expect(null == nil)
                    return [
                        errorOf { _ = try row["missing"] as String }, errorOf { _ = try row["t"] as Int },
                    ]
                }
            }
            #expect(wrong?.allSatisfy { $0 is DatabaseError } == true)
        }
    }

    func errorOf(_ body: () throws -> Void) -> (any Error)? {
        do {
            try body()
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: TestEngine.available) func `the same query may run inside itself`(_ engine: TestEngine)
        throws
    {
        try withDatabase(on: engine) { database, _ in
            let pairs: [Int] = try database.read { connection in
                let outer: [Int] = try connection.all("SELECT 1 UNION ALL SELECT 2") { row in
                    let inner: [Int] = try connection.all("SELECT 1 UNION ALL SELECT 2") { row in try row[0] }
                    return try row[0] * 10 + inner.count
                }
                return outer
            }
            #expect(pairs == [12, 22])
        }
    }

    @Test func `G9 the writer is durable and checkpoints, readers do neither`() throws {
        try withDatabase { database, _ in
            let reader: [Int?] = try database.read { connection in
                [
                    try connection.value("PRAGMA query_only"),
                    try connection.value("PRAGMA wal_autocheckpoint"),
                ]
            }
            #expect(reader == [1, 0])
            let writer: [Int?] = try database.write { connection in
                [
                    try connection.value("PRAGMA synchronous"), try connection.value("PRAGMA foreign_keys"),
                    try connection.value("PRAGMA wal_autocheckpoint"),
                ]
            }
            #expect(writer == [2, 1, 1000])
        }
    }
}
