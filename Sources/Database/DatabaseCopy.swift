/// Copies whole databases, from one engine to the other too.
public struct DatabaseCopy: Sendable {
    private let migrator: Migrator

    /// - Parameter migrator: knows the tables; both databases are of its newest schema.
    public init(_ migrator: Migrator) { self.migrator = migrator }

    /// What a table holds: how many rows, and a sum over all their values that does not depend on their order.
    public struct Content: Sendable, Equatable {
        public let table: String
        public fileprivate(set) var rows = 0
        public fileprivate(set) var sum: UInt64 = 0

        fileprivate mutating func add(_ values: [SQLValue]) {
            rows += 1
            sum &+= values.reduce(0xcbf2_9ce4_8422_2325) { $1.mixed(into: $0) }
        }
    }

    private struct Table {
        let name: String
        let columns: [String]

        var all: SQL { SQL(text: "SELECT \(columns.joined(separator: ", ")) FROM \(name)") }

        func insert(_ values: [SQLValue]) -> SQL {
            let row = "(" + Array(repeating: "?", count: columns.count).joined(separator: ", ") + ")"
            let rows = Array(repeating: row, count: values.count / columns.count).joined(separator: ", ")
            return SQL(
                text: "INSERT INTO \(name) (\(columns.joined(separator: ", "))) VALUES \(rows)",
                values: values)
        }
    }

    /// The rows that one statement puts in.
    private static let rowsAtOnce = 50

    /// Puts one moment of a database in the place of everything that another one holds, in one transaction there, and reads it
    /// again there before the commit.
    /// - Parameter target: has no writer besides, and where it is a file, no rows.
    /// - Returns: what each table holds, by its name.
    /// - Throws: `DatabaseError`, also when what was read again is not the same; then the target holds what it held.
    @discardableResult
    public func run(from source: DatabasePlace, to target: DatabasePlace) throws -> [Content] {
        guard try migrator.isCurrent(source, exactly: true) else {
            throw DatabaseError("the schema is not of this program")
        }
        let schema = try migrator.schema()
        let tables = try migrator.tables().map { Table(name: $0.name, columns: $0.columns) }
        let reader = try source.openToLook()
        defer { reader.close() }
        let writer = try target.open(.writer(.exclusive))
        defer { writer.close() }
        try reader.beginRead()
        var contents: [Content] = []
        try writer.replaceAll(with: migrator.migrations, schema) { connection in
            // Rows that migrations have put in are among those that come.
            for table in tables.reversed() { try connection.run(SQL(text: "DELETE FROM \(table.name)")) }
            for table in tables { contents.append(try Self.copy(table, reader, connection)) }
            for (table, content) in zip(tables, contents) {
                guard try Self.content(of: table, in: connection) == content else {
                    throw DatabaseError("\(table.name) is not the same in the copy")
                }
            }
        }
        return contents.sorted { $0.table < $1.table }
    }

    /// Writes a copy as a file of SQLite, of a database in use too. The file appears whole or not at all; an older one there is replaced.
    /// - Parameter statements: run on the copy alone, before it appears.
    /// - Throws: `DatabaseError`, or a file error when it cannot be written.
    public func write(_ source: DatabasePlace, to file: String, adding statements: [SQL] = []) throws {
        if case .file(let path) = source {
            return try Backup.copy(from: path, to: file, adding: statements)
        }
        let unfolded = file + ".rows.partial"
        let parts = ["", "-wal", "-shm"].map { unfolded + $0 }
        try DurableFile.remove(parts)
        defer { try? DurableFile.remove(parts) }
        // Made before there is anything in it, so that no other user can ever read it.
        try DurableFile.write([UInt8](), to: unfolded)
        try run(from: source, to: .file(unfolded))
        try Backup.copy(from: unfolded, to: file, adding: statements)
    }

    private static func copy(
        _ table: Table, _ reader: any Session, _ target: borrowing Connection
    ) throws -> Content {
        var content = Content(table: table.name)
        var waiting: [SQLValue] = []
        let session = target.session
        try reader.stream(table.all) { row in
            let values = row.values
            content.add(values)
            waiting += values
            if content.rows % rowsAtOnce == 0 {
                try session.run(table.insert(waiting))
                waiting.removeAll(keepingCapacity: true)
            }
            return true
        }
        if !waiting.isEmpty { try session.run(table.insert(waiting)) }
        return content
    }

    private static func content(of table: Table, in connection: borrowing Connection) throws -> Content {
        var content = Content(table: table.name)
        try connection.each(table.all) { row in
            content.add(row.values)
            return true
        }
        return content
    }
}

extension SQLValue {
    /// FNV-1a over kind, length and bytes; finds what was lost on the way, not what was forged.
    fileprivate func mixed(into hash: UInt64) -> UInt64 {
        switch self {
        case .null: Self.mix([0], hash)
        case .integer(let number): Self.mix(UInt64(bitPattern: number), 1, hash)
        case .real(let number): Self.mix(number.bitPattern, 2, hash)
        case .text(let text): Self.mix(text.utf8, Self.mix(UInt64(text.utf8.count), 3, hash))
        case .blob(let bytes): Self.mix(bytes, Self.mix(UInt64(bytes.count), 4, hash))
        }
    }

    private static func mix(_ number: UInt64, _ kind: UInt8, _ hash: UInt64) -> UInt64 {
        mix((0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }, mix([kind], hash))
    }

    private static func mix(_ bytes: some Sequence<UInt8>, _ hash: UInt64) -> UInt64 {
        bytes.reduce(hash) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
