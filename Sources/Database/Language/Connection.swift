/// Access to the database inside one transaction; cannot be stored and cannot leave the closure.
public struct Connection: ~Copyable {
    let session: any Session

    /// All rows of a query, each made by the closure.
    public func all<T>(_ sql: SQL, _ make: (borrowing Row) throws -> T) throws -> [T] {
        var result: [T] = []
        try session.each(sql) { row in
            result.append(try make(row))
            return true
        }
        return result
    }

    public func all<T: FromRow>(_ sql: SQL) throws -> [T] {
        try all(sql) { row in try T(row: row) }
    }

    /// Row by row, for results that do not fit into memory; the closure says whether to go on.
    public func each(_ sql: SQL, _ body: (borrowing Row) throws -> Bool) throws {
        try session.stream(sql) { row in try body(row) }
    }

    /// The first row of a query, nil when there is none.
    public func first<T>(_ sql: SQL, _ make: (borrowing Row) throws -> T) throws -> T? {
        var result: T?
        try session.each(sql) { row in
            result = try make(row)
            return false
        }
        return result
    }

    /// The first row of a query, nil when there is none.
    public func first<T: FromRow>(_ sql: SQL) throws -> T? {
        try first(sql) { row in try T(row: row) }
    }

    /// The first column of the first row, nil when there is no row.
    public func value<T: SQLConvertible>(_ sql: SQL) throws -> T? {
        try first(sql) { row in try row[0] }
    }

    /// The number a `SELECT count(…)` answers.
    public func count(_ sql: SQL) throws -> Int {
        try value(sql) ?? 0
    }

    /// Whether a query has a row.
    public func exists(_ sql: SQL) throws -> Bool {
        try first(sql) { _ in true } ?? false
    }

    /// Runs a statement that changes something, and returns how many rows it changed.
    @discardableResult
    public func run(_ sql: SQL) throws -> Int {
        try session.each(sql) { _ in true }
        return session.changes
    }

    /// Tells the programs on the same database something, once this transaction is committed; see `DatabaseNews`.
    public func tell(_ news: String) throws { try session.tell(news) }

    /// Runs a script without values, for migrations.
    func script(_ text: String) throws { try session.script(text) }
}
