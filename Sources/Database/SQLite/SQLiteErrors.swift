import CSQLite

extension DatabaseError {
    /// - Parameter sqlite: the extended result code.
    init(sqlite code: Int32, message: String, statement: String) {
        let kind: Kind =
            switch code & 0xff {
            case SQLITE_CONSTRAINT: .constraint
            case SQLITE_FULL, SQLITE_READONLY, SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_BUSY: .storage
            default: .defect
            }
        self.init(kind, code: "SQLite \(code)", message: message, statement: statement)
    }

    /// Whether SQLite may only read where it has to write.
    var isReadOnly: Bool { Int32(code.dropFirst("SQLite ".count)).map { $0 & 0xff } == SQLITE_READONLY }
}
