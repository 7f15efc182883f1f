/// A database's refusal of a statement. Holds the statement, never the bound values.
public struct DatabaseError: Error, Sendable, CustomStringConvertible {
    /// What a caller can do about it.
    public enum Kind: Sendable {
        /// A unique, check or foreign-key constraint refused the row.
        case constraint
        /// The storage below failed, or cannot be reached (disk full, read-only, busy, connection lost): worth trying
        /// again later.
        case storage
        /// The statement or the data does not fit the schema: a defect.
        case defect
    }

    public let kind: Kind
    /// The engine and its own code, for example `SQLite 2067` for a unique constraint, or `PostgreSQL 23505`.
    public let code: String
    public let message: String
    public let statement: String

    init(_ kind: Kind, code: String, message: String, statement: String) {
        self.kind = kind
        self.code = code
        self.message = message
        self.statement = statement
    }

    /// Data that does not fit what the program expects of it.
    public init(_ message: String, _ statement: String = "") {
        self.init(.defect, code: "unexpected", message: message, statement: statement)
    }

    public var description: String { "\(code): \(message)" + (statement.isEmpty ? "" : " [\(statement)]") }

    /// Whether a constraint refused the row and is named so: `table.column` for unique ones, the constraint's name for
    /// checks.
    public func violates(_ constraint: String) -> Bool { kind == .constraint && message.contains(constraint) }

    public var isStorageFailure: Bool { kind == .storage }

    /// Whether PostgreSQL refused it because its user has no right to it (SQLSTATE 42501).
    public var isForbidden: Bool { code == "PostgreSQL 42501" }
}
