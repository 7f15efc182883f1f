extension Connection {
    /// A SQLite database that lies in memory alone and is gone afterwards, for models of a schema and rules about a row.
    static func inMemory<T>(_ body: (borrowing Connection) throws -> T) throws -> T {
        let session = try SQLiteSession(path: ":memory:", role: .writer())
        defer { session.close() }
        return try body(Connection(session: session))
    }
}
