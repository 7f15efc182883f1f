import Foundation
import Testing

@testable import Database
@testable import EngineTesting

extension TestEngine {
    /// Whether whole portals run on PostgreSQL: TEST_ENGINE=postgresql, and a server for it.
    private static let isPostgreSQL =
        server != nil && ProcessInfo.processInfo.environment["TEST_ENGINE"] == "postgresql"

    /// An empty database for a portal; nil where it has a file in its folder.
    static func made() throws -> String? {
        guard isPostgreSQL, case .server(let address) = try postgreSQL.made() else { return nil }
        return address
    }

    /// A database like another one, to which nothing is connected.
    static func copy(of address: String) throws -> String {
        let template = name(of: .server(address))
        guard case .server(let copy) = try postgreSQL.made(from: template) else { return "" }
        return copy
    }

    static func remove(_ address: String) { postgreSQL.remove(.server(address)) }
}

extension Trait where Self == ConditionTrait {
    /// For what looks at SQLite's own files, or speaks its words; the same run of CI has it on SQLite.
    static var onSQLite: Self { .enabled(if: Cast.shared.server == nil) }

    /// For several portals on one database; the same run of CI has it on PostgreSQL.
    static var onPostgreSQL: Self { .enabled(if: Cast.shared.server != nil) }
}
