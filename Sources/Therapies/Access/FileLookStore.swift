import Database
import Records
import Wire

/// Every statement about visits of files.
package enum FileLookStore {
    package static func find(
        _ therapy: ID<Therapy>, of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> Instant? {
        try connection.value(
            "SELECT looked_at FROM file_looks WHERE therapy_id = \(therapy) AND account_id = \(account)")
    }

    package static func all(
        of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> [ID<Therapy>: Instant] {
        let rows = try connection.all(
            "SELECT therapy_id, looked_at FROM file_looks WHERE account_id = \(account)"
        ) { row -> (therapy: ID<Therapy>, at: Instant) in (therapy: try row[0], at: try row[1]) }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.therapy, $0.at) })
    }

    package static func save(
        _ therapy: ID<Therapy>, of account: ID<Account>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO file_looks (therapy_id, account_id, looked_at) VALUES (\(therapy), \(account), \(now))
            ON CONFLICT (therapy_id, account_id) DO UPDATE SET looked_at = excluded.looked_at
            """)
    }
}
