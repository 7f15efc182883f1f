import Database
import Records
import Scheduling
import Wire

/// Every statement about the amount an account has stored in a day.
enum MeasurementIntakeStore {
    static func find(
        of account: ID<Account>, on day: LocalDate, _ connection: borrowing Connection
    ) throws -> (documents: Int, bytes: Int) {
        let found = try connection.first(
            "SELECT documents, bytes FROM measurement_intake WHERE account_id = \(account) AND day = \(day)"
        ) { row in (documents: try row[0] as Int, bytes: try row[1] as Int) }
        return found ?? (0, 0)
    }

    static func set(
        documents: Int, bytes: Int, of account: ID<Account>, on day: LocalDate,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO measurement_intake (account_id, day, documents, bytes)
            VALUES (\(account), \(day), \(documents), \(bytes))
            ON CONFLICT (account_id, day) DO UPDATE SET documents = excluded.documents, bytes = excluded.bytes
            """)
    }

    /// A day that is over everywhere no longer counts.
    static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        let yesterday = LocalTime(now, Zone("UTC")).date.adding(days: -1)
        try connection.run("DELETE FROM measurement_intake WHERE day < \(yesterday)")
    }
}
