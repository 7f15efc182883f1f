import Testing

@testable import Database

/// A row of literals, for rules about what stands in a table.
func row<T: FromRow>(_ sql: SQL) throws -> T {
    try Connection.inMemory { try #require(try $0.first(sql) { row in try T(row: row) }) }
}
