/// The current row of a running query; lives only inside the closure that receives it.
public struct Row: ~Copyable {
    let source: RowSource

    /// The value of a column by its name.
    /// - Throws: `DatabaseError` when there is no such column or its value does not fit the type.
    public subscript<T: SQLConvertible>(_ column: String) -> T {
        get throws {
            guard let index = source.index(of: column) else {
                throw DatabaseError("no column \(column)", source.text)
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
        source.columns.indices.map { source.value(at: $0) }
    }

    private func value<T: SQLConvertible>(at index: Int) throws -> T {
        guard let value = T(sqlValue: source.value(at: index)) else {
            throw DatabaseError("column \(source.columns[index]) is not a \(T.self)", source.text)
        }
        return value
    }
}

/// A type that can be made from one row of a query.
public protocol FromRow: Sendable {
    init(row: borrowing Row) throws
}

/// A running statement, on one of its rows. Used by one thread at a time, the one that holds its session.
class RowSource {
    final let text: String
    /// The names of the columns; empty for a repeated name, so that the first one counts.
    final let columns: [String]
    /// The index of the column found last: most rows are read in the order of their columns.
    private final var found = -1

    init(_ text: String, columns names: [String]) {
        self.text = text
        var seen: Set<String> = [""]
        columns = names.map { seen.insert($0).inserted ? $0 : "" }
    }

    /// A value of the present row.
    func value(at place: Int) -> SQLValue { preconditionFailure("every engine reads its own values") }

    /// The index of a column, searched from the one that was found last.
    final func index(of column: String) -> Int? {
        let index =
            columns[(found + 1)...].firstIndex(of: column) ?? columns[..<(found + 1)].firstIndex(of: column)
        found = index ?? -1
        return index
    }
}
