import Database
import Records
import Wire

/// Every statement about days of devices beside which another one of the same source counts.
package enum OtherDeviceDayStore {
    private static func place(of day: DayName, by mark: String, of account: ID<Account>) -> SealContext {
        let row = "\(account)/\(day.type.rawValue)/\(day.date.text)/\(day.source.rawValue)/\(mark)"
        return SealContext("other_device_days", row, "body")
    }

    private static func read(
        _ row: borrowing Row, of account: ID<Account>, _ key: PersonKey
    ) throws -> DeviceDay {
        guard let type = MeasurementType(rawValue: try row["type"]),
            let source = MeasurementSource(rawValue: try row["source"])
        else { throw DatabaseError("a day of an unknown type or source") }
        let day = DayName(type: type, date: try row["date"], source: source)
        let mark: String = try row["device_mark"]
        let body = try key.openBytes(try row["body"], from: place(of: day, by: mark, of: account))
        return DeviceDay(
            mark: mark, told: try ToldDay(day, body: body, receivedAt: try row["received_at"]))
    }

    /// Those of one day and source.
    static func all(
        _ day: DayName, of account: ID<Account>, _ key: PersonKey, _ connection: borrowing Connection
    ) throws -> [DeviceDay] {
        try connection.all(
            """
            SELECT * FROM other_device_days WHERE account_id = \(account) AND type = \(day.type.rawValue)
            AND date = \(day.date) AND source = \(day.source.rawValue) ORDER BY device_mark
            """
        ) { row in try read(row, of: account, key) }
    }

    package static func all(
        of account: ID<Account>, _ key: PersonKey, _ connection: borrowing Connection
    ) throws -> [DeviceDay] {
        try connection.all(
            """
            SELECT * FROM other_device_days WHERE account_id = \(account) ORDER BY type, date, source, device_mark
            """
        ) { row in try read(row, of: account, key) }
    }

    /// - Returns: the bytes that it takes.
    @discardableResult
    static func save(
        _ told: ToldDay, by mark: String, of account: ID<Account>, _ key: PersonKey,
        _ connection: borrowing Connection
    ) throws -> Int {
        let day = told.draft
        let place = place(of: DayName(day), by: mark, of: account)
        let body = key.seal(bytes: try told.body(), for: place)
        try connection.run(
            """
            INSERT INTO other_device_days (account_id, type, date, source, device_mark, received_at, body)
            VALUES (\(account), \(day.type.rawValue), \(day.date), \(day.source.rawValue), \(mark), \(told.receivedAt),
                \(body))
            ON CONFLICT (account_id, type, date, source, device_mark) DO UPDATE SET
                received_at = excluded.received_at, body = excluded.body
            """)
        return body.count
    }

    static func remove(
        _ day: DayName, by mark: String, of account: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            DELETE FROM other_device_days WHERE account_id = \(account) AND type = \(day.type.rawValue)
            AND date = \(day.date) AND source = \(day.source.rawValue) AND device_mark = \(mark)
            """)
    }

    static func removeAll(
        _ day: DayName, of account: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            DELETE FROM other_device_days WHERE account_id = \(account) AND type = \(day.type.rawValue)
            AND date = \(day.date) AND source = \(day.source.rawValue)
            """)
    }

    /// All days from a source, when a link ends and its data is removed.
    package static func removeAll(
        from source: MeasurementSource, of account: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "DELETE FROM other_device_days WHERE account_id = \(account) AND source = \(source.rawValue)")
    }
}
