import CSQLite

/// The current row of a running query; lives only inside the closure that receives it.
public struct Row: ~Copyable {
    let statement: Statement

    /// The value of a column by its name.
    /// - Throws: `DatabaseError` when there is no such column or its value does not fit the type.
    public subscript<T: SQLConvertible>(_ column: String) -> T {
        get throws {
            guard let index = statement.index(of: column) else {
                throw statement.error("no column \(column)")
            }
            return try value(at: index)
        }
    }

    /// The value of a column by its place, from 0; for queries of one or two columns.
    public subscript<T: SQLConvertible>(_ index: Int) -> T {
        get throws { try value(at: index) }
    }

    /// The values of all columns, as they are stored.
    public var values: [SQLValue] {
        statement.columns.indices.map { statement.value(at: Int32($0)) }
    }

    private func value<T: SQLConvertible>(at index: Int) throws -> T {
        guard let value = T(sqlValue: statement.value(at: Int32(index))) else {
            throw statement.error("column \(statement.columns[index]) is not a \(T.self)")
        }
        return value
    }
}

/// A type that can be made from one row of a query.
public protocol FromRow: Sendable {
    init(row: borrowing Row) throws
}
