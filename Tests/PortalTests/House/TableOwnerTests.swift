import Foundation
import Testing

@testable import Portal
@testable import PortalTesting

/// Every table has one owner, and SQL looks down only (structure.md 3).
@Suite struct TableOwnerTests {
    static let golden = Cast.root + "/Tests/PortalTests/Goldens/"

    /// Read once: the whole source is looked through for it.
    private static let read = Result {
        let schema = try String(contentsOfFile: golden + "schema.sql", encoding: .utf8)
        return try TableOwners(folder: Cast.root, schema: schema)
    }

    static func owners() throws -> TableOwners { try read.get() }

    @Test func `the table of owners is the one that was reviewed`() throws {
        let golden = try String(contentsOfFile: Self.golden + "tables.txt", encoding: .utf8)
        #expect(try golden == Self.owners().table)
        #expect(try golden == Operations.tables(in: Cast.root))
    }

    @Test func `no table is written by two, and none is read from below its owner`() throws {
        #expect(try Self.owners().broken() == [])
    }

    @Test func `the audit log is written by Records alone`() throws {
        let line = try Self.owners().table.split(separator: "\n").first { $0.hasPrefix("audit_log ") }
        #expect(line?.split(separator: " ")[1] == "Records")
    }

    // MARK: What is looked for would be found

    static func owners(_ statements: [(target: String, code: String)]) -> TableOwners {
        TableOwners(
            files: statements.map { .init(path: "Sources/\($0.target)/Any/AnyStore.swift", text: $0.code) },
            schema: "CREATE TABLE pages (id TEXT);\n\nCREATE TABLE \"old_ones\" (id TEXT);\n",
            package: """
                module("Ground"),
                area("Below", ["Ground"]),
                area("Between", ["Below"]),
                area("Above", ["Between"]),
                """)
    }

    @Test(arguments: [
        "INSERT INTO pages (id) VALUES (1)", "INSERT OR IGNORE INTO pages (id) VALUES (1)",
        "INSERT\n    INTO pages (id) VALUES (1)", "UPDATE \"pages\" SET id = 1", "DELETE FROM pages",
    ])
    func `a second writer is found`(statement: String) {
        let both = [
            (target: "Below", code: "UPDATE pages SET id = 1\nDELETE FROM old_ones"),
            (target: "Above", code: statement),
        ]
        let found = Self.owners(both).broken()
        #expect(
            found == ["pages: written by Sources/Above/Any/AnyStore.swift, Sources/Below/Any/AnyStore.swift"])
    }

    @Test func `who reads is told apart from who writes, and from whom only speaks of a table`() {
        let owners = Self.owners([
            (
                target: "Below",
                code: "INSERT INTO pages (id) VALUES (1)\nINSERT INTO old_ones (id) VALUES (1)"
            ),
            (target: "Between", code: "    /// SELECT id FROM old_ones\nlet x = \"SELECT 1 FROM pages\""),
            (target: "Above", code: "SELECT 1 FROM x JOIN pages ON true"),
        ])
        #expect(
            owners.table
                == "old_ones                Below\npages                   Below         Above Between\n")
        #expect(owners.broken() == [])
    }

    @Test func `reading upwards is found, and a table that nobody writes`() {
        let owners = Self.owners([
            (target: "Between", code: "UPDATE pages SET id = 1"),
            (target: "Below", code: "SELECT 1 FROM pages"),
        ])
        let path = "Sources/Below/Any/AnyStore.swift"
        #expect(
            owners.broken() == [
                "old_ones: written by nobody", "pages: Below stands below Between and reads it in \(path)",
            ])
    }

    @Test func `a table that is put in from elsewhere is found`() {
        let owners = Self.owners([
            (target: "Below", code: "UPDATE pages SET id = 1\nDELETE FROM old_ones"),
            (target: "Above", code: #"try connection.run("DELETE FROM \(sql: name)")"#),
        ])
        #expect(owners.broken() == ["Sources/Above/Any/AnyStore.swift: a statement does not name its table"])
    }
}
