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
    var isReadOnly: Bool { primary == SQLITE_READONLY }

    /// Whether the file is damaged, or no database.
    public var isDamage: Bool { primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB }

    /// SQLite's primary result code.
    private var primary: Int32? { Int32(code.dropFirst("SQLite ".count)).map { $0 & 0xff } }
}
