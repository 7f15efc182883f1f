import CSQLite

/// A prepared statement. Used by one thread at a time, the one that holds its connection.
final class SQLiteStatement: RowSource {
    let pointer: OpaquePointer
    init(_ text: String, on database: OpaquePointer) throws {
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(database, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared else {
            let message = String(cString: sqlite3_errmsg(database))
            throw DatabaseError(sqlite: sqlite3_extended_errcode(database), message: message, statement: text)
        }
        pointer = prepared
        let columns = (0..<sqlite3_column_count(prepared)).map { index in
            sqlite3_column_name(prepared, index).map { String(cString: $0) } ?? ""
        }
        super.init(text, columns: columns)
    }

    deinit { sqlite3_finalize(pointer) }

    func bind(_ values: [SQLValue]) throws {
        for (offset, value) in values.enumerated() {
            let code = bind(value, at: Int32(offset + 1))
            guard code == SQLITE_OK else { throw failure() }
        }
    }

    private func bind(_ value: SQLValue, at index: Int32) -> Int32 {
        let transient = intersession_sqlite_transient()
        switch value {
        case .null: return sqlite3_bind_null(pointer, index)
        case .integer(let number): return sqlite3_bind_int64(pointer, index, number)
        case .real(let number): return sqlite3_bind_double(pointer, index, number)
        case .text(var text):
            return text.withUTF8 { bytes in
                let start = bytes.baseAddress.map { UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self) }
                guard let start else { return sqlite3_bind_text(pointer, index, "", 0, transient) }
                return sqlite3_bind_text(pointer, index, start, Int32(bytes.count), transient)
            }
        case .blob(let bytes):
            if bytes.isEmpty { return sqlite3_bind_zeroblob(pointer, index, 0) }
            return bytes.withUnsafeBytes {
                sqlite3_bind_blob(pointer, index, $0.baseAddress, Int32($0.count), transient)
            }
        }
    }

    /// Steps once: true when there is a row, false when the statement is done.
    func step() throws -> Bool {
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw failure()
        }
    }

    override func value(at place: Int) -> SQLValue {
        let index = Int32(place)
        switch sqlite3_column_type(pointer, index) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(pointer, index))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(pointer, index))
        case SQLITE_TEXT:
            guard let start = sqlite3_column_text(pointer, index) else { return .text("") }
            let count = Int(sqlite3_column_bytes(pointer, index))
            return .text(String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
        case SQLITE_BLOB:
            guard let start = sqlite3_column_blob(pointer, index) else { return .blob([]) }
            let count = Int(sqlite3_column_bytes(pointer, index))
            return .blob(Array(UnsafeRawBufferPointer(start: start, count: count)))
        default: return .null
        }
    }

    /// Makes the statement ready for its next use and drops its bound values.
    func reset() {
        sqlite3_reset(pointer)
        sqlite3_clear_bindings(pointer)
    }

    private func failure() -> DatabaseError {
        let database = sqlite3_db_handle(pointer)
        return DatabaseError(
            sqlite: sqlite3_extended_errcode(database), message: String(cString: sqlite3_errmsg(database)),
            statement: text)
    }
}
