import Database
import Records
import Web
import Wire

/// Every statement about which of their own measurements somebody shows to their therapist.
package enum OwnSharingStore {
    package static func find(
        of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> MeasurementSharing {
        let rows = try connection.all(
            "SELECT type, since FROM measurement_sharing WHERE account_id = \(account)"
        ) { row -> (String, LocalDate?) in (try row[0], try row[1]) }
        var sharing = MeasurementSharing(shared: [:])
        for (name, since) in rows {
            guard let measure = MeasurementSharing.Measure(rawValue: name) else { continue }
            sharing.shared.updateValue(since, forKey: measure)
        }
        return sharing
    }

    /// Puts everything anew.
    package static func set(
        _ sharing: MeasurementSharing, of account: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try connection.run("DELETE FROM measurement_sharing WHERE account_id = \(account)")
        for (measure, since) in sharing.shared {
            try connection.run(
                """
                INSERT INTO measurement_sharing (account_id, type, since)
                VALUES (\(account), \(measure.rawValue), \(since))
                """)
        }
    }

    package static let revision: RevisionOf = { _, account, connection in
        let rows = try connection.all(
            "SELECT type, since FROM measurement_sharing WHERE account_id = \(account) ORDER BY type"
        ) { row in row.values }
        return Revision.number(of: rows.flatMap(\.self))
    }
}
