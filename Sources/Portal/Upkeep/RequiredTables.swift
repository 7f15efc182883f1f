import Database
import Records

extension Migrations {
    /// Making the schema takes longer than a start may.
    private static let tables = Result { Set(try Migrator(all).tableNames()) }

    /// - Throws: `StartError` when the database lacks tables of its own schema: it is half of a copy.
    static func requireTables(_ settings: Settings) throws {
        guard case .tables(let found) = try settings.database.contents() else { return }
        let missing = try tables.get().subtracting(found).sorted()
        guard let first = missing.first else { return }
        throw StartError(
            """
            the database \(settings.databaseName) lacks \(missing.count) of its tables (\(first)): it is half of a copy.
            \(FolderState.advice(nil, replacing: true, settings))
            """)
    }
}
