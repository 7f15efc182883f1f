import CSQLite
import Foundation

/// Copies a database file that may be in use, and checks whether a file is sound.
public enum Backup {
    /// Writes a consistent copy. The target appears whole or not at all; an older file there is replaced.
    /// - Parameter statements: run on the copy alone, before it appears.
    /// - Throws: `DatabaseError`, or a file error when the target cannot be written.
    public static func copy(from source: String, to target: String, adding statements: [SQL] = []) throws {
        let partial = target + ".partial"
        try? FileManager.default.removeItem(atPath: partial)
        do {
            // Created before SQLite writes to it, so that no other user can ever read it.
            let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL, 0o600)
            guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
            close(descriptor)
            try copyPages(from: source, to: partial, adding: statements)
            try DurableFile.move(partial, to: target)
        } catch {
            try? FileManager.default.removeItem(atPath: partial)
            throw error
        }
    }

    /// The faults of a database file; empty when it is sound. Reads only.
    public static func problems(in path: String) throws -> [String] {
        let session = try SQLiteSession.reader(of: path)
        defer { session.close() }
        // One snapshot: the file may be in use.
        try session.beginRead()
        let connection = Connection(session: session)
        let integrity: [String] = try connection.all("PRAGMA integrity_check") { row in try row[0] }
        let dangling: [String] = try connection.all("PRAGMA foreign_key_check") { row in
            let table: String = try row["table"]
            let rowid: Int64? = try row["rowid"]
            return "\(table), row \(rowid ?? 0): points to a missing row"
        }
        return integrity.filter { $0 != "ok" } + dangling
    }

    private static func copyPages(
        from source: String, to target: String, adding statements: [SQL]
    ) throws {
        let reader = try SQLiteSession.reader(of: source)
        defer { reader.close() }
        var opened: OpaquePointer?
        guard sqlite3_open_v2(target, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil) == SQLITE_OK
        else {
            sqlite3_close_v2(opened)
            throw DatabaseError(sqlite: SQLITE_CANTOPEN, message: "cannot write the copy", statement: "")
        }
        defer { sqlite3_close_v2(opened) }
        guard let backup = sqlite3_backup_init(opened, "main", reader.pointer, "main") else {
            throw DatabaseError(sqlite: sqlite3_errcode(opened), message: "cannot copy", statement: "")
        }
        // All pages in one step: one read snapshot, and in WAL mode writers do not wait for it.
        let code = sqlite3_backup_step(backup, -1)
        sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE else {
            throw DatabaseError(sqlite: code, message: "the copy was not finished", statement: "")
        }
        // The copy is a file by itself, without a log beside it. SQLite must first have read that the copy is in WAL
        // mode: before that it takes the statement as done already.
        let alone = "SELECT count(*) FROM sqlite_schema; PRAGMA journal_mode = DELETE"
        guard sqlite3_exec(opened, alone, nil, nil, nil) == SQLITE_OK else {
            let code = sqlite3_errcode(opened)
            throw DatabaseError(sqlite: code, message: "the copy was not finished", statement: alone)
        }
        guard let opened else { return }
        for sql in statements {
            let statement = try SQLiteStatement(sql.text, on: opened)
            try statement.bind(sql.values)
            while try statement.step() {}
        }
    }
}
