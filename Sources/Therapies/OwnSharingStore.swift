import Database
import Records
import Web
import Wire

/// Every statement about the sharing of own measurements with a therapist.
package enum OwnSharingStore {
    /// The choice for the running therapy, else for the last one; before the first, for that one.
    package static func find(
        of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> MeasurementSharing {
        try find(of: account, for: current(of: account, connection), connection)
    }

    /// The choice for one therapy; nil stands for the time before the first.
    static func find(
        of account: ID<Account>, for therapy: ID<Therapy>?, _ connection: borrowing Connection
    ) throws -> MeasurementSharing {
        let rows = try connection.all(
            """
            SELECT type, since FROM measurement_sharing
            WHERE account_id = \(account) AND coalesce(therapy_id, '') = \(therapy?.text ?? "")
            """
        ) { row -> (String, LocalDate?) in (try row[0], try row[1]) }
        var sharing = MeasurementSharing(shared: [:])
        for (name, since) in rows {
            guard let measure = MeasurementSharing.Measure(rawValue: name) else { continue }
            sharing.shared.updateValue(since, forKey: measure)
        }
        return sharing
    }

    private static func current(
        of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> ID<Therapy>? {
        let all = try TherapyStore.all(of: account, connection)
        let last = all.max {
            ($0.endedAt ?? .distantPast, $0.createdAt) < ($1.endedAt ?? .distantPast, $1.createdAt)
        }
        return (all.first { $0.endedAt == nil } ?? last)?.id
    }

    /// Ties a choice made before the first therapy to it.
    package static func begin(
        _ therapy: ID<Therapy>, of account: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE measurement_sharing SET therapy_id = \(therapy)
            WHERE account_id = \(account) AND therapy_id IS NULL
            """)
    }

    /// An undone pairing counts as none: its choice is deleted.
    static func forget(_ therapy: ID<Therapy>, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM measurement_sharing WHERE therapy_id = \(therapy)")
    }

    /// Replaces everything, including a choice for an earlier therapy.
    package static func set(
        _ sharing: MeasurementSharing, of account: ID<Account>, _ connection: borrowing Connection
    ) throws {
        let therapy = try current(of: account, connection)
        try connection.run("DELETE FROM measurement_sharing WHERE account_id = \(account)")
        for (measure, since) in sharing.shared {
            try connection.run(
                """
                INSERT INTO measurement_sharing (account_id, type, since, therapy_id)
                VALUES (\(account), \(measure.rawValue), \(since), \(therapy))
                """)
        }
    }

    package static let revision: RevisionOf = { _, account, connection in
        // Covers the current choice: with another therapy another choice is in force.
        let shared = try find(of: account, connection).shared
        let rows = shared.sorted { $0.key.rawValue < $1.key.rawValue }
        return Revision.number(
            of: rows.flatMap { [.text($0.key.rawValue), $0.value.map { .text($0.text) } ?? .null] })
    }
}
