import Database
import Foundation
import Identity
import Records
import Web
import Wire

/// The sealed part of a day.
package struct DayContents: Sendable {
    fileprivate let day: MeasurementDayRecord
    fileprivate let series: [UInt8]
    fileprivate let filed: [UInt8]?
    fileprivate let device: [UInt8]?

    private func place(_ column: StaticString) -> SealContext { DayPlace.of(column, day.account, day.name) }

    /// - Throws: `SealBroken`, `SampleCoding.Broken`.
    package func samples(_ key: PersonKey) throws -> [Sample] {
        try SampleCoding.decode(try key.openBytes(series, from: place("series")))
    }

    /// The values sent singly; nil for a day that was sent whole.
    func filed(_ key: PersonKey) throws -> [FiledValue]? {
        try filed.map { sealed in
            let text = try key.openBytes(sealed, from: place("filed"))
            return try JSONDecoder().decode([FiledValue].self, from: Data(text))
        }
    }

    package func device(_ key: PersonKey) throws -> String? {
        try device.map { try key.open($0, from: place("device")) }
    }
}

/// The places of a day's sealed fields.
enum DayPlace {
    static func of(_ column: StaticString, _ account: ID<Account>, _ name: String) -> SealContext {
        SealContext("measurement_days", "\(account)/\(name)", column)
    }
}

/// Every statement about measured days.
package enum MeasurementDayStore {
    /// The readable columns. SQLite reads a row no further than requested.
    private static let plain: SQL = """
        account_id, type, date, source, zone, zone_word, n, sum, low, high, total, zones, complete_until, last_at, received_at,
        version, device_mark
        """

    /// The sealed part of a day that was found in the same transaction.
    package static func contents(
        of day: MeasurementDayRecord, _ connection: borrowing Connection
    ) throws -> DayContents {
        let found = try connection.first(
            """
            SELECT series, filed, device FROM measurement_days WHERE account_id = \(day.account)
            AND type = \(day.type.rawValue) AND date = \(day.date) AND source = \(day.source.rawValue)
            """
        ) { row in
            DayContents(day: day, series: try row[0], filed: try row[1], device: try row[2])
        }
        guard let found else { throw DatabaseError("a day that is gone") }
        return found
    }

    package static func find(
        _ type: MeasurementType, _ date: LocalDate, _ source: MeasurementSource, of account: ID<Account>,
        _ connection: borrowing Connection
    ) throws -> MeasurementDayRecord? {
        try connection.first(
            """
            SELECT \(sql: plain) FROM measurement_days WHERE account_id = \(account) AND type = \(type.rawValue)
            AND date = \(date) AND source = \(source.rawValue)
            """)
    }

    /// Every source of each day, in the order of the days.
    package static func all(
        _ type: MeasurementType, of account: ID<Account>, from: LocalDate, to: LocalDate,
        _ connection: borrowing Connection
    ) throws -> [MeasurementDayRecord] {
        try connection.all(
            """
            SELECT \(sql: plain) FROM measurement_days WHERE account_id = \(account) AND type = \(type.rawValue)
            AND date BETWEEN \(from) AND \(to) ORDER BY date, source
            """)
    }

    package static func all(
        of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> [MeasurementDayRecord] {
        try connection.all(
            "SELECT \(sql: plain) FROM measurement_days WHERE account_id = \(account) ORDER BY type, date, source"
        )
    }

    /// The types that have any day.
    static func types(
        of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> Set<String> {
        let types: [String] = try connection.all(
            "SELECT DISTINCT type FROM measurement_days WHERE account_id = \(account)"
        ) { row in try row[0] }
        return Set(types)
    }

    /// The days of a type's newest date with a figure, one for each source.
    static func latest(
        _ type: MeasurementType, of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> [MeasurementDayRecord] {
        try connection.all(
            """
            SELECT \(sql: plain) FROM measurement_days WHERE account_id = \(account) AND type = \(type.rawValue)
            AND date = (SELECT max(date) FROM measurement_days
                WHERE account_id = \(account) AND type = \(type.rawValue) AND (n > 0 OR total IS NOT NULL))
            ORDER BY source
            """)
    }

    /// Replaces a day.
    static func save(
        _ draft: DayDraft, filed: [FiledValue]?, zones: [HeartZone]?, version: Int, of record: AccountRecord,
        _ key: PersonKey, receivedAt: Instant? = nil, at now: Instant, _ connection: borrowing Connection
    ) throws {
        let sums = DaySums(draft.samples)
        let account = record.id
        let name = "\(draft.type.rawValue)/\(draft.date.text)/\(draft.source.rawValue)"
        let place = { (column: StaticString) in DayPlace.of(column, account, name) }
        let series = key.seal(bytes: SampleCoding.encode(draft.samples), for: place("series"))
        let items = try filed.map {
            key.seal(bytes: Array(try JSONEncoder().encode($0)), for: place("filed"))
        }
        let device = draft.device.map { key.seal($0, for: place("device")) }
        try MeasurementIntake.count(
            documents: version == 1 ? 1 : 0, bytes: series.count + (items?.count ?? 0) + (device?.count ?? 0),
            of: record, at: now, connection)
        let minutes = try zones.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        let last = draft.samples.last.flatMap { last in
            // A sample at the very beginning without a length stands for the whole day.
            last.end == 0 ? nil : min(draft.begin.adding(seconds: Int64(last.end)), draft.completeUntil)
        }
        try connection.run(
            """
            INSERT INTO measurement_days (account_id, type, date, source, zone, zone_word, n, sum, low, high, total, zones,
                complete_until, last_at, received_at, version, series, filed, device, device_mark)
            VALUES (\(account), \(draft.type.rawValue), \(draft.date), \(draft.source.rawValue), \(draft.zone.name), \(draft.zone.word),
                \(sums.n), \(sums.sum), \(sums.low), \(sums.high), \(draft.total), \(minutes),
                \(draft.completeUntil), \(last ?? draft.completeUntil), \(receivedAt ?? now), \(version), \(series), \(items),
                \(device), \(DeviceMark.of(draft.device, key)))
            ON CONFLICT (account_id, type, date, source) DO UPDATE SET
                zone = excluded.zone, zone_word = excluded.zone_word, n = excluded.n, sum = excluded.sum, low = excluded.low, high = excluded.high,
                total = excluded.total, zones = excluded.zones, complete_until = excluded.complete_until,
                last_at = excluded.last_at, received_at = excluded.received_at, version = excluded.version,
                series = excluded.series, filed = excluded.filed, device = excluded.device,
                device_mark = excluded.device_mark
            """)
    }

    /// The same data are known until a later time.
    package static func complete(
        _ day: MeasurementDayRecord, until end: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE measurement_days SET complete_until = \(end), version = version + 1
            WHERE account_id = \(day.account) AND type = \(day.type.rawValue) AND date = \(day.date)
            AND source = \(day.source.rawValue)
            """)
    }

    @discardableResult
    static func delete(
        _ type: MeasurementType, _ date: LocalDate, _ source: MeasurementSource, of account: ID<Account>,
        _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.run(
            """
            DELETE FROM measurement_days WHERE account_id = \(account) AND type = \(type.rawValue)
            AND date = \(date) AND source = \(source.rawValue)
            """) > 0
    }

    /// All days from a source, when a link ends and its data is removed.
    package static func delete(
        from source: MeasurementSource, of account: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "DELETE FROM measurement_days WHERE account_id = \(account) AND source = \(source.rawValue)")
    }
}
