import Foundation
import Testing

@testable import Database
@testable import EngineTesting
@testable import NetworkTesting
@testable import Portal

/// The statements of the stores, on an engine they were not written on.
@Suite(.enabled(if: TestEngine.server != nil, "there is no PostgreSQL server"))
struct PostgreSQLStatementTests {
    @Test func `PostgreSQL 15 takes every statement of the sources`() throws {
        let statements = try SourceStatements.ofServer.get()
        let schema = try PostgreSQLSchema.statements(of: Migrator(Migrations.all).schema()).map {
            $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") + ";"
        }
        try PostgreSQLCluster.run { cluster in
            let broken = try cluster.refusals(of: schema)
            for (line, reason) in broken { Issue.record("\(reason): \(schema[line])") }
            let prepared = statements.enumerated().map { number, statement in
                "PREPARE statement_\(number) AS \(statement.postgreSQL);"
            }
            for (line, reason) in try cluster.refusals(of: prepared).sorted(by: { $0.key < $1.key }) {
                Issue.record("\(statements[line].place): \(reason)")
            }
            // What the slots and rules are for is still refused, or this test would see nothing.
            let foreign = [
                "SELECT rowid FROM accounts;", "INSERT OR IGNORE INTO account_roles VALUES ('a', 'lead');",
            ]
            #expect(try cluster.refusals(of: foreign).count == 2)
        }
    }
}
