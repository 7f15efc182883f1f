import Database
import JSON
import Records
import Web
import Wire

/// A value in a list of sleeps or activities.
package protocol HealthRecordValue: Documented, Codable, Equatable {
    /// In the table, and in the path.
    static var kind: HealthRecordKind { get }
    static var sent: Schema { get }
    var startsAt: Instant { get }
    var endsAt: Instant { get }
    /// Minutes slept, or active.
    var minutes: Double { get }
    /// Whether what was slept of it was measured.
    var knowsStages: Bool { get }
    /// - Throws: `Problem.invalid`.
    static func read(_ fields: InputReader, now: Instant) throws -> Self
}

package enum HealthRecordKind: String, Sendable {
    case sleep, activity

    var path: String { self == .sleep ? "/my/sleeps" : "/my/activities" }
}

/// A sleep or an activity as stored.
package struct HealthRecord<Value: HealthRecordValue>: Sendable {
    package let id: ID<HealthEntry>
    package let value: Value
    package let receivedAt: Instant
}

/// The state of an id of a sleep or an activity.
package enum KnownRecord<Value: HealthRecordValue>: Sendable {
    case none
    case kept(Value, revision: Int)
    /// For good.
    case deleted

    package var value: Value? { if case .kept(let value, _) = self { value } else { nil } }
    package var revision: Int? { if case .kept(_, let revision) = self { revision } else { nil } }
    package var isDeleted: Bool { if case .deleted = self { true } else { false } }
}

/// The times and minutes of a sealed record.
package struct HealthRecordTime: Sendable {
    package let id: ID<HealthEntry>
    package let startsAt: Instant
    package let endsAt: Instant
    /// Minutes slept, or active.
    package let minutes: Double
    /// Whether what was slept of it was measured.
    package let knowsStages: Bool

    /// In seconds.
    var length: Int64 { endsAt.seconds - startsAt.seconds }
}

/// The kind of ids of sleeps and activities.
package enum HealthEntry {}

/// Every statement about sleeps and activities.
package enum HealthRecordStore {
    private static func place(
        _ kind: HealthRecordKind, _ id: ID<HealthEntry>, _ account: ID<Account>
    ) -> SealContext {
        SealContext("health_records", "\(account)/\(kind.rawValue)/\(id)", "body")
    }

    /// In a period, the newest first.
    package static func all<Value: HealthRecordValue>(
        _ type: Value.Type, of account: ID<Account>, from: Instant, until: Instant, _ key: PersonKey,
        _ connection: borrowing Connection
    ) throws -> [HealthRecord<Value>] {
        try connection.all(
            """
            SELECT id, body, received_at FROM health_records WHERE account_id = \(account)
            AND kind = \(Value.kind.rawValue) AND starts_at >= \(from) AND starts_at < \(until)
            ORDER BY starts_at DESC, id
            """
        ) { row in
            let id: ID<HealthEntry> = try row[0]
            let text = try key.openBytes(try row[1], from: place(Value.kind, id, account))
            return HealthRecord(
                id: id, value: try JSONReader.value(Value.self, from: text), receivedAt: try row[2])
        }
    }

    /// Those that ended in a period, the newest first.
    package static func all<Value: HealthRecordValue>(
        _ type: Value.Type, of account: ID<Account>, endingIn stretch: Range<Instant>, _ key: PersonKey,
        _ connection: borrowing Connection
    ) throws -> [HealthRecord<Value>] {
        // None is longer than a day.
        try all(
            type, of: account, from: stretch.lowerBound.adding(days: -1), until: stretch.upperBound, key,
            connection
        ).filter { stretch.contains($0.value.endsAt) }
    }

    /// Times and minutes of those that ended in a period, the earliest first. Opens nothing.
    package static func times(
        of kind: HealthRecordKind, of account: ID<Account>, from: Instant, until: Instant,
        _ connection: borrowing Connection
    ) throws -> [HealthRecordTime] {
        // None is longer than a day: one that ended in the period began at most a day before it.
        try connection.all(
            """
            SELECT id, starts_at, ends_at, minutes, knows_stages FROM health_records
            WHERE account_id = \(account) AND kind = \(kind.rawValue)
            AND starts_at >= \(from.adding(days: -1)) AND starts_at < \(until)
            AND ends_at >= \(from) AND ends_at < \(until) ORDER BY starts_at, id
            """
        ) { row in
            let begin: Instant = try row[1]
            let end: Instant = try row[2]
            let minutes: Double = try row[3]
            // Of those from before it was noted, a measurement is told by what it leaves of the time.
            let isShorter = minutes < Double(end.seconds - begin.seconds) / 60
            return HealthRecordTime(
                id: try row[0], startsAt: begin, endsAt: end, minutes: minutes,
                knowsStages: try (row[4] as Bool?) ?? isShorter)
        }
    }

    /// The state of an id.
    package static func find<Value: HealthRecordValue>(
        _ type: Value.Type, _ id: ID<HealthEntry>, of account: ID<Account>, _ key: PersonKey,
        _ connection: borrowing Connection
    ) throws -> KnownRecord<Value> {
        let row = try connection.first(
            """
            SELECT body FROM health_records WHERE account_id = \(account)
            AND kind = \(Value.kind.rawValue) AND id = \(id)
            """
        ) { row -> [UInt8]? in try row[0] }
        guard let row else { return .none }
        guard let sealed = row else { return .deleted }
        let text = try key.openBytes(sealed, from: place(Value.kind, id, account))
        // Sealed anew with every change, so the seal identifies the state.
        return .kept(
            try JSONReader.value(Value.self, from: text),
            revision: Revision.number(of: [.blob(sealed)]))
    }

    static func count(of account: ID<Account>, _ connection: borrowing Connection) throws -> Int {
        try connection.count("SELECT count(*) FROM health_records WHERE account_id = \(account)")
    }

    package static func save<Value: HealthRecordValue>(
        _ value: Value, _ id: ID<HealthEntry>, of account: ID<Account>, _ key: PersonKey, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        let body = key.seal(
            bytes: try JSONWriter.bytes(of: value), for: place(Value.kind, id, account))
        try connection.run(
            """
            INSERT INTO health_records (account_id, kind, id, starts_at, ends_at, minutes, knows_stages, body, received_at)
            VALUES (\(account), \(Value.kind.rawValue), \(id), \(value.startsAt), \(value.endsAt),
                \(value.minutes), \(value.knowsStages), \(body), \(now))
            ON CONFLICT (account_id, kind, id) DO UPDATE SET
                starts_at = excluded.starts_at, ends_at = excluded.ends_at, minutes = excluded.minutes,
                knows_stages = excluded.knows_stages, body = excluded.body, received_at = excluded.received_at
            """)
    }

    /// Removes the row with its id, so that it may be sent again. Records that their owner deleted stay deleted.
    package static func forget(
        _ kind: HealthRecordKind, _ id: ID<HealthEntry>, of account: ID<Account>,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            DELETE FROM health_records WHERE account_id = \(account) AND kind = \(kind.rawValue) AND id = \(id)
            AND deleted_at IS NULL
            """)
    }

    /// The ids of those that ended in a period.
    package static func ids(
        of kind: HealthRecordKind, of account: ID<Account>, endingIn stretch: Range<Instant>,
        _ connection: borrowing Connection
    ) throws -> [ID<HealthEntry>] {
        // None is longer than a day.
        try connection.all(
            """
            SELECT id FROM health_records WHERE account_id = \(account) AND kind = \(kind.rawValue)
            AND starts_at >= \(stretch.lowerBound.adding(days: -1)) AND starts_at < \(stretch.upperBound)
            AND ends_at >= \(stretch.lowerBound) AND ends_at < \(stretch.upperBound)
            """
        ) { row in try row[0] }
    }

    /// Keeps the id, so that it does not come back.
    package static func delete(
        _ kind: HealthRecordKind, _ id: ID<HealthEntry>, of account: ID<Account>, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE health_records SET starts_at = NULL, ends_at = NULL, minutes = NULL, knows_stages = NULL,
                body = NULL, deleted_at = \(now)
            WHERE account_id = \(account) AND kind = \(kind.rawValue) AND id = \(id)
            """)
    }
}
