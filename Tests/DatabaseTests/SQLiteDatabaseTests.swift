import Database
import Dispatch
import Foundation
import Synchronization
import Testing

/// A folder of its own with an empty table in it.
func withDatabase(_ body: (SQLiteDatabase, String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("test.sqlite").path
    try Migrator([
        Migration("001", "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT")
    ]).migrate(path: path)
    let database = try SQLiteDatabase(path: path)
    defer { database.close() }
    try body(database, path)
}

func countNotes(in database: SQLiteDatabase) throws -> Int {
    try database.read { connection in try connection.count("SELECT count(*) FROM notes") }
}

struct Refused: Error {}

@Suite struct SQLiteDatabaseTests {
    @Test func `a failing transaction is rolled back and its error reaches the caller`() throws {
        try withDatabase { database, _ in
            #expect(throws: Refused.self) {
                try database.write { connection in
                    try connection.run("INSERT INTO notes (text) VALUES ('half')")
                    throw Refused()
                }
            }
            try #expect(countNotes(in: database) == 0)
        }
    }

    @Test func `of many waiting transactions only the failing ones are undone`() throws {
        try withDatabase { database, _ in
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

    @Test func `a write is seen by the next read`() throws {
        try withDatabase { database, _ in
            for number in 1...50 {
                try database.write { connection in
                    let text = "\(number)"
                    try connection.run("INSERT INTO notes (text) VALUES (\(text))")
                }
                try #expect(countNotes(in: database) == number)
            }
        }
    }

    @Test func `text from outside is bound, not run`() throws {
        try withDatabase { database, _ in
            let hostile = "x'); DROP TABLE notes; --"
            try database.write { try $0.run("INSERT INTO notes (text) VALUES (\(hostile))") }
            let stored: String? = try database.read { connection in
                try connection.value("SELECT text FROM notes WHERE text IN \(list: [hostile, "other"])")
            }
            #expect(stored == hostile)
        }
    }

    @Test func `a violated constraint is named, the values are not in the error`() throws {
        try withDatabase { database, _ in
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

    @Test func `readers cannot write`() throws {
        try withDatabase { database, _ in
            let error = errorOf {
                try database.read { connection in _ = try connection.run("DELETE FROM notes") }
            }
            #expect(error is DatabaseError)
        }
    }

    @Test func `every value comes back as it went in`() throws {
        try withDatabase { database, _ in
            let blob: [UInt8] = [0, 255, 10]
            let nothing: String? = nil
            let number: Int64 = .min
            let query: SQL =
                "SELECT \("äß€🙂\0") AS t, \(blob) AS b, \(number) AS i, \(0.1) AS r, \(nothing) AS n"
            let wrong = try database.read { connection in
                try connection.first(query) { row in
                    let text: String = try row["t"]
                    let bytes: [UInt8] = try row["b"]
                    let integer: Int64 = try row["i"]
                    let real: Double = try row["r"]
                    let null: String? = try row["n"]
                    #expect(text == "äß€🙂\0" && bytes == blob && integer == number && real == 0.1)
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

    @Test func `the same query may run inside itself`() throws {
        try withDatabase { database, _ in
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
