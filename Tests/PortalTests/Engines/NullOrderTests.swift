import Testing

@testable import Database
@testable import Portal

/// SQLite has NULL before everything, PostgreSQL behind: a statement that sorts by a column that can be NULL says where.
@Suite struct NullOrderTests {
    /// The columns that can be NULL, by table.
    private static func nullable() throws -> [String: Set<String>] {
        try Connection.inMemory { connection in
            let tables = try Migrator(Migrations.all).schema().filter { $0.hasPrefix("CREATE TABLE") }
            for table in tables { try connection.script(table) }
            let rows = try connection.all(
                """
                SELECT m.name, c.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c
                WHERE m.type = 'table' AND c."notnull" = 0 AND c.pk = 0
                """
            ) { row in (try row[0] as String, try row[1] as String) }
            return Dictionary(grouping: rows, by: \.0).mapValues { Set($0.map(\.1)) }
        }
    }

    /// Columns that the schema itself fills wherever the statement looks.
    private static let filled = [
        "enrolled_at": "a CHECK has it for everybody who is enrolled or has left, and no other is asked for"
    ]

    /// The sorted columns of a statement that can be NULL, and for which it neither says where that stands nor that there is none.
    private static func unsaid(_ sql: String, _ nullable: [String: Set<String>]) -> [String] {
        let tables = sql.matches(of: /(?:FROM|JOIN) (\w+)/).map { String($0.1) }
        let candidates = tables.reduce(into: Set<String>()) { $0.formUnion(nullable[$1] ?? []) }
        let terms = sql.matches(of: /ORDER BY ((?:[^()]|\([^()]*\))*)/).flatMap { found in
            found.1.split(separator: ",")
        }
        return terms.compactMap { term -> String? in
            guard
                let found = term.firstMatch(of: /^\s*(?:\w+\.)?(\w+)(?: (?:ASC|DESC))?\s*(?:LIMIT|OFFSET|$)/)
            else {
                return nil
            }
            let column = String(found.1)
            guard candidates.contains(column), filled[column] == nil else { return nil }
            let says = [
                "\\b\(column) IS NOT NULL", "\\b\(column) (?:[<>=]|BETWEEN|IN)",
                "[<>=] (?:\\w+\\.)?\(column)\\b",
                "\\b\(column) IS NULL,",
            ]
            return says.contains { (try? Regex($0)).map { sql.contains($0) } ?? false } ? nil : column
        }
    }

    @Test func `a sorted column that can be NULL says where NULL stands`() throws {
        let nullable = try Self.nullable()
        #expect(nullable.count > 60)
        for statement in try SourceStatements.ofServer.get() {
            #expect(Self.unsaid(statement.sqlite, nullable) == [], "\(statement.place)")
        }
        let made = ["notes": Set(["at"])]
        #expect(Self.unsaid("SELECT id FROM notes ORDER BY id, at DESC LIMIT 3", made) == ["at"])
        #expect(Self.unsaid("SELECT id FROM notes WHERE at > ? ORDER BY at", made) == [])
        #expect(Self.unsaid("SELECT id FROM notes ORDER BY notes.at NULLS FIRST, id", made) == [])
    }
}
