import CSQLite

/// What SQLite answered instead of a result. Holds the statement, never the bound values.
public struct DatabaseError: Error, Sendable, CustomStringConvertible {
    /// The extended result code, for example 2067 for a unique constraint.
    public let code: Int32
    public let message: String
    public let statement: String

    public init(code: Int32, message: String, statement: String) {
        self.code = code
        self.message = message
        self.statement = statement
    }

    public var description: String { "SQLite \(code): \(message) [\(statement)]" }

    /// Whether a unique, check or foreign-key constraint refused the row and SQLite names it so:
    /// `table.column` for unique ones, the constraint's name for checks.
    public func violates(_ constraint: String) -> Bool {
        code & 0xff == SQLITE_CONSTRAINT && message.contains(constraint)
    }

    /// Whether the storage below failed (disk full, read-only, I/O error, busy): worth trying again later.
    public var isStorageFailure: Bool {
        [SQLITE_FULL, SQLITE_READONLY, SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_BUSY].contains(code & 0xff)
    }
}
