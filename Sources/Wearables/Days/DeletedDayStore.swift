import Database
import Records
import Wire

/// Every statement about days that their person has deleted: no provider brings them back (RP-101). What the person's own phone sends does.
package enum DeletedDayStore {
    package static func holds(
        _ day: DayName, of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.exists(
            """
            SELECT 1 FROM deleted_days WHERE account_id = \(account) AND type = \(day.type.rawValue)
            AND date = \(day.date) AND source = \(day.source.rawValue)
            """)
    }

    static func note(
        _ day: DayName, of account: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO deleted_days (account_id, type, date, source)
            VALUES (\(account), \(day.type.rawValue), \(day.date), \(day.source.rawValue))
            ON CONFLICT (account_id, type, date, source) DO NOTHING
            """)
    }

    /// All days from a source, before they are removed with their link.
    package static func noteAll(
        from source: MeasurementSource, of account: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO deleted_days (account_id, type, date, source)
            SELECT account_id, type, date, source FROM measurement_days
            WHERE account_id = \(account) AND source = \(source.rawValue)
            ON CONFLICT (account_id, type, date, source) DO NOTHING
            """)
    }

    static func forget(
        _ day: DayName, of account: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            DELETE FROM deleted_days WHERE account_id = \(account) AND type = \(day.type.rawValue)
            AND date = \(day.date) AND source = \(day.source.rawValue)
            """)
    }
}
