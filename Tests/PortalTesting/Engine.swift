import Foundation
import Testing

@testable import Database
@testable import EngineTesting
@testable import Portal
@testable import Records
@testable import Web

extension TestEngine {
    /// A database like another one, to which nothing is connected.
    static func copy(of address: String) throws -> String {
        let template = name(of: .server(address))
        guard case .server(let copy) = try postgreSQL.made(from: template) else { return "" }
        return copy
    }

    static func remove(_ address: String) { postgreSQL.remove(.server(address)) }
}

extension Trait where Self == ConditionTrait {
    /// For what looks at SQLite's own files, or speaks its words. Each stands in docs/testing.md with its reason (`LeftOutTests`).
    static var onSQLite: Self { .enabled(if: Cast.shared.server == nil) }

    /// For several portals on one database; the same run of CI has it on PostgreSQL.
    static var onPostgreSQL: Self { .enabled(if: Cast.shared.server != nil) }
}

extension TestPortal {
    /// What the database holds, as it lies before an intruder.
    struct Stored {
        fileprivate let bytes: Data
        /// Whether bytes stand in hexadecimal digits, as PostgreSQL writes them in a row.
        fileprivate let hasDigits: Bool

        func holds(_ part: some Sequence<UInt8>) -> Bool {
            let part = Data(part)
            let digits = part.map { byte in
                String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
            }
            return bytes.range(of: part) != nil
                || hasDigits && bytes.range(of: Data(digits.joined().utf8)) != nil
        }

        func holds(_ text: String) -> Bool { holds(text.utf8) }
    }

    /// The file of SQLite with its log, or every row of a server.
    func stored() throws -> Stored {
        guard services.settings.server != nil else {
            let path = services.settings.databasePath
            let files = ["", "-wal"].compactMap { FileManager.default.contents(atPath: path + $0) }
            return Stored(bytes: files.reduce(Data(), +), hasDigits: false)
        }
        let rows = try everything(withAudit: true).values.joined()
        return Stored(bytes: Data(rows.joined(separator: "\n").utf8), hasDigits: true)
    }

    /// A trigger that refuses a change, such as `UPDATE`, as a full disk does; in the words of either engine.
    func refuse(_ change: String, on table: String) throws {
        let isServer = services.settings.server != nil
        let text =
            isServer
            ? """
            CREATE FUNCTION refused() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN RAISE EXCEPTION 'database or disk is full'; END $$;
            CREATE TRIGGER refused BEFORE \(change) ON \(table) FOR EACH ROW EXECUTE FUNCTION refused()
            """
            : """
            CREATE TRIGGER refused BEFORE \(change) ON \(table)
            BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END
            """
        try services.records.writeUnaudited(.madeUp) { try $0.script(text) }
    }

    func dropTrigger(_ name: String = "refused", on table: String) throws {
        let place = services.settings.server == nil ? "" : " ON \(table)"
        try services.records.writeUnaudited(.madeUp) { try $0.script("DROP TRIGGER \(name)\(place)") }
    }

    /// The tables of the database with their columns.
    func columns() throws -> [String: [String]] {
        let sql: SQL =
            services.settings.server == nil
            ? "SELECT m.name, c.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c WHERE m.type = 'table'"
            : "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'"
        let rows = try services.records.read { connection in
            try connection.all(sql) { row in (table: try row[0] as String, column: try row[1] as String) }
        }
        return Dictionary(grouping: rows, by: \.table).mapValues { $0.map(\.column) }
    }

    /// All rows of all tables but the audit log, by table, as text.
    func everything(withAudit: Bool = false) throws -> [String: [String]] {
        let hasRows = services.settings.server != nil
        let tables = try columns().filter { withAudit || $0.key != "audit_log" }
        return try services.records.read { connection in
            var all: [String: [String]] = [:]
            for (table, columns) in tables {
                let values = columns.map { "quote(\"\($0)\")" }.joined(separator: " || ',' || ")
                let text = "SELECT \(hasRows ? "CAST(t AS text)" : values) FROM \"\(table)\" AS t"
                all[table] = try connection.all(SQL(text: text)) { row in try row[0] as String }.sorted()
            }
            return all
        }
    }
}
