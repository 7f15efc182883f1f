import Database
import Records
import Wire

/// The kept filter and order of the list of patients, one row for each therapist (PR-34).
enum CaseloadViewStore {
    static func find(
        of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> (filter: String, sort: String, isReversed: Bool)? {
        try connection.first(
            "SELECT filter, sort, is_reversed FROM caseload_views WHERE account_id = \(account)"
        ) { row in (filter: try row[0], sort: try row[1], isReversed: try row[2]) }
    }

    static func save(
        filter: String, sort: String, isReversed: Bool, of account: ID<Account>,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO caseload_views (account_id, filter, sort, is_reversed)
            VALUES (\(account), \(filter), \(sort), \(isReversed))
            ON CONFLICT (account_id) DO UPDATE SET filter = excluded.filter, sort = excluded.sort,
                is_reversed = excluded.is_reversed
            """)
    }
}
